//! `limbforge primes` as a user meets it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_limbforge")).arg("primes").args(arguments).output().unwrap()
}

/// Standard output of a run that must succeed silently.
fn output(arguments: &[&str]) -> String {
    let output = run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error), (Some(0), String::new()), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(&[arguments, &["--json"]].concat())).unwrap()
}

fn fails(arguments: &[&str], status: i32, error: &str) {
    let output = run(arguments);
    let found = String::from_utf8(output.stderr).unwrap();
    assert!(found.starts_with("error: ") && found.contains(error), "`{error}` is not in `{found}`");
    assert_eq!(
        (output.status.code(), found.lines().count(), output.stdout.len()),
        (Some(status), 1, 0),
        "{found}"
    );
}

#[test]
fn a_search_lists_primes_in_order() {
    let text = output(&["search", "--bits", "60..62", "--min-adicity", "55"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[4]), (5, "4179340454199820289 = 29*2^57 + 1"));
    let object = json(&["search", "--bits", "60..62", "--min-adicity", "55"]);
    let primes = object["primes"].as_array().unwrap();
    let listed = primes.iter().map(|prime| format!("{} = {}*2^{} + 1\n", prime["p"], prime["k"], prime["n"]));
    assert_eq!(listed.collect::<String>(), text);
    assert_eq!(
        (&object["found"], &object["bits"][1], &object["min_adicity"]),
        (&5.into(), &62.into(), &55.into())
    );
}

#[test]
fn a_search_stops_counts_and_may_find_nothing() {
    let first = output(&["search", "--bits", "64", "--min-adicity", "8", "--count", "3"]);
    assert_eq!(first.lines().count(), 3);
    let total = output(&["search", "--bits", "2..64", "--min-adicity", "57", "--total"]);
    assert_eq!(total.lines().next(), Some("n    primes"));
    let object = json(&["search", "--bits", "2..64", "--min-adicity", "57", "--total"]);
    let counts = object["by_adicity"].as_array().unwrap();
    assert_eq!(counts.iter().map(|line| line["primes"].as_u64().unwrap()).sum::<u64>(), object["found"]);
    assert_eq!((&counts[counts.len() - 1]["n"], total.lines().count()), (&57.into(), counts.len() + 2));
    let none = ["search", "--bits", "3", "--min-adicity", "5"];
    assert_eq!((output(&none).as_str(), &json(&none)["primes"]), ("", &Value::Array(vec![])));
}

