//! What tests of several commands have in common.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::process::Command;
use std::sync::OnceLock;

/// How the line begins that says why `--backend auto` computes on the CPU.
pub(crate) const NOTE: &str = "note: --backend auto computes on the CPU: ";

/// What a run with `--backend auto` that succeeds leaves on standard error: nothing with a GPU, else why there is none, which is
/// what `--backend gpu` fails with.
pub(crate) fn note() -> &'static str {
    static SAID: OnceLock<String> = OnceLock::new();
    SAID.get_or_init(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
        let output = command.args(["eval", "1", "--bits", "8", "--backend", "gpu"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        error.strip_prefix("error: ").map_or_else(String::new, |why| format!("{NOTE}{why}"))
    })
}
