//! What was measured with what.

use std::{env, fs, thread};

use limbforge_cli::gpu::kernels::Gpu;
use serde_json::{Value, json};

/// The keys of a report that say where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) date: String,
    pub(crate) commit: Option<String>,
    pub(crate) device: String,
    /// None on a CPU.
    pub(crate) driver: Option<String>,
    pub(crate) nvrtc: Option<String>,
    /// Threads of a CPU.
    pub(crate) threads: Option<usize>,
}

impl Setting {
    pub(crate) fn of_gpu(commit: Option<&str>, gpu: &Gpu) -> Self {
        let info = gpu.device.info();
        Self {
            driver: Some(info.driver.to_string()),
            nvrtc: Some(gpu.compiler.nvrtc().version().to_string()),
            ..Self::of(commit, info.name.clone())
        }
    }

    pub(crate) fn of_cpu(commit: Option<&str>) -> Self {
        Self { threads: Some(rayon::current_num_threads()), ..Self::of(commit, cpu_name()) }
    }

    /// Sets the keys of a report; `threads` of a CPU only.
    pub(crate) fn add_to(&self, report: &mut Value) {
        let Self { date, commit, device, driver, nvrtc, threads } = self;
        let keys =
            json!({ "date": date, "commit": commit, "device": device, "driver": driver, "nvrtc": nvrtc });
        for (key, value) in keys.as_object().into_iter().flatten() {
            report[key] = value.clone();
        }
        if let Some(threads) = threads {
            report["threads"] = json!(threads);
        }
    }

    fn of(commit: Option<&str>, device: String) -> Self {
        Self {
            date: jiff::Timestamp::now().strftime("%F").to_string(),
            commit: commit.map(str::to_owned).or_else(|| env::var("LIMBFORGE_COMMIT").ok()),
            device,
            driver: None,
            nvrtc: None,
            threads: None,
        }
    }
}

/// The model that Linux knows, or how many cores there are.
fn cpu_name() -> String {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    model.map_or_else(|| format!("CPU of {} cores", cores()), |(_, name)| name.trim().to_owned())
}
