//! Files of `limbforge eval` and `poly`: what becomes of them when a run ends in any way, compressed ones,
//! and what is skipped or refused in them.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[cfg(target_os = "linux")]
#[path = "common/default_signals.rs"]
mod default_signals;
mod files {
    mod compressed;
    #[cfg(all(target_os = "linux", feature = "arrow", feature = "csv", feature = "parquet"))]
    mod guide;
    mod inputs;
    mod lenient;
    mod limits;
    mod links;
    mod modes;
    #[cfg(target_os = "linux")]
    mod pipeline;
    #[cfg(target_os = "linux")]
    mod signals;
    mod stdout;
}

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_limbforge");

/// Asks for a temporary file with a name, as on file systems without others.
const NAMED: &str = "LIMBFORGE_NAMED_TEMP";

/// A folder with files, in which the program runs.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        files.iter().for_each(|(name, bytes)| fs::write(folder.path(name), bytes).unwrap());
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with arguments that blanks separate, on the CPU.
    fn command(&self, arguments: &str) -> Command {
        self.with_program(PROGRAM, &[], arguments)
    }

    /// The program started by a shell, after `script` has changed something.
    fn shell(&self, script: &str, arguments: &str) -> Command {
        let script = format!("{script}\nexec \"$0\" \"$@\"");
        self.with_program("sh", &["-c", &script, PROGRAM], arguments)
    }

    fn with_program(&self, program: impl AsRef<OsStr>, before: &[&str], arguments: &str) -> Command {
        let mut command = Command::new(program);
        command.args(before).args(arguments.split_whitespace()).current_dir(self.0.path());
        if arguments.starts_with("eval") || arguments.starts_with("poly") {
            command.args(["--backend", "cpu"]);
        }
        command.stdin(Stdio::null()).env_remove(NAMED);
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Standard output of a run that succeeds in silence.
    fn ok(&self, arguments: &str) -> String {
        ok(&mut self.command(arguments))
    }

    /// The error of a run that fails and leaves all files as they are.
    fn fails(&self, arguments: &str, status: i32) -> String {
        let before = self.names();
        let error = fails(&mut self.command(arguments), status);
        assert_eq!(self.names(), before, "{arguments}");
        error
    }
}

fn ok(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{command:?}");
    text(&output.stdout)
}

/// The one line of an error, without results.
fn fails(command: &mut Command, status: i32) -> String {
    let output = command.output().unwrap();
    let error = text(&output.stderr);
    let found = (output.status.code(), error.lines().count(), output.stdout.len());
    assert_eq!(found, (Some(status), 1, 0), "{command:?}: {error}");
    error.strip_prefix("error: ").unwrap().trim_end().to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Standard output of a run that succeeds with this standard input.
fn ok_with_input(mut command: Command, input: &[u8]) -> String {
    let mut child = piped(&mut command);
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{command:?}");
    text(&output.stdout)
}

fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until it is so; a machine may be slow, but not for minutes.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "waited for: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Whether the process has a file in the folder open.
#[cfg(target_os = "linux")]
fn has_unfinished_file(child: &Child, folder: &Folder) -> bool {
    process_has_unfinished_file(child.id(), folder)
}

#[cfg(target_os = "linux")]
fn process_has_unfinished_file(process: u32, folder: &Folder) -> bool {
    // Nothing is to be seen of a process that has ended.
    let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    let folder: &Path = &fs::canonicalize(folder.0.path()).unwrap();
    open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok()).any(|file| file.starts_with(folder))
}
