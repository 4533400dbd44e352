//! Composites with known factors: found, at the expected number of curves, whatever kills the run.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ecm::{bounds_of, expected_curves};

fn command(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ecm"));
    command.args(arguments.split(' ')).args(["--backend", "cpu"]);
    command
}

/// Standard output and standard error.
fn ecm(arguments: &str) -> (String, String) {
    let output = command(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, log) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{log}");
    (out, log)
}

/// Primes of 12 digits, each to be found in its product with one of 25.
const PAIRS: [(u64, u128); 12] = [
    (448_403_967_023, 5_950_053_747_400_503_015_563_129),
    (215_762_041_421, 9_654_035_846_636_766_263_356_679),
    (785_481_207_101, 8_576_325_357_721_824_899_278_571),
    (703_754_585_747, 8_510_549_985_444_455_910_974_461),
    (640_169_942_233, 6_672_480_297_061_740_984_876_349),
    (363_887_493_659, 1_780_714_432_756_750_777_458_709),
    (414_008_222_473, 5_348_784_830_622_043_565_671_879),
    (993_402_541_787, 5_741_766_650_195_510_094_606_857),
    (446_515_336_991, 3_432_487_234_647_493_048_355_003),
    (986_295_003_157, 8_214_595_387_660_854_438_751_571),
    (802_285_510_973, 4_292_093_073_432_097_166_308_241),
    (710_270_464_193, 3_781_516_140_595_787_520_187_421),
];

/// A curve finds a prime with chance 1 / expected: of 12, about 63 % after the expected number, 95 % after three times as
/// many. The sigmas are fixed, so that the test does not depend on luck.
#[test]
fn factors_are_found_at_the_expected_number_of_curves() {
    let expected = expected_curves(12, 500, 50_000);
    assert!((15..=20).contains(&expected), "{expected}");
    let numbers = PAIRS.map(|(p, q)| format!("{p}*{q}")).join(" ");
    let (out, log) = ecm(&format!("{numbers} --b1 500 --digits 12 --curves {} --sigma 3000", 3 * expected));
    let mut curves = vec![];
    for (p, q) in PAIRS {
        if out.contains(&format!(" = {p} * {q}\n")) {
            let found = format!("found {p} of ");
            let line = log.lines().find(|line| line.starts_with(&found)).unwrap();
            let sigma = line.split("sigma 3:").nth(1).unwrap().split(' ').next().unwrap();
            curves.push(sigma.parse::<u64>().unwrap() - 3000 + 1);
        }
    }
    let soon = curves.iter().filter(|&&curves| curves <= expected).count();
    assert!(curves.len() >= 10 && (4..=11).contains(&soon), "of {expected} expected: {curves:?}\n{log}");
}

/// The curves that known factors need are those of the search, whatever kills it.
#[test]
fn curves_of_known_factors_are_counted() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("known");
    let (p, q) = (1_000_000_007_u64, PAIRS[0].1);
    fs::write(&path, format!("# two\n{p}*{q} # {p} a product\n1000003*{q} # {q} of 25 digits\n")).unwrap();
    let command = format!("--known {} --to 15 --batch 2 --times 2 --sigma 7", path.display());
    let (out, log) = ecm(&command);
    let row = out.lines().nth(1).unwrap_or_else(|| panic!("{out}{log}"));
    let fields: Vec<&str> = row.split('\t').collect();
    let expected = expected_curves(10, 2000, 200_000);
    assert_eq!(fields[..2], ["10", &expected.to_string()], "{out}");
    assert_eq!((fields[4], fields[6]), (p.to_string().as_str(), "a product"), "{out}");
    // The curve before has not found it, this one does.
    let sigma = 7 + fields[2].parse::<u64>().unwrap() - 1;
    assert!(fields[5].starts_with(&format!("sigma 3:{sigma} B1=2000")), "{out}");
    let of = |sigma: u64| ecm(&format!("{p}*{q} --b1 2000 --curves 1 --sigma {sigma}")).0;
    assert!(of(sigma).contains(&format!(" = {p} * {q}\n")));
    assert!(sigma == 7 || of(sigma - 1).contains('('));
    // The factor of 25 digits has other bounds.
    assert!(out.lines().count() == 3 && out.contains("1 factors: "), "{out}");
    let again = format!("{command} --state {}", place.path().join("state").display());
    assert_eq!((ecm(&again).0, ecm(&again).0), (out.clone(), out));
}