#[test]
fn a_check_says_what_a_prime_is_good_for() {
    let text = output(&["check", "3 * 2^30 + 1"]);
    for part in [
        "3221225473 = 3*2^30 + 1 is prime\n",
        "2^30 * 3\n",
        "2^i points up to 2^30, and 3*2^k up to 3*2^30",
        "125 = 5^3, of order 2^30",
        "5, the smallest\n  5^((p-1)/q) is not 1 for q = 2, 3\n",
        "32 bits, 0 to spare",
        "Montgomery\n",
    ] {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
    let object = json(&["check", "0xffffffff00000001"]);
    assert_eq!(
        (&object["prime"], &object["n"], &object["generator"]["g"]),
        (&true.into(), &32.into(), &7.into())
    );
    assert_eq!(object["generator"]["smaller"].as_array().unwrap().len(), 5);
    assert_eq!(object["factors_of_units"][5]["prime"], 65537);
    assert!(object["reductions"]["names"][2].as_str().unwrap().starts_with("Goldilocks"), "{object}");
}

/// The smaller numbers that are no generators, and why, are for those who ask.
#[test]
fn failing_generators_are_verbose() {
    let lines =
        |verbose: &[&str]| output(&[&["check", "0xffffffff00000001"], verbose].concat()).lines().count();
    assert_eq!((lines(&[]), lines(&["--verbose"])), (8, 13));
    let text = output(&["check", "0xffffffff00000001", "--verbose"]);
    assert!(text.contains("\n  2^((p-1)/2) = 1\n"), "{text}");
}

#[test]
fn a_check_above_two_to_the_64_says_what_is_proved() {
    for (number, parts) in [
        (
            "2^127-1",
            [
                "170141183460469231731687303715884105727 = 2^127 - 1 is prime\n",
                "bits:        127\n",
                "Lucas and Lehmer",
            ],
        ),
        ("3*2**189+1", [" = 3*2^189 + 1 is prime\n", "bits:        191\n", "(Proth)"]),
        (
            "10^100+267",
            [
                "00000267 is a probable prime\n",
                "bits:        333\n",
                "not proved:  it passes the test of Baillie",
            ],
        ),
        (
            "2^67-1",
            [
                "147573952589676412927 = 2^67 - 1 is composite\n",
                "bits:        67\n",
                "proved:      element 65 ",
            ],
        ),
        ("2^221-1", [" is composite\n", "bits:        221\n", "13 divides 221, so 2^13 - 1 divides it"]),
        ("10^40+1", [" is composite\n", "bits:        133\n", "proved:      17 divides it"]),
    ] {
        let text = output(&["check", number]);
        for part in parts {
            assert!(text.contains(part), "`{part}` is not in {text}");
        }
        assert_eq!(text.lines().count(), 3, "{text}");
    }
    for (number, expected) in [
        ("10^100+267", r#"[true,false,"Baillie-PSW",null]"#),
        ("2^521-1", r#"[true,true,"Lucas-Lehmer",null]"#),
        ("2^221-1", r#"[false,true,"exponent","8191"]"#),
    ] {
        let object = json(&["check", number]);
        let values = ["prime", "proved", "test", "factor"].map(|key| object[key].to_string());
        assert_eq!(format!("[{}]", values.join(",")), expected, "{number}");
    }
    assert_eq!(json(&["check", "2^64"])["number"], "18446744073709551616");
}

/// Exponents of Mersenne primes, below 2^64 and above.
#[test]
fn mersenne_primes() {
    for q in [2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521] {
        let text = output(&["check", &format!("2^{q}-1")]);
        assert!(text.lines().next().unwrap().contains(" is prime"), "{text}");
    }
    for q in [4, 11, 23, 29, 37, 59, 67, 101, 257] {
        let text = output(&["check", &format!("2^{q}-1")]);
        assert!(text.lines().next().unwrap().ends_with(" is composite"), "{text}");
    }
}

#[test]
fn a_check_factors_composites() {
    assert_eq!(output(&["check", "4294967297"]), "4294967297 = 641 * 6700417 is composite\n");
    let object = json(&["check", "12"]);
    assert_eq!((&object["prime"], &object["factors"][0]["exponent"]), (&false.into(), &2.into()));
    assert_eq!(output(&["check", "2"]), "2 is prime; transforms need an odd prime\n");
    assert_eq!(json(&["check", "2"])["prime"], true);
    assert!(output(&["check", "3"]).starts_with("3 = 2^1 + 1 is prime\n"));
    assert!(
        output(&["check", "2^128+1"])
            .starts_with("340282366920938463463374607431768211457 = 2^128 + 1 is composite\n")
    );
}

#[test]
fn a_plan_ranks_sets_and_says_why_others_are_refused() {
    let text = output(&["plan", "--bits", "131072"]);
    assert!(text.lines().nth(1).unwrap().starts_with("5x28 "), "{text}");
    let object = json(&["plan", "--bits", "8388608", "--terms", "7"]);
    let sets = object["sets"].as_array().unwrap();
    assert_eq!(sets.len(), 10);
    let cycles: Vec<u64> = sets.iter().map(|set| set["cycles"].as_u64().unwrap_or(u64::MAX)).collect();
    assert!(cycles.is_sorted(), "{cycles:?}");
    let refused = sets.iter().find(|set| set["set"] == "5x28").unwrap();
    assert!(refused["refused"].as_str().unwrap().contains("expected at most 16384"), "{refused}");
    assert!(refused["points"].is_null());
    assert!(output(&["plan", "--bits", "8388608"]).contains("\nrefused: 5x28: "));
}

#[test]
fn wrong_usage_is_one_line() {
    let search = |bits, adicity| ["search", "--bits", bits, "--min-adicity", adicity];
    for bits in ["", "1..5", "60..65", "62..60", "a", "60..", "60-62"] {
        fails(&search(bits, "40"), 2, "expected I..J or one number, within 2..64");
    }
    fails(&search("60", "0"), 2, "0 is not in 1..=63");
    fails(&search("60", "64"), 2, "64 is not in 1..=63");
    fails(&search("64", "8"), 2, "use a larger --min-adicity, smaller --bits, or --count");
    fails(&["search", "--bits", "60", "--min-adicity", "50", "--count", "0"], 2, "invalid value '0'");
    for number in ["0", "1", "-7", "3-2", "seven", "2^", "2^131073"] {
        fails(&["check", "--", number], 2, "expected a number of at least 2");
    }
    fails(&["plan", "--bits", "0"], 2, "expected a number from 1 to 16777216");
    fails(&["plan", "--bits", "8", "--terms", "0"], 2, "invalid value '0'");
    fails(&["plot", "--out", "/nowhere/x.svg"], 1, "/nowhere/x.svg: cannot create");
    fails(&[], 2, "requires a subcommand");
}

/// `docs/digit-width.svg` is what `limbforge primes plot --out docs/digit-width.svg` writes.
#[test]
fn the_committed_plot_is_what_the_command_draws() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("plot.svg");
    assert_eq!(output(&["plot", "--out", drawn.to_str().unwrap()]), "");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/digit-width.svg");
    assert!(fs::read(committed).unwrap() == fs::read(&drawn).unwrap(), "draw docs/digit-width.svg anew");
    assert_eq!(output(&["plot"]).as_bytes(), fs::read(drawn).unwrap());
}
