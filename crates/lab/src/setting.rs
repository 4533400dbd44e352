//! The setting of a measurement: date, version of the source, device.

use std::{env, fs, thread};

use limbforge_cli::gpu::kernels::Gpu;
use serde::Serialize;

/// The origin of a report.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Setting {
    pub(crate) date: String,
    pub(crate) commit: Option<String>,
    pub(crate) device: String,
    /// None on a CPU.
    pub(crate) driver: Option<String>,
    pub(crate) nvrtc: Option<String>,
    /// Threads of a CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) threads: Option<usize>,
}

impl Setting {
    pub(crate) fn of_gpu(commit: Option<&str>, gpu: &Gpu) -> Self {
        let info = gpu.device.info();
        let nvrtc = gpu.compiler.nvrtc().version().to_string();
        let device = info.name.clone();
        Self { driver: Some(info.driver.to_string()), nvrtc: Some(nvrtc), ..Self::of(commit, device) }
    }

    pub(crate) fn of_cpu(commit: Option<&str>) -> Self {
        Self { threads: Some(rayon::current_num_threads()), ..Self::of(commit, cpu_name()) }
    }

    fn of(commit: Option<&str>, device: String) -> Self {
        let date = jiff::Timestamp::now().strftime("%F").to_string();
        let commit = commit.map(str::to_owned).or_else(|| env::var("LIMBFORGE_COMMIT").ok());
        Self { date, commit, device, driver: None, nvrtc: None, threads: None }
    }
}

/// The model that Linux knows, or the number of cores.
fn cpu_name() -> String {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    model.map_or_else(|| format!("CPU of {} cores", cores()), |(_, name)| name.trim().to_owned())
}
