//! Measurements on the user's GPUs, kept in a file beside the compiled kernels, so that plans fit the device.
//!
//! The file is JSON with a line for each measurement. Measurements count for the GPU of the same name with
//! the same driver and the same version of limbforge; others stay in the file. It is changed under a lock, so
//! that processes that measure at the same time lose nothing, and replaced as a whole, so that readers need
//! none.

mod error;
mod file;
mod form;
mod planner;

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use limbforge_kernels_gen::Measurement;
use serde::{Deserialize, Serialize};

pub use self::error::TuningError;
use self::error::failed;
use self::file::Lock;
use self::form::{File, Form};
use crate::cache::Cache;
use crate::device::DeviceInfo;

const FILE: &str = "tuning.json";

/// The device, driver and version that measurements belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceKey {
    /// The GPU's name, as the driver calls it.
    pub gpu: String,
    /// The newest CUDA that the driver supports.
    pub driver: String,
    /// The version of limbforge, whose kernels were measured.
    pub limbforge: String,
}

/// A measurement and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedTime {
    /// The measured case, with its time for 2^32 bits of each operand.
    #[serde(flatten)]
    pub measurement: Measurement,
    /// N: instances of the batch that was measured.
    pub instances: u64,
    /// Runs that the time is the median of.
    pub repeats: u32,
    /// The day, as 2026-01-31.
    pub date: String,
}

/// All measurements of a user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    devices: Vec<Tuned>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Tuned {
    #[serde(flatten)]
    key: DeviceKey,
    measurements: Vec<TunedTime>,
}

impl DeviceKey {
    /// The key of a GPU with this version of limbforge.
    #[must_use]
    pub fn of(info: &DeviceInfo) -> Self {
        let limbforge = env!("CARGO_PKG_VERSION").to_owned();
        Self { gpu: info.name.clone(), driver: info.driver.to_string(), limbforge }
    }
}

impl fmt::Display for DeviceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, driver for CUDA {}, limbforge {}", self.gpu, self.driver, self.limbforge)
    }
}

impl Tuning {
    /// The user's file: `tuning.json` in the folder of the compile cache ([`Cache::usual_folder`]).
    ///
    /// # Errors
    /// [`TuningError::NoFolder`] for a user without a home.
    pub fn usual_path() -> Result<PathBuf, TuningError> {
        Ok(Self::path_in(&Cache::usual_folder().ok_or(TuningError::NoFolder)?))
    }

    /// The file in another folder.
    #[must_use]
    pub fn path_in(folder: &Path) -> PathBuf {
        folder.join(FILE)
    }

    /// Reads a file; a missing file has no measurements.
    ///
    /// # Errors
    /// [`TuningError`] if it cannot be read or is not what [`record`](Self::record) writes.
    pub fn read(path: &Path) -> Result<Self, TuningError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(TuningError::Damaged { path: path.to_owned(), why: error.to_string() });
            }
            Err(source) => return Err(failed(path, "read", source)),
        };
        let damaged = |why: String| TuningError::Damaged { path: path.to_owned(), why };
        // A newer form may differ in everything else.
        let Form { format } = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if format != form::FORMAT {
            return Err(TuningError::Format { path: path.to_owned(), found: format });
        }
        let file: File = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        for time in file.devices.iter().flat_map(|device| &device.measurements) {
            time.measurement.check().map_err(|error| damaged(error.to_string()))?;
        }
        Ok(Self { devices: file.devices })
    }

    /// Adds a measurement to a file, in place of one of the same case. Readers see the file before or after
    /// it, never between; other threads and processes that add to it wait for each other.
    ///
    /// # Errors
    /// [`TuningError`] if the file is damaged, which leaves it as it is, or cannot be locked or written.
    pub fn record(path: &Path, key: &DeviceKey, time: TunedTime) -> Result<(), TuningError> {
        let lock = Lock::wait(path)?;
        let mut tuning = Self::read(path)?;
        tuning.insert(key, time);
        let text = tuning.text().map_err(io::Error::from);
        text.and_then(|text| lock.write(path, &text)).map_err(|source| failed(path, "write", source))
    }

    /// Removes a file, damaged or not. Whether there was one.
    ///
    /// # Errors
    /// [`TuningError::File`].
    pub fn forget(path: &Path) -> Result<bool, TuningError> {
        if fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(false);
        }
        match Lock::wait(path)?.remove(path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(source) => Err(failed(path, "remove", source)),
        }
    }

    /// The measurements of a device, by expression, width, limb, product and mapping, the planned one first.
    #[must_use]
    pub fn of(&self, key: &DeviceKey) -> &[TunedTime] {
        self.devices.iter().find(|device| device.key == *key).map_or(&[], |device| &device.measurements)
    }

    /// All devices with their measurements, in the order in which they were first measured.
    pub fn devices(&self) -> impl Iterator<Item = (&DeviceKey, &[TunedTime])> {
        self.devices.iter().map(|device| (&device.key, &*device.measurements))
    }

    fn insert(&mut self, key: &DeviceKey, time: TunedTime) {
        let at = self.devices.iter().position(|device| device.key == *key).unwrap_or_else(|| {
            self.devices.push(Tuned { key: key.clone(), measurements: vec![] });
            self.devices.len() - 1
        });
        let times = &mut self.devices[at].measurements;
        times.retain(|other| !other.measurement.is_of_same_case(&time.measurement));
        times.push(time);
        times.sort_by_cached_key(|time| {
            let Measurement { expression, bits, limb, product, mapping, .. } = &time.measurement;
            (expression.clone(), *bits, limb.words(), product.to_string(), *mapping)
        });
    }
}
