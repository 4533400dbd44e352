//! The search for nvrtc.
//!
//! nvrtc is two libraries: libnvrtc, and libnvrtc-builtins, which libnvrtc opens by its bare name. Neither is
//! on the loader's path in most installations (a toolkit under `/usr/local`, a wheel in a Python
//! environment), so limbforge looks itself and opens both by their full paths, the builtins first: then
//! libnvrtc finds them already open.
//!
//! [`search`] is a function of an [`Environment`] alone and opens nothing: `limbforge doctor` shows its
//! answer.

mod environment;
mod folders;

use std::fs;
use std::path::{Path, PathBuf};

pub use environment::Environment;

use crate::version::Version;

/// Versions of nvrtc that limbforge works with: their major numbers.
pub const SUPPORTED_MAJORS: std::ops::RangeInclusive<u32> = 12..=13;

/// The variable that names libnvrtc, or a folder that holds it. When it is set, nothing else is looked at.
pub const VARIABLE: &str = "LIMBFORGE_NVRTC";

/// Names that the system's loader is asked for when no folder has an nvrtc that works.
pub const LOADER_NAMES: &[&str] = if cfg!(windows) {
    &["nvrtc64_130_0.dll", "nvrtc64_120_0.dll"]
} else {
    &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]
};

/// An nvrtc in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// libnvrtc.
    pub library: PathBuf,
    /// libnvrtc-builtins of the same major version, in the same folder.
    pub builtins: Vec<PathBuf>,
    /// Its version as far as the files' names tell. A minor version that they do not tell is 0.
    pub version: Option<Version>,
}

/// The findings of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The value of [`VARIABLE`], if it is set.
    pub explicit: Option<PathBuf>,
    /// Every folder and file that was looked at, in that order, whether it exists or not.
    pub looked: Vec<PathBuf>,
    /// The libraries found, in that order. A file with two names is listed once.
    pub found: Vec<Found>,
}

impl Search {
    /// The libraries found, the best first: supported versions, among them those not newer than the driver
    /// (which may refuse their machine code), among them the newest, among equals the one found first.
    #[must_use]
    pub fn best_first(&self, driver: Option<Version>) -> Vec<&Found> {
        let mut found: Vec<_> = self.found.iter().collect();
        found.sort_by_key(|found| {
            let supported = found.version.is_some_and(|v| SUPPORTED_MAJORS.contains(&v.major));
            let too_new = found.version.zip(driver).is_some_and(|(v, driver)| v.major > driver.major);
            (!supported, too_new, std::cmp::Reverse(found.version))
        });
        found
    }
}

/// Looks for nvrtc in all places where it is usually installed.
#[must_use]
pub fn search(environment: &Environment) -> Search {
    let explicit = environment.variable(VARIABLE).map(Path::to_owned);
    let mut search = Search { explicit, ..Search::default() };
    let Some(path) = search.explicit.clone() else {
        for folder in folders::usual(environment) {
            search.look_in(&folder);
        }
        return search;
    };
    if path.is_file() {
        search.looked.push(path.clone());
        search.found.extend(named(path));
    } else {
        for folder in folders::of_toolkit(&path) {
            search.look_in(&folder);
        }
    }
    search
}

impl Search {
    fn look_in(&mut self, folder: &Path) {
        if self.looked.iter().any(|looked| looked == folder) {
            return;
        }
        self.looked.push(folder.to_owned());
        for found in in_folder(folder, folders::library_numbers) {
            let real = fs::canonicalize(&found).ok();
            if !self.found.iter().any(|known| fs::canonicalize(&known.library).ok() == real) {
                self.found.extend(named(found));
            }
        }
    }
}

/// libnvrtc at this path, whatever its name, and the builtins beside it. None for a path that names no file.
fn named(library: PathBuf) -> Option<Found> {
    // The real file has the full version in its name: libnvrtc.so.13 is a link to libnvrtc.so.13.0.88.
    let real = fs::canonicalize(&library).unwrap_or_else(|_| library.clone());
    let numbers = numbers_of(&real, folders::library_numbers)
        .or_else(|| numbers_of(&library, folders::library_numbers));
    let major = numbers.as_ref().and_then(|numbers| numbers.first().copied());
    let of_major = |path: &PathBuf| {
        let own = numbers_of(path, folders::builtins_numbers).and_then(|numbers| numbers.first().copied());
        major.is_none() || own.is_none() || own == major
    };
    let folder = real.parent()?;
    let mut builtins: Vec<_> =
        in_folder(folder, folders::builtins_numbers).into_iter().filter(of_major).collect();
    if builtins.is_empty() {
        builtins =
            in_folder(library.parent()?, folders::builtins_numbers).into_iter().filter(of_major).collect();
    }
    let fullest = builtins.iter().filter_map(|path| numbers_of(path, folders::builtins_numbers)).max();
    let numbers = numbers.filter(|n| n.len() >= 2).or(fullest).or(major.map(|major| vec![major]));
    let version =
        numbers.and_then(|n| Some(Version { major: *n.first()?, minor: n.get(1).copied().unwrap_or(0) }));
    Some(Found { library, builtins, version })
}

fn numbers_of(path: &Path, parse: fn(&str) -> Option<Vec<u32>>) -> Option<Vec<u32>> {
    parse(path.file_name()?.to_str()?).filter(|numbers| !numbers.is_empty())
}

/// The files of a folder whose names `parse` accepts, sorted; of several names for one file the longest.
fn in_folder(folder: &Path, parse: fn(&str) -> Option<Vec<u32>>) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let wanted =
        |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(|n| parse(n).is_some());
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(wanted).collect();
    paths.sort_by_key(|path| (std::cmp::Reverse(path.as_os_str().len()), path.clone()));
    let mut seen = vec![];
    paths.retain(|path| {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let new = real.is_file() && !seen.contains(&real);
        seen.push(real);
        new
    });
    paths.sort();
    paths
}
