//! Helpers of the tests of several commands.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::process::Command;
use std::sync::OnceLock;

/// What a run with `--backend auto` that succeeds leaves on standard error: nothing with a GPU and on a machine that has none, else why
/// the one that there is does not compute, which is what `--backend gpu` fails with.
pub(crate) fn note() -> &'static str {
    static SAID: OnceLock<String> = OnceLock::new();
    SAID.get_or_init(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
        let output = command.args(["eval", "1", "--bits", "8", "--backend", "gpu"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        let is_without_gpu =
            ["is not installed", "finds no GPU"].iter().any(|why| error.contains(&format!("driver {why}")));
        let why = error.strip_prefix("error: ").filter(|_| !is_without_gpu);
        why.map_or_else(String::new, |why| format!("note: --backend auto computes on the CPU: {why}"))
    })
}
