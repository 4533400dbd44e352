//! Finding the C++ compiler and calling it.

use std::path::Path;
use std::process::Command;

use crate::cache::Cache;
use crate::error::EmulateError;
use crate::probe::{self, Probed};

/// A C++17 compiler and the folder where its results are kept.
#[derive(Clone, Debug)]
pub struct Compiler {
    command: Vec<String>,
    version: String,
    cache: Cache,
}

impl Compiler {
    /// The compiler that the environment variable `CXX` names (a command, possibly with options); without it
    /// `g++`, else `c++`.
    ///
    /// Results are kept in the folder `LIMBFORGE_EMULATE_CACHE`, else within cargo's target folder if the
    /// running program lies there, else in a temporary folder of this compiler.
    ///
    /// # Errors
    /// [`EmulateError::NoCompiler`] if none of them runs; [`EmulateError::Io`] if the folder cannot be
    /// created.
    pub fn find() -> Result<Self, EmulateError> {
        let candidates = probe::candidates();
        let Some(Probed { command, version }) = probe::first(&candidates) else {
            return Err(EmulateError::NoCompiler { tried: candidates.join(", ") });
        };
        Ok(Self { command, version, cache: Cache::find()? })
    }

    /// Keeps results in `folder` instead.
    #[must_use]
    pub fn with_cache(mut self, folder: &Path) -> Self {
        self.cache = Cache::at(folder);
        self
    }

    /// The command with what it says of its version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(crate) const fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The command as it is typed.
    pub(crate) fn command(&self) -> String {
        self.command.join(" ")
    }

    /// Whether this is clang, under any name.
    pub(crate) fn is_clang(&self) -> bool {
        self.version.contains("clang")
    }

    /// Runs the compiler in `folder`; what it said if it failed.
    ///
    /// # Errors
    /// [`EmulateError::Io`] if it cannot be started.
    pub(crate) fn run(&self, folder: &Path, arguments: &[&str]) -> Result<Result<(), String>, EmulateError> {
        let output = Command::new(&self.command[0])
            .args(&self.command[1..])
            .args(arguments)
            .current_dir(folder)
            .env("LC_ALL", "C")
            .output()
            .map_err(|source| EmulateError::Io {
                action: "start the compiler",
                path: self.command().into(),
                source,
            })?;
        Ok(if output.status.success() {
            Ok(())
        } else {
            Err(format!(
                "{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ))
        })
    }
}
