//! Runs that end in the middle, and go on.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::default_signals::end_programs;
use crate::{Folder, text};

/// Squarings modulo 2^255 - 19 for seven instances: long enough to be interrupted.
const VDF: &str = "vdf.lf --in N=0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed --in x=2..8 --in t=40000";

/// The rounds of the checkpoint in a folder, if there is one.
fn round(folder: &Folder, name: &str) -> Option<u64> {
    let state = fs::read_to_string(folder.path(name).join("state.json")).ok()?;
    let (_, rest) = state.split_once("\"round\": ")?;
    rest.split(',').next()?.parse().ok()
}

/// A run in slices of a round that writes a checkpoint after each, once some rounds are done: tens of thousands
/// of checkpoints are left, so that it does not end before a signal comes.
fn start(folder: &Folder) -> Child {
    let mut command = folder.command(&format!("{VDF} --out y=y.txt --checkpoint state --every 0s --slice 0"));
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while round(folder, "state").is_none_or(|round| round == 0) {
        assert!(start.elapsed() < Duration::from_secs(60), "no checkpoint");
        sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = Folder::new(&[]);
    folder.ok(&format!("{VDF} --out y=expected.txt"));
    let mut child = start(&folder);
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    assert!(!folder.path("y.txt").exists());
    // Killed while it replaces the folder, the one before has another name.
    if folder.path("state").exists() {
        let _ = fs::remove_dir_all(folder.path("state.previous"));
        fs::rename(folder.path("state"), folder.path("state.previous")).unwrap();
    }
    folder.ok("--resume state --out y=y.txt");
    assert_eq!(folder.text("y.txt"), folder.text("expected.txt"));
    assert_eq!(folder.text("y.txt").lines().count(), 7);
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let folder = Folder::new(&[]);
    folder.ok(&format!("{VDF} --out y=expected.txt"));
    let signals = [Signal::INT, Signal::TERM];
    end_programs(&signals);
    for signal in signals {
        let child = start(&folder);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(signal.as_raw()), "{output:?}");
        let said = text(&output.stderr);
        let rounds = round(&folder, "state").unwrap();
        assert_eq!(
            said,
            format!(
                "interrupted after round {rounds} of loop 1: `limbforge run --resume state` with the same outputs \
                 goes on\n"
            )
        );
        assert!(!folder.path("y.txt").exists());
        folder.ok("--resume state --out y=y.txt --every 1h");
        assert_eq!(folder.text("y.txt"), folder.text("expected.txt"));
        fs::remove_file(folder.path("y.txt")).unwrap();
        fs::remove_dir_all(folder.path("state")).unwrap();
    }
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    let folder = Folder::new(&[]);
    let small = "vdf.lf --in N=1009 --in x=2 --in t=5 --out y=- --checkpoint state";
    folder.ok(small);
    fs::create_dir(folder.path("other")).unwrap();
    fs::write(folder.path("other/notes.txt"), "mine").unwrap();
    let error = folder.fails(&small.replace("checkpoint state", "checkpoint other"), 1);
    assert!(error.contains("other: the folder exists and is no checkpoint"), "{error}");
    assert_eq!(folder.text("other/notes.txt"), "mine");
    let error = folder.fails("--resume nothing", 1);
    assert!(error.starts_with("error: nothing/state.json: cannot read"), "{error}");

    for (file, from, to, expected) in [
        ("program.lf", "sqr(y)", "sqr(x)", "program.lf: expected content with the hash"),
        ("state.json", "\"version\": 1", "\"version\": 7", "expected version 1 of checkpoints, found 7"),
        ("state.json", "limbforge checkpoint", "other", "expected the format `limbforge checkpoint`"),
        ("state.json", "\"stage\": 0", "\"stage\": 9", "its values are not those"),
        ("state.json", "\"type\": \"u64\"", "\"type\": \"u65\"", "state.json"),
        ("state.json", "}", "", "state.json: "),
    ] {
        folder.ok(small);
        let path = folder.path("state").join(file);
        let content = fs::read_to_string(&path).unwrap();
        assert!(content.contains(from), "{file}: {from}");
        fs::write(&path, content.replace(from, to)).unwrap();
        let error = folder.fails("--resume state", 1);
        assert!(
            error.starts_with("error: state") && (error.contains(expected) || from.contains("u64")),
            "{error}"
        );
        fs::remove_dir_all(folder.path("state")).unwrap();
    }
    folder.ok(small);
    fs::write(folder.path("state/value-0.bin"), [1]).unwrap();
    let error = folder.fails("--resume state", 1);
    assert!(error.starts_with("error: state/value-0.bin: expected content with the hash"), "{error}");
}

/// Slices of a round each, and a run from the last checkpoint, with failures: the same results.
#[test]
fn rounds_one_by_one_give_the_same_results() {
    let folder = Folder::new(&[]);
    let run = "cfrac.lf --bits 128 --in D=2..9 --on-error mark";
    let expected = folder.run(&format!("{run} --out-table expected.txt"));
    let interrupted =
        folder.run(&format!("{run} --out-table same.txt --checkpoint state --every 0s --slice 0"));
    assert!(text(&expected.stderr).starts_with("instances that failed") && interrupted.status.success());
    assert_eq!(folder.text("same.txt"), folder.text("expected.txt"));
    folder.run("--resume state --on-error mark --out-table again.txt");
    assert_eq!(folder.text("again.txt"), folder.text("expected.txt"));
}