/// Each factor of the published list divides its number, and both are what the list says.
#[test]
fn the_published_list_is_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/published.txt");
    let known = ecm::read(&path).unwrap();
    let mut digits: Vec<u32> = known.iter().map(ecm::Known::digits).collect();
    digits.dedup();
    assert_eq!((known.len(), digits), (20, vec![25, 30, 35, 40]));
    for one in &known {
        let whole = limbforge_hunts::number(&one.source).unwrap();
        assert_eq!(&whole % &one.composite, 0_u32.into(), "{}", one.source);
        let mut number = ecm::Number::new(&one.composite);
        assert!(number.split(&one.factor, "") && number.is_done(), "{}", one.source);
    }
}

/// 2^67 - 1 of Cole (1903), a number of small factors and a prime.
#[test]
fn numbers_with_a_name() {
    let (out, _) = ecm("2^67-1 10^18+1 2^61-1 --to 15 --sigma 5");
    assert_eq!(
        out,
        "147573952589676412927 = 193707721 * 761838257287\n\
         1000000000000000001 = 101 * 9901 * 999999000001\n\
         2305843009213693951 = 2305843009213693951\n"
    );
}

/// Killed again and again, a run ends with the factors, the sigmas and the save file of one that was not.
#[test]
fn killed_runs_end_as_others_do() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).display().to_string();
    let (p, q) = PAIRS[5];
    // The save file's name is a part of the run: the second run takes the place of the first.
    let run = |state: &str| {
        format!(
            "{p}*{q} --b1 300 --digits 12 --batch 4 --sigma 77 --save {} --state {}",
            path("save"),
            path(state)
        )
    };
    let (whole, _) = ecm(&run("whole"));
    let saved = fs::read_to_string(path("save")).unwrap();
    assert!(saved.lines().count() > 4, "several batches");
    fs::remove_file(path("save")).unwrap();
    let (mut kills, mut pause) = (0, 50);
    let out = loop {
        let mut child = command(&run("killed")).stdout(std::process::Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        pause += 150;
        if child.try_wait().unwrap().is_some() {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success());
            break String::from_utf8(output.stdout).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        // What is cut off the save file is known before it is written.
        assert!(!Path::new(&path("save")).exists() || Path::new(&path("killed")).join("state.json").exists());
    };
    assert!(kills > 0);
    assert_eq!(out, whole);
    assert_eq!(fs::read_to_string(path("save")).unwrap(), saved);
    let state = |name: &str| fs::read_to_string(Path::new(&path(name)).join("state.json")).unwrap();
    assert_eq!(state("killed"), state("whole"));
}

/// Ctrl-C within stage 1 leaves a checkpoint, and the same command goes on from it.
#[cfg(unix)]
#[test]
fn an_interrupted_stage_1_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let state = place.path().join("state");
    // Neither prime is found.
    let run = format!("{}*{} --b1 30000 --b2 0 --curves 4 --sigma 3", PAIRS[0].1, PAIRS[1].1);
    let (whole, _) = ecm(&run);
    let run = format!("{run} --state {}", state.display());
    let child = command(&run).stderr(std::process::Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1200));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(signal.success() && output.status.code() == Some(130), "{log}");
    assert!(log.contains("the same command goes on") && state.join("stage1").exists(), "{log}");
    let (out, _) = ecm(&run);
    assert_eq!(out, whole);
    assert!(!state.join("stage1").exists());
}

/// The composites of `data/small.txt`: some minutes in release on two cores.
#[ignore = "some minutes in release: --ignored"]
#[test]
fn factors_of_20_and_25_digits() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/small.txt");
    let list = list.display();
    let curves = 3 * bounds_of(25).unwrap().curves;
    let (out, log) = ecm(&format!("--in {list} --digits 25 --curves {curves} --sigma 1000"));
    let found = out.lines().filter(|line| !line.contains('(')).count();
    assert!(found >= 4, "{out}{log}");
}
