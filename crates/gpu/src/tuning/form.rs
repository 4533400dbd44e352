//! The text of the file of measurements.

use serde::Deserialize;

use super::{DeviceKey, Tuned, Tuning};

/// The version of the file's form.
pub(super) const FORMAT: u32 = 1;

#[derive(Debug, Deserialize)]
pub(super) struct File {
    pub(super) devices: Vec<Tuned>,
}

/// The part of the file that says how to read the rest.
#[derive(Debug, Deserialize)]
pub(super) struct Form {
    pub(super) format: u32,
}

impl Tuning {
    /// The file's text: a line for each measurement.
    pub(super) fn text(&self) -> Result<String, serde_json::Error> {
        let mut devices = vec![];
        for Tuned { key: DeviceKey { gpu, driver, limbforge }, measurements } in &self.devices {
            let lines = measurements.iter().map(|time| Ok(format!("   {}", serde_json::to_string(time)?)));
            let lines = lines.collect::<Result<Vec<String>, serde_json::Error>>()?.join(",\n");
            let [gpu, driver, limbforge] = [gpu, driver, limbforge].map(serde_json::to_string);
            let (gpu, driver, limbforge) = (gpu?, driver?, limbforge?);
            devices.push(format!(
                "  {{\"gpu\": {gpu}, \"driver\": {driver}, \"limbforge\": {limbforge}, \"measurements\": [\n{lines}\n  ]}}"
            ));
        }
        Ok(format!("{{\n \"format\": {FORMAT},\n \"devices\": [\n{}\n ]\n}}\n", devices.join(",\n")))
    }
}
