//! nvrtc: CUDA source to machine code, with or without a GPU in the machine.
//!
//! The library is opened by its full path and called through that handle, so that the nvrtc in use is the one
//! that was found (cudarc would ask the loader for a name, and take whatever it finds first).

mod api;
mod error;
mod program;

use std::path::{Path, PathBuf};

pub use error::{CompileError, NvrtcError};

use self::api::Api;
use crate::arch::Target;
use crate::pathfinder::{self, Environment, SUPPORTED_MAJORS, Search};
use crate::version::Version;

/// Options that every kernel of limbforge is compiled with.
pub(crate) const DEFAULT_OPTIONS: [&str; 3] = ["--std=c++17", "--device-int128", "-default-device"];

/// The compiled form of a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Image {
    /// Machine code of one architecture.
    Cubin(Vec<u8>),
    /// Text that the driver compiles when it is loaded.
    Ptx(String),
}

/// An image, and nvrtc's log of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The image that a device loads.
    pub image: Image,
    /// Warnings; empty if there are none.
    pub log: String,
}

/// An open nvrtc.
#[derive(Debug)]
pub struct Nvrtc {
    api: Api,
    path: PathBuf,
    version: Version,
    architectures: Vec<u32>,
}

impl Nvrtc {
    /// Opens the best nvrtc of this machine. `driver` is the version of the driver that will run the kernels,
    /// if it is known.
    ///
    /// # Errors
    /// [`NvrtcError::Missing`] if there is none in any of the places that [`pathfinder::search`] knows nor on
    /// the loader's path; [`NvrtcError::Explicit`] if `LIMBFORGE_NVRTC` names none; else, if none of those
    /// found can be used, why the best one cannot.
    pub fn find(driver: Option<Version>) -> Result<Self, NvrtcError> {
        Self::first_of(pathfinder::search(&Environment::current()), driver)
    }

    /// Opens the best nvrtc that a search has found, or the loader's.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn first_of(search: Search, driver: Option<Version>) -> Result<Self, NvrtcError> {
        let mut first_error = None;
        for found in search.best_first(driver) {
            match Self::open(&found.library, &found.builtins) {
                Ok(nvrtc) => return Ok(nvrtc),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        if let Some(path) = search.explicit {
            return Err(first_error.unwrap_or(NvrtcError::Explicit { path }));
        }
        for name in pathfinder::LOADER_NAMES {
            match Self::open(Path::new(name), &[]) {
                Ok(nvrtc) => return Ok(nvrtc),
                // A name that the loader does not know is no error: most machines know none of them.
                Err(NvrtcError::Open { .. }) => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        let mut looked = search.looked;
        looked.extend(pathfinder::LOADER_NAMES.iter().map(PathBuf::from));
        Err(first_error.unwrap_or(NvrtcError::Missing { looked }))
    }

    /// Opens the libnvrtc at `library`, after the builtins it needs. They stay open until the process ends.
    ///
    /// # Errors
    /// [`NvrtcError::Open`] if the loader refuses one of the files, [`NvrtcError::Symbol`] if it is not an
    /// nvrtc, and [`NvrtcError::Version`] if it is one that limbforge does not work with.
    pub fn open(library: &Path, builtins: &[PathBuf]) -> Result<Self, NvrtcError> {
        let api = Api::open(library, builtins)?;
        let version = api.version()?;
        if !SUPPORTED_MAJORS.contains(&version.major) {
            return Err(NvrtcError::Version { path: library.to_owned(), found: version });
        }
        let architectures = api.architectures()?;
        Ok(Self { api, path: library.to_owned(), version, architectures })
    }

    /// The file that was opened, or the name that the loader was asked for.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// The numbers of the architectures it compiles for, ascending: 90 for `sm_90` (and `sm_90a`).
    #[must_use]
    pub fn architectures(&self) -> &[u32] {
        &self.architectures
    }

    /// Compiles a source. `options` are added to limbforge's own (C++17, 128-bit integers, functions are
    /// device functions) and to the one that [`Target`] stands for.
    ///
    /// # Errors
    /// [`NvrtcError::Architecture`] if this nvrtc does not know the target's; [`NvrtcError::Compile`] with
    /// log and source if the source or an option is wrong; [`NvrtcError::Nul`] if one contains a NUL
    /// character.
    pub fn compile(&self, source: &str, target: Target, options: &[String]) -> Result<Compiled, NvrtcError> {
        let asked = target.arch();
        if !self.architectures.contains(&asked.number()) {
            let known = self.architectures.clone();
            return Err(NvrtcError::Architecture { asked, known, version: self.version });
        }
        program::compile(&self.api, source, target, &all_options(target, options))
    }
}

/// All options of a compilation, in one order: part of a cache's key.
pub(crate) fn all_options(target: Target, options: &[String]) -> Vec<String> {
    let own = DEFAULT_OPTIONS.iter().map(|&option| option.to_owned());
    own.chain([target.option()]).chain(options.iter().cloned()).collect()
}
