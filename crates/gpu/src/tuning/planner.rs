//! Planners with the measurements of a GPU.

use std::path::PathBuf;

use limbforge_kernels_gen::Planner;

use super::{DeviceKey, Tuning, TuningError};
use crate::device::DeviceInfo;

impl DeviceInfo {
    /// The planner for this GPU: the shipped times of its architecture, and the user's measurements on it. A
    /// file of measurements that cannot be used is ignored and reported.
    #[must_use]
    pub fn planner(&self) -> (Planner, Option<TuningError>) {
        self.planner_of(&Tuning::usual_path())
    }

    /// The same with measurements of another file.
    #[must_use]
    pub fn planner_of(&self, path: &Result<PathBuf, TuningError>) -> (Planner, Option<TuningError>) {
        let shipped = Planner::new(self.arch.number());
        // Without a folder nothing was ever measured.
        let Ok(path) = path else { return (shipped, None) };
        let tuned = Tuning::read(path).and_then(|tuning| {
            let times = tuning.of(&DeviceKey::of(self)).iter().map(|time| &time.measurement);
            shipped
                .clone()
                .with_measurements(times)
                .map_err(|error| TuningError::Damaged { path: path.clone(), why: error.to_string() })
        });
        match tuned {
            Ok(planner) => (planner, None),
            Err(error) => (shipped, Some(error)),
        }
    }
}
