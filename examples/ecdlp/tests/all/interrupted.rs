//! Runs that are killed, or meet a full disk, end with the points of one that nothing has disturbed.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::solved::{text, with_curve};

/// The walks of a run.
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
    /// The least number of points of a segment.
    points: u64,
}

const SHORT: Run = Run {
    bits: 64,
    instances: "8",
    rounds: "2",
    distinguished: "4",
    every: "0",
    pause: Duration::from_millis(371),
    points: 150,
};

/// Some minutes on two cores, in long runs only.
const LONG: Run = Run {
    bits: 64,
    instances: "512",
    rounds: "10",
    distinguished: "8",
    every: "5",
    pause: Duration::from_secs(25),
    points: 3000,
};

/// Kills of a run.
const KILLS: usize = 10;

fn run() -> &'static Run {
    if std::env::var_os("LIMBFORGE_LONG").is_some() { &LONG } else { &SHORT }
}

/// The lines of all points of the store.
fn points(folder: &Path, store: &str) -> String {
    text(folder, &["points", "export", store])
}

/// The command that goes on for so many segments, or without an end.
fn solve(folder: &Path, store: &str, segments: Option<u64>) -> Command {
    let Run { instances, rounds, distinguished, every, .. } = run();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ecdlp"));
    command.current_dir(folder).args(["solve", "curve.json", "--backend", "cpu", "--store", store]);
    command.args(["--instances", instances, "--points", "4", "--rounds", rounds]);
    command.args(["--distinguished", distinguished, "--every", every]);
    command.args(segments.map(|segments| format!("--segments={segments}")));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Goes on for so many segments.
fn walk(folder: &Path, store: &str, segments: u64) {
    let output = solve(folder, store, Some(segments)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// The segments that worker 0 has committed.
fn segments(folder: &Path, store: &str) -> u64 {
    if !folder.join(store).exists() {
        return 0;
    }
    let info = text(folder, &["info", store]);
    let Some(line) = info.lines().find(|line| line.starts_with("worker 0")) else { return 0 };
    let number = |after: &str| -> u64 {
        let rest = line.split_once(after).unwrap().1;
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
    };
    number("life ") * number(" of ") + number("segment ")
}

/// Runs without an end are killed, so that each is in the middle of its work however fast the machine is.
#[test]
fn killed_runs_end_with_the_same_points() {
    let folder = with_curve(run().bits, 1);
    let folder = folder.path();
    let (mut reached, mut pause) = (vec![0], run().pause);
    let progress = |reached: &[u64]| reached.windows(2).filter(|pair| pair[0] < pair[1]).count();
    while reached.len() <= KILLS || progress(&reached) < KILLS / 2 {
        assert!(reached.len() <= 6 * KILLS, "no progress: {reached:?}");
        let mut child = solve(folder, "killed.store", None).spawn().unwrap();
        let share = RandomState::new().hash_one(0) as f64 / u64::MAX as f64;
        sleep(pause.mul_f64(0.1 + 0.9 * share));
        assert!(child.try_wait().unwrap().is_none(), "a run without an end has ended");
        child.kill().unwrap();
        child.wait().unwrap();
        let now = segments(folder, "killed.store");
        // On a busy machine the first segments take longer.
        let stays = reached.last() == Some(&now);
        pause = if stays { 2 * pause } else { pause / 2 }.clamp(run().pause / 4, 16 * run().pause);
        reached.push(now);
    }
    println!("the segments with places after each kill: {reached:?}");
    let end = reached.last().unwrap() + 3;
    walk(folder, "killed.store", 3);
    walk(folder, "quiet.store", end);
    assert_eq!([segments(folder, "killed.store"), segments(folder, "quiet.store")], [end; 2]);
    let quiet = points(folder, "quiet.store");
    println!("{} points", quiet.lines().count());
    assert!(quiet.lines().count() as u64 > run().points * end);
    assert!(points(folder, "killed.store") == quiet, "other points");
}

/// A store appears when it is whole: a kill before that leaves none, and what is left is swept.
#[test]
fn a_run_that_is_killed_while_it_creates_its_store_starts_again() {
    let folder = with_curve(run().bits, 3);
    let folder = folder.path();
    let files = || -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
        let names = names.map(|name| name.into_string().unwrap());
        names.filter(|name| name.starts_with("new.store")).collect()
    };
    for i in 0..10 {
        files().iter().for_each(|name| std::fs::remove_file(folder.join(name)).unwrap());
        let mut child = solve(folder, "new.store", None).spawn().unwrap();
        while files().is_empty() {
            assert!(child.try_wait().unwrap().is_none(), "a run without a store");
            sleep(Duration::from_micros(100));
        }
        // Writing takes some milliseconds, on a busy disk more.
        sleep(Duration::from_micros(300 * i * i));
        child.kill().unwrap();
        child.wait().unwrap();
        walk(folder, "new.store", 1);
        assert!(files().iter().all(|name| !name.contains(".new-")), "{:?}", files());
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    let folder = with_curve(run().bits, 2);
    let folder = folder.path();
    walk(folder, "quiet.store", 40);
    let all = points(folder, "quiet.store");
    let mut before = String::new();
    let size = std::fs::metadata(folder.join("quiet.store")).unwrap().len() / 1024;
    for limit in [size / 4, size / 3, size / 2, size * 2 / 3] {
        // Files do not grow past the limit, as on a disk that is full.
        let solve = solve(folder, "full.store", Some(40 - segments(folder, "full.store")));
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
    walk(folder, "full.store", 40 - segments(folder, "full.store"));
    assert!(points(folder, "full.store") == all, "other points");
}
