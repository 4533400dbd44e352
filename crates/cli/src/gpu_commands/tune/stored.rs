//! Showing and forgetting the kept measurements.

use std::path::Path;

use limbforge_gpu::{TunedTime, Tuning};
use limbforge_kernels_gen::Measurement;
use serde_json::{Value, json};

use crate::error::CliError;
use crate::table::aligned;

/// All measurements in the file.
pub(super) fn show(path: &Path, json: bool) -> Result<String, CliError> {
    let tuning = Tuning::read(path)?;
    if json {
        let devices: Vec<Value> = tuning
            .devices()
            .map(|(key, times)| {
                json!({"gpu": key.gpu, "driver": key.driver, "limbforge": key.limbforge, "measurements": times})
            })
            .collect();
        return Ok(format!("{:#}\n", json!({"file": path, "devices": devices})));
    }
    let mut text = format!("{}\n", path.display());
    if tuning.devices().next().is_none() {
        text += "nothing was measured yet: run `limbforge tune`\n";
    }
    for (key, times) in tuning.devices() {
        text += &format!("\n{key}\n");
        let head = ["expression", "limb", "bits", "product", "mapping", "ms", "instances", "runs", "date"];
        let lines = times.iter().map(|TunedTime { measurement, instances, repeats, date }| {
            let Measurement { expression, bits, limb, product, mapping, ms } = measurement;
            let mapping = mapping.map_or_else(|| "planned".to_owned(), |mapping| mapping.to_string());
            let numbers = [format!("{ms:.4}"), instances.to_string(), repeats.to_string(), date.clone()];
            let words =
                [expression.clone(), limb.to_string(), bits.to_string(), product.to_string(), mapping];
            words.into_iter().chain(numbers).collect()
        });
        let lines: Vec<Vec<String>> = [head.map(str::to_owned).to_vec()].into_iter().chain(lines).collect();
        for line in aligned(&lines, &[0, 1, 3, 4]) {
            text += &line;
            text.push('\n');
        }
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
