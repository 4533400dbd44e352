//! Runs that are killed, or meet a full disk, end with the points of one that nothing has disturbed.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::solved::{ecdlp, text, with_curve};

/// The walks of a run: forty commits, one after the other.
struct Run {
    /// Bits of the curve, so many that no logarithm ends the run.
    bits: u32,
    instances: &'static str,
    rounds: &'static str,
    distinguished: &'static str,
    /// Seconds between two commits of places.
    every: &'static str,
    /// The longest time from a start to a kill.
    pause: Duration,
    /// The least number of points.
    points: usize,
}

const SHORT: Run = Run {
    bits: 48,
    instances: "8",
    rounds: "2",
    distinguished: "4",
    every: "0",
    pause: Duration::from_millis(371),
    points: 5_000,
};

/// Some minutes on two cores, in long runs only.
const LONG: Run = Run {
    bits: 64,
    instances: "512",
    rounds: "10",
    distinguished: "8",
    every: "5",
    pause: Duration::from_secs(25),
    points: 100_000,
};

fn run() -> &'static Run {
    if std::env::var_os("LIMBFORGE_LONG").is_some() { &LONG } else { &SHORT }
}

/// The lines of all points of the store.
fn points(folder: &Path, store: &str) -> String {
    text(folder, &["points", "export", store])
}

/// The command that goes on until the store has forty segments.
fn solve(folder: &Path, store: &str) -> Command {
    let done = segments(folder, store);
    let Run { instances, rounds, distinguished, every, .. } = run();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ecdlp"));
    command.current_dir(folder).args(["solve", "curve.json", "--backend", "cpu", "--store", store]);
    command.args(["--instances", instances, "--points", "4", "--rounds", rounds]);
    command.args(["--distinguished", distinguished, "--every", every]);
    command.args(["--segments", &(40 - done).to_string()]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The segments that worker 0 has committed.
fn segments(folder: &Path, store: &str) -> u64 {
    if !folder.join(store).exists() {
        return 0;
    }
    let output = ecdlp(folder, &["info", store]);
    // A run that was killed before its first commit has left a file without a curve.
    if String::from_utf8_lossy(&output.stderr).contains("found another database") {
        return 0;
    }
    assert!(output.status.success(), "{output:?}");
    let info = String::from_utf8(output.stdout).unwrap();
    let Some(line) = info.lines().find(|line| line.starts_with("worker 0")) else { return 0 };
    let number = |after: &str| -> u64 {
        let rest = line.split_once(after).unwrap().1;
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
    };
    number("life ") * number(" of ") + number("segment ")
}

#[test]
fn killed_runs_end_with_the_same_points() {
    let folder = with_curve(run().bits, 1);
    let folder = folder.path();
    assert!(solve(folder, "quiet.store").status().unwrap().success());
    let (mut kills, mut reached, mut pause) = (0, vec![], run().pause);
    for _ in 0..10 {
        let mut child = solve(folder, "killed.store").spawn().unwrap();
        let share = RandomState::new().hash_one(0) as f64 / u64::MAX as f64;
        sleep(pause.mul_f64(0.1 + 0.9 * share));
        kills += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let now = segments(folder, "killed.store");
        // On a busy machine the first segments take longer.
        if reached.last().is_none_or(|last| *last == now) {
            pause = (2 * pause).min(16 * run().pause);
        }
        reached.push(now);
    }
    println!("{kills} kills, the segments with places after each: {reached:?}");
    assert!(kills >= 3 && reached.iter().any(|&now| now > 0), "{kills} of 10 kills: {reached:?}");
    assert!(solve(folder, "killed.store").status().unwrap().success());
    assert_eq!(segments(folder, "killed.store"), 40);
    let quiet = points(folder, "quiet.store");
    println!("{} points", quiet.lines().count());
    assert!(quiet.lines().count() > run().points);
    assert!(points(folder, "killed.store") == quiet, "other points");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    let folder = with_curve(run().bits, 2);
    let folder = folder.path();
    assert!(solve(folder, "quiet.store").status().unwrap().success());
    let all = points(folder, "quiet.store");
    let mut before = String::new();
    let size = std::fs::metadata(folder.join("quiet.store")).unwrap().len() / 1024;
    for limit in [size / 4, size / 3, size / 2, size * 2 / 3] {
        // Files do not grow past the limit, as on a disk that is full.
        let solve = solve(folder, "full.store");
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$@\"");
        let mut limited = Command::new("bash");
        limited
            .current_dir(folder)
            .args(["-c", &script, "bash"])
            .arg(solve.get_program())
            .args(solve.get_args());
        let output = limited.output().unwrap();
        if output.status.success() {
            break;
        }
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("full.store") && error.contains("File too large"), "{error}");
        // What was there is there.
        let now =
            if folder.join("full.store").exists() { points(folder, "full.store") } else { String::new() };
        let lines: std::collections::HashSet<&str> = now.lines().collect();
        assert!(before.lines().all(|line| lines.contains(line)));
        before = now;
    }
    assert!(!before.is_empty() && before != all, "the limits are too small or too large");
    assert!(solve(folder, "full.store").status().unwrap().success());
    assert!(points(folder, "full.store") == all, "other points");
}
