//! `limbforge doctor`: which GPU prerequisites were found, where they were looked for, and what to install.

use std::path::Path;

use clap::Args;
use limbforge_gpu::{Arch, DeviceInfo, DoctorReport, NvrtcReport};
use serde_json::{Value, json};

use crate::{error::CliError, output};

/// Report which GPU prerequisites were found, where they were looked for, and what to install.
///
/// Exit status 0, whatever is missing: expressions can always be evaluated on the CPU.
#[derive(Args, Debug)]
pub(crate) struct DoctorArguments {
    /// One JSON object: ready, driver, devices, nvrtc, cache, tuning, advice
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &DoctorArguments) -> Result<(), CliError> {
    let report = DoctorReport::collect();
    let text = match (arguments.json, report.is_ready()) {
        (true, _) => format!("{:#}\n", to_json(&report)),
        (false, true) => format!("{report}the CPU backend works, and so do GPUs\n"),
        (false, false) => format!("{report}the CPU backend works; GPUs need what is to do above\n"),
    };
    output::write(None, &text)
}

/// Keys: `ready` (kernels can be compiled and run), `driver` (`cuda`, `error`), `devices` (`list`, `error`),
/// `nvrtc` (`path`, `version`, `architectures`, `error`, `found`, `looked`), `cache` (`folder`, `problem`),
/// `tuning` (`file`, `measurements`, `problem`), `advice`. What does not apply is null.
fn to_json(report: &DoctorReport) -> Value {
    let DoctorReport { driver, devices, nvrtc: compiler, cache, tuning, .. } = report;
    let list: Vec<Value> = devices.iter().flatten().map(device).collect();
    let (folder, file) = (cache.folder.as_deref().map(text), tuning.file.as_deref().map(text));
    json!({
        "ready": report.is_ready(),
        "driver": {
            "cuda": driver.as_ref().ok().map(ToString::to_string),
            "error": driver.as_ref().err().map(ToString::to_string),
        },
        "devices": { "list": list, "error": devices.as_ref().err().map(ToString::to_string) },
        "nvrtc": nvrtc(compiler),
        "cache": { "folder": folder, "problem": cache.problem },
        "tuning": { "file": file, "measurements": tuning.measurements, "problem": tuning.problem },
        "advice": report.advice(),
    })
}

fn device(device: &DeviceInfo) -> Value {
    json!({
        "ordinal": device.ordinal,
        "name": device.name,
        "arch": device.arch.to_string(),
        "multiprocessors": device.multiprocessors,
        "memory_bytes": device.memory,
        "l2_bytes": device.l2_bytes,
        "shared_bytes_per_block": device.shared_per_block,
        "shared_bytes_per_multiprocessor": device.shared_per_multiprocessor,
        "registers_per_multiprocessor": device.registers_per_multiprocessor,
        "threads_per_multiprocessor": device.threads_per_multiprocessor,
        "clock_khz": device.clock_khz,
    })
}

fn nvrtc(report: &NvrtcReport) -> Value {
    let open = report.open.as_ref().ok();
    let arch = |&number: &u32| Arch::from_number(number).to_string();
    let found = report.found.iter().map(|found| {
        let version = found.version.map(|version| version.to_string());
        json!({ "library": text(&found.library), "version": version })
    });
    json!({
        "path": open.map(|(path, ..)| text(path)),
        "version": open.map(|(_, version, _)| version.to_string()),
        "architectures": open.map(|(.., known)| known.iter().map(arch).collect::<Vec<_>>()),
        "error": report.open.as_ref().err().map(ToString::to_string),
        "found": found.collect::<Vec<_>>(),
        "looked": report.looked.iter().map(|path| text(path)).collect::<Vec<_>>(),
    })
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
