//! `limbforge run` as a user meets it: inputs, results, checkpoints, signals, and errors with their words.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "common/default_signals.rs"]
mod default_signals;
mod run {
    mod checkpoints;
    mod files;
    mod save_files;
}

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The samples of programs.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/programs");

/// A folder with files and the samples, in which the program runs on the CPU.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        for sample in fs::read_dir(PROGRAMS).unwrap().map(|entry| entry.unwrap().path()) {
            fs::copy(&sample, folder.path(sample.file_name().unwrap().to_str().unwrap())).unwrap();
        }
        files.iter().for_each(|(name, text)| fs::write(folder.path(name), text).unwrap());
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program with arguments that blanks separate.
    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
        command.args(["run", "--backend", "cpu"]).args(arguments.split_whitespace());
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Standard output of a run that succeeds in silence.
    fn ok(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let found = (output.status.code(), text(&output.stderr));
        assert_eq!(found, (Some(0), String::new()), "{arguments}");
        text(&output.stdout)
    }

    /// Standard error of a run that fails with this status and prints nothing else.
    fn fails(&self, arguments: &str, status: i32) -> String {
        let output = self.run(arguments);
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(status), String::new()),
            "{arguments}"
        );
        text(&output.stderr)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
