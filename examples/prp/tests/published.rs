//! Hunts against published values.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn prp(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prp"))
        .args(arguments.split(' '))
        .args(["--backend", "cpu"])
        .output()
        .unwrap()
}

fn lines(arguments: &str) -> Vec<String> {
    let output = prp(arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The first primes after 10^n, <https://oeis.org/A033873>, and after 2^n, <https://oeis.org/A013597>.
#[test]
fn first_primes_after_powers() {
    for (base, exponent, first) in [
        (10, 9, 7_u32),
        (10, 20, 39),
        (10, 50, 151),
        (10, 100, 267),
        (2, 64, 13),
        (2, 128, 51),
        (2, 256, 297),
        (2, 512, 75),
        (2, 1024, 643),
    ] {
        let power = format!("{base}^{exponent}");
        let found = lines(&format!("range {power} +{} --verify", first + 2));
        let expected = limbforge_hunts::number(&format!("{power}+{first}")).unwrap();
        assert_eq!(found, [expected.to_string()], "{power}");
        assert!(lines(&format!("range {power} +{first} --test bpsw")).is_empty(), "{power}");
    }
}

/// The first maximal gaps: Nicely's tables, <https://oeis.org/A005250> with <https://oeis.org/A002386>.
#[test]
fn maximal_gaps() {
    let found = lines("gaps 3 1400000");
    let gaps: Vec<(u32, u32)> = found
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            (words[0].parse().unwrap(), words[2].parse().unwrap())
        })
        .collect();
    let expected = [
        (2, 3),
        (4, 7),
        (6, 23),
        (8, 89),
        (14, 113),
        (18, 523),
        (20, 887),
        (22, 1129),
        (34, 1327),
        (36, 9551),
        (44, 15_683),
        (52, 19_609),
        (72, 31_397),
        (86, 155_921),
        (96, 360_653),
        (112, 370_261),
        (114, 492_113),
        (118, 1_349_533),
        (132, 1_357_201),
    ];
    assert_eq!(gaps, expected);
    // With tests in place of a complete sieve: the gap of 1132 behind 1693182318746371.
    let found = lines("gaps 1693182318746000 +2000 --min 1000 --format csv --sieve 1000");
    assert_eq!(found, ["gap,merit,prime", "1132,32.283,1693182318746371"]);
}

/// The first prime quadruplets, <https://oeis.org/A007530>, and their number below 10^6, 166, and that of twins,
/// 8169 (<https://oeis.org/A007508>), without (3, 5) for ranges of p from 5 on.
#[test]
fn tuples() {
    let found = lines("tuples 5 10^6 --pattern quadruplets");
    assert_eq!(found[..8], ["5", "11", "101", "191", "821", "1481", "1871", "2081"]);
    assert_eq!(found.len(), 166);
    assert_eq!(lines("tuples 3 10^6 --pattern 0,2").len(), 8169);
    // The smallest one of 50 digits, with tests.
    assert_eq!(
        lines("tuples 10^15 +1000000 --pattern 0,2,6,8 --sieve 100"),
        lines("tuples 10^15 +1000000 --pattern quadruplets")
    );
}

/// The twins 1159142985 * 2^2304 +- 1 of Atkin and Rickert (1979), <https://t5k.org/top20/page.php?id=1>, and the
/// number of Sophie Germain primes below 10^5, 1171 (<https://oeis.org/A092816>), of which 2 is even.
#[test]
fn forms() {
    let found = lines("form --power 2304 --k 1159142900..1159143000 --c -1,1 --format tsv");
    assert_eq!(found, ["k\tnumber\tdigits", "1159142985\t1159142985*2^2304-1\t703"]);
    assert_eq!(lines("form --power 1 --k 1..49999 --c 1 --safe").len(), 1170);
}

#[test]
fn numbers_of_a_file() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("n.txt");
    fs::write(&path, "2^127-1\n2^128-1\n341\n2^89-1 # of Powers\n10\n1\n").unwrap();
    let found = lines(&format!("file {} --verify", path.display()));
    assert_eq!(found, ["170141183460469231731687303715884105727", "618970019642690137449562111"]);
    fs::write(&path, "7\nx\n").unwrap();
    let output = prp(&format!("file {}", path.display()));
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("n.txt:2"));
}

fn table(folder: &Path) -> String {
    fs::read_to_string(folder.join("finds.txt")).unwrap()
}

/// Killed again and again, a hunt ends with the table of one that was not; another hunt does not touch it.
#[test]
fn killed_hunts_lose_and_double_nothing() {
    let place = tempfile::tempdir().unwrap();
    let hunt = "gaps 10^24 +400000 --min 20 --sieve 300 --every 0.1 --format csv --state";
    let (whole, killed) = (place.path().join("whole"), place.path().join("killed"));
    lines(&format!("{hunt} {}", whole.display()));
    let mut kills = 0;
    for pause in 0.. {
        let arguments = format!("{hunt} {} --backend cpu", killed.display());
        let mut child = Command::new(env!("CARGO_BIN_EXE_prp")).args(arguments.split(' ')).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300 + 200 * pause));
        if child.try_wait().unwrap().is_some_and(|status| status.success()) {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills > 0);
    assert_eq!(table(&killed), table(&whole));
    let other = prp(&format!("gaps 10^24 +400002 --min 20 --state {}", killed.display()));
    assert!(!other.status.success());
    assert_eq!(table(&killed), table(&whole));
}
