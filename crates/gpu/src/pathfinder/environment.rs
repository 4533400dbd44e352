//! The surroundings that a search depends on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The part of a process's surroundings that [`search`](super::search) looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<String, PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The running program.
    pub executable: Option<PathBuf>,
    /// The folder that holds `usr` and `opt`.
    pub root: PathBuf,
}

impl Environment {
    /// The variables that a search reads.
    pub const VARIABLES: [&str; 5] =
        [super::VARIABLE, "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX", "VIRTUAL_ENV"];

    /// The environment of this process.
    #[must_use]
    pub fn current() -> Self {
        let variable = |name: &str| Some((name.to_owned(), std::env::var_os(name)?.into()));
        Self {
            variables: Self::VARIABLES.iter().filter_map(|name| variable(name)).collect(),
            home: std::env::home_dir(),
            executable: std::env::current_exe().ok(),
            root: PathBuf::from("/"),
        }
    }

    /// Without variables, home or program, and with `root` in place of the file system's root.
    #[must_use]
    pub fn rooted(root: impl Into<PathBuf>) -> Self {
        Self { variables: BTreeMap::new(), home: None, executable: None, root: root.into() }
    }

    /// With a variable set; a search reads [`VARIABLES`](Self::VARIABLES).
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: impl Into<PathBuf>) -> Self {
        self.variables.insert(name.to_owned(), value.into());
        self
    }

    /// A variable's value, unless it is unset or empty.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Path> {
        self.variables.get(name).map(PathBuf::as_path).filter(|value| !value.as_os_str().is_empty())
    }
}
