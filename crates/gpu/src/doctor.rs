//! A report of the GPU prerequisites that were found, and remedies for the others.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::arch::{Arch, Target};
use crate::cache::Cache;
use crate::device::{DeviceInfo, devices};
use crate::driver::driver_version;
use crate::error::GpuError;
use crate::nvrtc::{Nvrtc, NvrtcError};
use crate::pathfinder::{self, Environment, Found};
use crate::tuning::Tuning;
use crate::version::Version;

/// The prerequisites of a machine with a GPU, as they were found.
#[derive(Clone, Debug)]
pub struct DoctorReport {
    /// The newest CUDA that the driver supports.
    pub driver: Result<Version, GpuError>,
    /// The GPUs.
    pub devices: Result<Vec<DeviceInfo>, GpuError>,
    /// nvrtc.
    pub nvrtc: NvrtcReport,
    /// The compile cache.
    pub cache: CacheReport,
    /// The measurements of `limbforge tune`.
    pub tuning: TuningReport,
}

/// The file of measurements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TuningReport {
    /// None for a user without a home.
    pub file: Option<PathBuf>,
    /// Measurements in it, of all GPUs, drivers and versions.
    pub measurements: usize,
    /// The reason why they cannot be used, if there is one, and the remedy.
    pub problem: Option<String>,
}

/// The nvrtc in use, and where it was looked for.
#[derive(Clone, Debug)]
pub struct NvrtcReport {
    /// The file in use, its version, and the numbers of the architectures it compiles for.
    pub open: Result<(PathBuf, Version, Vec<u32>), NvrtcError>,
    /// All that were found, the best first.
    pub found: Vec<Found>,
    /// The places that were searched.
    pub looked: Vec<PathBuf>,
}

/// The compile cache's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheReport {
    /// None for a user without a home.
    pub folder: Option<PathBuf>,
    /// The reason why it cannot be used, if there is one, and the remedy.
    pub problem: Option<String>,
}

impl DoctorReport {
    /// Looks at everything. Creates the cache's folder if it is missing; changes nothing else.
    #[must_use]
    pub fn collect() -> Self {
        Self::of(&Environment::current(), Cache::usual_folder())
    }

    /// The same with another environment to look for nvrtc in and another cache folder.
    #[must_use]
    pub fn of(environment: &Environment, cache: Option<PathBuf>) -> Self {
        let driver = driver_version();
        let version = driver.as_ref().ok().copied();
        let search = pathfinder::search(environment);
        let found = search.best_first(version).into_iter().cloned().collect();
        let looked = search.looked.clone();
        let open = Nvrtc::first_of(search, version)
            .map(|nvrtc| (nvrtc.path().to_owned(), nvrtc.version(), nvrtc.architectures().to_vec()));
        let problem = match &cache {
            Some(folder) => Cache::probe(folder).err().map(|error| error.to_string()),
            None => Some(
                "kernels are compiled again in every process, since there is no home folder to keep them in: set \
                 LIMBFORGE_CACHE to a folder"
                    .to_owned(),
            ),
        };
        let tuning = TuningReport::of(cache.as_deref());
        let cache = CacheReport { folder: cache, problem };
        Self { driver, devices: devices(), nvrtc: NvrtcReport { open, found, looked }, cache, tuning }
    }

    /// True if kernels can be compiled and run.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.devices.is_ok() && self.nvrtc.open.is_ok()
    }

    /// The remedies, the most important first; empty if all is well.
    #[must_use]
    pub fn advice(&self) -> Vec<String> {
        let mut advice = vec![];
        advice.extend(self.devices.as_ref().err().map(ToString::to_string));
        advice.extend(self.nvrtc.open.as_ref().err().map(ToString::to_string));
        if let (Ok(devices), Ok((_, version, known))) = (&self.devices, &self.nvrtc.open) {
            let old =
                |device: &&DeviceInfo| !matches!(Target::choose(device.arch, known), Some(Target::Cubin(_)));
            advice.extend(devices.iter().filter(old).map(|device| {
                let DeviceInfo { ordinal, arch, .. } = device;
                format!("nvrtc {version} does not know {arch}, the architecture of GPU {ordinal}: install a newer nvrtc")
            }));
        }
        advice.extend(self.cache.problem.clone());
        advice.extend(self.tuning.problem.clone());
        advice
    }
}

impl TuningReport {
    fn of(cache: Option<&Path>) -> Self {
        let Some(file) = cache.map(Tuning::path_in) else {
            return Self { file: None, measurements: 0, problem: None };
        };
        let (measurements, problem) = match Tuning::read(&file) {
            Ok(tuning) => (tuning.devices().map(|(_, times)| times.len()).sum(), None),
            Err(error) => (0, Some(error.to_string())),
        };
        Self { file: Some(file), measurements, problem }
    }
}

impl fmt::Display for DoctorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.driver {
            Ok(version) => writeln!(f, "driver: for CUDA {version}")?,
            Err(_) => writeln!(f, "driver: none")?,
        }
        match &self.devices {
            Ok(devices) => devices.iter().try_for_each(|device| writeln!(f, "{device}"))?,
            Err(_) => writeln!(f, "GPUs: none")?,
        }
        match &self.nvrtc.open {
            Ok((path, version, known)) => {
                let names: Vec<_> =
                    known.iter().map(|&number| Arch::from_number(number).to_string()).collect();
                writeln!(f, "nvrtc: {version} in {}, for {}", path.display(), names.join(" "))?;
            }
            Err(_) => {
                writeln!(f, "nvrtc: none; looked in")?;
                self.nvrtc.looked.iter().try_for_each(|path| writeln!(f, "  {}", path.display()))?;
            }
        }
        match &self.cache {
            CacheReport { folder: Some(folder), problem: None } => {
                writeln!(f, "compile cache: {}", folder.display())?;
            }
            CacheReport { folder: Some(folder), .. } => {
                writeln!(f, "compile cache: {}, which cannot be used", folder.display())?;
            }
            CacheReport { folder: None, .. } => writeln!(f, "compile cache: in memory only")?,
        }
        match &self.tuning {
            TuningReport { problem: Some(_), .. } => writeln!(f, "measurements: cannot be used")?,
            TuningReport { measurements: 0, .. } => {
                writeln!(f, "measurements: none; `limbforge tune` finds the fastest algorithms on a GPU")?;
            }
            TuningReport { measurements, .. } => writeln!(f, "measurements: {measurements}")?,
        }
        match self.advice().as_slice() {
            [] => writeln!(f, "all is well"),
            advice => advice.iter().try_for_each(|line| writeln!(f, "to do: {line}")),
        }
    }
}
