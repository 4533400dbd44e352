//! Finding the C++ compiler and calling it.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::cache::Cache;
use crate::error::EmulateError;

/// A C++17 compiler and the folder where its results are kept.
#[derive(Clone, Debug)]
pub struct Compiler {
    command: Vec<String>,
    version: String,
    cache: Cache,
}

impl Compiler {
    /// The compiler that the environment variable `CXX` names (a command, possibly with options); without it `g++`,
    /// else `c++`.
    ///
    /// Results are kept in the folder `LIMBFORGE_EMULATE_CACHE`, else within cargo's target folder if the running
    /// program lies there, else in a temporary folder of this compiler.
    ///
    /// # Errors
    /// [`EmulateError::NoCompiler`] if none of them runs; [`EmulateError::Io`] if the folder cannot be created.
    pub fn find() -> Result<Self, EmulateError> {
        let named = env::var("CXX").ok().filter(|command| !command.trim().is_empty());
        let candidates = named.map_or_else(|| vec!["g++".into(), "c++".into()], |command| vec![command]);
        for candidate in &candidates {
            if let Some((command, version)) = Self::probe(candidate) {
                return Ok(Self { command, version, cache: Cache::find()? });
            }
        }
        Err(EmulateError::NoCompiler { tried: candidates.join(", ") })
    }

    /// As [`find`](Self::find) for tests: without a compiler prints that the test is skipped and returns `None`, unless
    /// the environment variable `LIMBFORGE_REQUIRE_CXX` is set.
    ///
    /// # Errors
    /// As [`find`](Self::find), but [`EmulateError::NoCompiler`] only if `LIMBFORGE_REQUIRE_CXX` is set.
    pub fn find_or_skip() -> Result<Option<Self>, EmulateError> {
        match Self::find() {
            Err(error @ EmulateError::NoCompiler { .. })
                if env::var_os("LIMBFORGE_REQUIRE_CXX").is_none() =>
            {
                eprintln!("skipped: {error}");
                Ok(None)
            }
            other => other.map(Some),
        }
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

    /// (command, version) if the command runs.
    fn probe(candidate: &str) -> Option<(Vec<String>, String)> {
        let command: Vec<String> = candidate.split_whitespace().map(str::to_owned).collect();
        let output = Command::new(command.first()?).args(&command[1..]).arg("--version").output().ok()?;
        let version = format!("{candidate}: {}", String::from_utf8_lossy(&output.stdout));
        output.status.success().then_some((command, version))
    }
}
