//! Showing and forgetting the kept measurements.

use std::path::Path;

use limbforge_gpu::{DeviceKey, TunedTime, Tuning};
use limbforge_kernels_gen::Measurement;
use serde_json::{Value, json};

use crate::error::CliError;
use crate::table::aligned;

/// All measurements in the file.
pub(super) fn show(path: &Path, json: bool) -> Result<String, CliError> {
    let tuning = Tuning::read(path)?;
    if json {
        let device = |(DeviceKey { gpu, driver, limbforge }, times): (&DeviceKey, &[TunedTime])| json!({"gpu": gpu, "driver": driver, "limbforge": limbforge, "measurements": times});
        let devices: Vec<Value> = tuning.devices().map(device).collect();
        return Ok(format!("{:#}\n", json!({"file": path, "devices": devices})));
    }
    let mut text = format!("{}\n", path.display());
    if tuning.devices().next().is_none() {
        text += "nothing was measured yet: run `limbforge tune`\n";
    }
    for (key, times) in tuning.devices() {
        let head = ["expression", "limb", "bits", "product", "mapping", "ms", "instances", "runs", "date"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(times.iter().map(|TunedTime { measurement, instances, repeats, date }| {
            let Measurement { expression, bits, limb, product, mapping, ms } = measurement;
            let mapping = mapping.map_or_else(|| "planned".to_owned(), |mapping| mapping.to_string());
            let (limb, bits, product) = (limb.to_string(), bits.to_string(), product.to_string());
            let (ms, instances, repeats) = (format!("{ms:.4}"), instances.to_string(), repeats.to_string());
            vec![expression.clone(), limb, bits, product, mapping, ms, instances, repeats, date.clone()]
        }));
        text += &format!("\n{key}\n{}\n", aligned(&lines, &[0, 1, 3, 4]).join("\n"));
    }
    Ok(text)
}

/// Removes the file.
pub(super) fn forget(path: &Path, json: bool) -> Result<String, CliError> {
    let forgotten = Tuning::forget(path)?;
    if json {
        return Ok(format!("{:#}\n", json!({"file": path, "forgotten": forgotten})));
    }
    let path = path.display();
    Ok(if forgotten { format!("removed {path}\n") } else { format!("there is no {path}\n") })
}
