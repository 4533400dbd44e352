//! Columns on the command line of `limbforge eval`: errors, the help, and a program without some kinds of
//! files. Files of other programs are read by `tests/eval_columns.py`.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::process::Command;

use tempfile::TempDir;

/// Exit status, standard output and standard error of a run in a folder.
fn run(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
    command.arg("eval").args(arguments).args(["--backend", "cpu"]).current_dir(folder.path());
    let output = command.env("COLUMNS", "80").output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn fails(folder: &TempDir, arguments: &[&str], status: i32, why: &str) {
    let found = run(folder, arguments);
    assert_eq!(found, (Some(status), String::new(), format!("error: {why}\n")), "{arguments:?}");
}

const HELP: &str = "\
Options:
      --bits <N>               Width of all integers in bits, 1 to 16777216
      --in <NAME=FILE>         The file of a variable, - for standard input
      --out <FILE>             Output file [default: standard output]
      --keep [<LIST>]          Copy columns, all or P,Q, beside the results
      --shard <I/N>            Evaluate the I-th of N equal parts, as in 3/8
      --backend <WHERE>        auto, cpu, gpu, gpu:I or gpus [default: auto]
      --device-memory <BYTES>  Most GPU memory to use, as in 512M or 8G
      --limb <LIMB>            u32, u64 or u128 limbs [default: u64]
      --format <HOW>           hex, dec or bin integers [default: hex]
      --signed                 Integers are from -2^(N-1) to 2^(N-1) - 1
      --lenient                Skip empty lines and # comments
      --on-error <HOW>         fail or mark lines without result [default: fail]
  -h, --help                   Print help (see more with '--help')
";

#[test]
fn the_help_has_the_options_on_one_screen() {
    let folder = folder(&[]);
    let (status, help, _) = run(&folder, &["-h"]);
    assert!(status == Some(0) && help.contains(HELP), "{help}");
    let (_, long, _) = run(&folder, &["--help"]);
    for said in [
        "p=keys.parquet:p",
        ".parquet",
        ".arrow, .feather, .ipc, .arrows",
        ".csv",
        "the first --in that has columns",
    ] {
        assert!(long.split_whitespace().collect::<Vec<_>>().join(" ").contains(said), "{said}: {long}");
    }
}

#[test]
fn usage_that_columns_do_not_allow() {
    let folder = folder(&[("n.txt", "1\n")]);
    let names = ".parquet, .arrow, .feather, .ipc, .arrows or .csv";
    let hint = "(see `limbforge eval --help`)";
    let no_column = |what: &str, column: &str| {
        format!("{what} has no column `{column}`: expected a file whose name ends in {names} {hint}")
    };
    let of = |file| ["n", "--bits", "64", "--in", file];
    fails(&folder, &of("n=n.txt:p"), 2, &format!("`--in n=n.txt:p`: {}", no_column("n.txt", "p")));
    fails(&folder, &of("n=-:p"), 2, &format!("`--in n=-:p`: {}", no_column("standard input", "p")));
    let out = ["1", "--bits", "8", "--out", "r.txt:r"];
    fails(&folder, &out, 2, &format!("`--out r.txt:r`: {}", no_column("r.txt", "r")));
    let keep = ["n", "--bits", "64", "--in", "n=n.txt", "--keep"];
    let why = format!("`--keep` needs a file of results with columns: expected --out with {names} {hint}");
    fails(&folder, &keep, 2, &why);
    let missing = "expected --bits N: no input is a column whose type says the width of its integers";
    fails(&folder, &["1"], 2, &format!("{missing} {hint}"));
    let shard = ["1", "--bits", "8", "--shard", "4/3"];
    let why = "invalid value '4/3' for '--shard <I/N>': expected I/N with 1 <= I <= N, as in 3/8";
    fails(&folder, &shard, 2, &format!("{why} {hint}"));
    // A colon of a name that has one.
    fs::write(folder.path().join("n.txt:p"), "7\n").unwrap();
    assert_eq!(run(&folder, &of("n=n.txt:p")).1, "7\n");
}

/// Names and features of files with columns.
const KINDS: [(&str, &str, bool); 4] = [
    ("n.parquet", "parquet", cfg!(feature = "parquet")),
    ("n.arrow", "arrow", cfg!(feature = "arrow")),
    ("n.arrows", "arrow", cfg!(feature = "arrow")),
    ("n.csv", "csv", cfg!(feature = "csv")),
];

#[test]
fn a_missing_feature_is_named() {
    let folder = folder(&[]);
    for (name, feature, _) in KINDS.iter().filter(|(.., is_there)| !is_there) {
        let why = format!(
            "this program was built without the cargo feature `{feature}`: install it with `cargo install limbforge-cli \
             --features {feature}` (see `limbforge eval --help`)"
        );
        let input = format!("n={name}:n");
        fails(&folder, &["n", "--bits", "8", "--in", &input], 2, &format!("`--in {input}`: {why}"));
        fails(&folder, &["1", "--bits", "8", "--out", name], 2, &format!("`--out {name}`: {why}"));
    }
}

#[test]
fn data_of_another_kind_are_refused() {
    for (name, ..) in KINDS.iter().filter(|(name, _, is_there)| *is_there && !name.ends_with("csv")) {
        for text in ["", "7\n", "ARROW1 and so on: not what follows it in a file"] {
            let folder = folder(&[(name, text)]);
            let input = format!("n={name}");
            let (status, out, error) = run(&folder, &["n", "--bits", "64", "--in", &input]);
            assert!(status == Some(1) && out.is_empty() && error.lines().count() == 1, "{error}");
            assert!(error.starts_with(&format!("error: {name}: expected ")), "{error}");
        }
    }
}

#[cfg(all(feature = "csv", feature = "parquet", feature = "arrow"))]
#[test]
fn results_of_a_run_are_the_inputs_of_the_next() {
    let folder = folder(&[("n.csv", "id,n\na,-5\nb,7\nc,\n")]);
    let dec = ["--format", "dec"];
    let bits = ["n * n * n", "--bits", "131", "--signed", "--in", "n=n.csv", "--on-error", "mark", "--keep"];
    let note = "bad input lines marked: 1; the first is n.csv:4: expected an integer, found null\n";
    for out in ["r.parquet:r", "r.feather:r", "r.arrows.gz:r", "r.csv.zst:r"] {
        assert_eq!(
            run(&folder, &[&bits[..], &dec, &["--out", out]].concat()),
            (Some(0), String::new(), note.to_owned())
        );
        let input = format!("a={out}");
        let again: &[&str] = if out.contains("csv") { &["--bits", "131", "--signed"] } else { &[] };
        let (status, found, error) =
            run(&folder, &[&["a", "--in", &input, "--on-error", "mark"], again, &dec].concat());
        assert_eq!((status, &*found), (Some(0), "-125\n343\n!SYNTAX\n"), "{error}");
        let number = if out.contains("csv") { 4 } else { 3 };
        assert_eq!(
            error,
            format!(
                "bad input lines marked: 1; the first is {out}:{number}: expected an integer, found null\n"
            )
        );
    }
}
