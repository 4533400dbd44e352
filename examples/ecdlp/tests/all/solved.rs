//! Logarithms of small curves, by commands as a user gives them.

use std::path::Path;
use std::process::{Command, Output};

use ecdlp::file;

pub(crate) fn ecdlp(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ecdlp"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

/// The standard output of a command that succeeds.
pub(crate) fn text(folder: &Path, arguments: &[&str]) -> String {
    let output = ecdlp(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A folder with a random curve.
pub(crate) fn with_curve(bits: u32, seed: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let curve = text(folder.path(), &["random-curve", &bits.to_string(), "--seed", &seed.to_string()]);
    std::fs::write(folder.path().join("curve.json"), curve).unwrap();
    folder
}

/// Whether the line names the logarithm.
fn is_solution(folder: &Path, line: &str) -> bool {
    let curve = file::read(&folder.join("curve.json")).unwrap();
    let k = line.trim().rsplit_once("k = 0x").unwrap().1;
    curve.is_logarithm(&limbforge::num_bigint::BigUint::parse_bytes(k.as_bytes(), 16).unwrap())
}

#[test]
fn small_logarithms() {
    for (bits, seed, more) in
        [(16, 1, "--seed=1"), (20, 2, "--no-negation"), (28, 3, "--seed=3"), (32, 4, "--no-negation")]
    {
        let folder = with_curve(bits, seed);
        let line = text(folder.path(), &["solve", "curve.json", "--backend", "cpu", more]);
        assert!(is_solution(folder.path(), &line), "{line}");
        // The store knows it.
        assert_eq!(text(folder.path(), &["solve", "curve.json", "--backend", "cpu"]), line);
        assert!(
            text(folder.path(), &["info", "curve.store"])
                .contains(line.trim().rsplit_once("k = ").unwrap().1)
        );
    }
}

/// Two workers of a process make the walks of two processes, and find the logarithm.
#[test]
fn workers_of_a_process_share_a_store() {
    let folder = with_curve(48, 7);
    let folder = folder.path();
    let solve = |store: &str, workers: &str| {
        let arguments = ["solve", "curve.json", "--backend", "cpu", "--segments", "4", "--store", store];
        let sizes = ["--instances", "6", "--points", "4", "--rounds", "3", "--distinguished", "4"];
        text(folder, &[&arguments[..], &sizes, &["--workers", workers]].concat());
        text(folder, &["points", "export", store])
    };
    let (one, two) = (solve("one.store", "1"), solve("two.store", "2"));
    let of = |worker: &str| {
        let is_of = |line: &&str| line.split('\t').nth(1) == Some(worker);
        two.lines().filter(is_of).collect::<Vec<_>>()
    };
    assert!(one.lines().count() > 500);
    assert_eq!(of("0"), one.lines().collect::<Vec<_>>());
    assert!(of("1073741824").len() > 500 && two.lines().count() == of("0").len() + of("1073741824").len());
    // Both go on.
    assert!(solve("two.store", "2").lines().count() > two.lines().count() + 1000);
    let small = with_curve(28, 8);
    let line = text(small.path(), &["solve", "curve.json", "--backend", "cpu", "--workers", "2"]);
    assert!(is_solution(small.path(), &line), "{line}");
}

#[test]
fn points_of_several_machines_meet_in_one_store() {
    let folder = with_curve(28, 5);
    let folder = folder.path();
    let worker = |number: &str, store: &str| {
        let arguments = ["solve", "curve.json", "--backend", "cpu", "--segments", "3", "--store", store];
        let sizes = ["--instances", "20", "--rounds", "3", "--distinguished", "3", "--worker", number];
        text(folder, &[&arguments[..], &sizes].concat());
        let rows = text(folder, &["points", "export", store]);
        std::fs::write(folder.join(format!("{store}.rows")), &rows).unwrap();
        rows.lines().count()
    };
    worker("0", "all.store");
    let mut solution = String::new();
    for number in 1..40 {
        let (number, store) = (number.to_string(), format!("{number}.store"));
        assert!(worker(&number, &store) > 0);
        let import = ["points", "import", "all.store", &format!("{store}.rows")];
        solution = text(folder, &import);
        if !solution.is_empty() {
            break;
        }
        // Again, nothing is new.
        let again = ecdlp(folder, &import);
        assert!(String::from_utf8_lossy(&again.stderr).contains("of which 0 are new"));
    }
    assert!(is_solution(folder, &solution), "{solution}");
    std::fs::write(folder.join("wrong.rows"), "1234567\t0\t0\t0\t5\n").unwrap();
    let wrong = ecdlp(folder, &["points", "import", "all.store", "wrong.rows"]);
    assert!(
        String::from_utf8_lossy(&wrong.stderr).contains("wrong.rows: line 1: expected a distinguished point")
    );
}

#[test]
fn what_is_no_curve_is_an_error() {
    let folder = with_curve(24, 6);
    let path = folder.path().join("curve.json");
    let good = std::fs::read_to_string(&path).unwrap();
    let curve = file::from_text(&good).unwrap();
    for (from, to, why) in [
        (format!("{:X}", curve.p), format!("{:X}", &curve.p + 2_u32), "expected a prime p"),
        (format!("{:X}", curve.n), format!("{:X}", curve.p), "P has another order than n"),
        (format!("{:X}", curve.target.1), format!("{:X}", &curve.target.1 - 1_u32), "Q is not a point"),
        ("\"n\"".to_owned(), "\"m\"".to_owned(), "unknown field `m`"),
    ] {
        std::fs::write(&path, good.replace(&from, &to)).unwrap();
        let output = ecdlp(folder.path(), &["solve", "curve.json"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(why) && !output.status.success(), "{error}");
    }
}
