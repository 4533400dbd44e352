//! Search for a C++ compiler. The build script of `limbforge-needs` includes this file, too.

use std::env;
use std::process::Command;

/// A command that runs: its words, and what it says of its version.
pub(crate) struct Probed {
    pub(crate) command: Vec<String>,
    pub(crate) version: String,
}

/// The commands that [`first`] tries: the one in the environment variable `CXX`, else `g++` and `c++`.
pub(crate) fn candidates() -> Vec<String> {
    let named = env::var("CXX").ok().filter(|command| !command.trim().is_empty());
    named.map_or_else(|| vec!["g++".into(), "c++".into()], |command| vec![command])
}

/// The first of these commands that runs.
pub(crate) fn first(candidates: &[String]) -> Option<Probed> {
    candidates.iter().find_map(|candidate| probe(candidate))
}

fn probe(candidate: &str) -> Option<Probed> {
    let command: Vec<String> = candidate.split_whitespace().map(str::to_owned).collect();
    let output = Command::new(command.first()?).args(&command[1..]).arg("--version").output().ok()?;
    let version = format!("{candidate}: {}", String::from_utf8_lossy(&output.stdout));
    output.status.success().then_some(Probed { command, version })
}
