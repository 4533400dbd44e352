//! `limbforge eval` with several results: values against num-bigint in every format, files larger than a chunk,
//! failures of each result, and every error with its words and its status.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use common::note;
use num_bigint::BigUint;
use tempfile::TempDir;

/// A folder in which the program runs.
struct Workplace(TempDir);

impl Workplace {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let place = Self(TempDir::new().unwrap());
        files.iter().for_each(|(name, content)| fs::write(place.0.path().join(name), content).unwrap());
        place
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
        command.arg("eval").args(arguments).current_dir(self.0.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The standard output of a run that must succeed silently, but for the CPU in place of a GPU.
    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), note().to_owned()),
            "{arguments:?}"
        );
        text(&output.stdout)
    }

    /// A run that must fail with this status and error, and leave no file.
    fn fails(&self, arguments: &[&str], status: i32, error: &str) {
        let before = self.names();
        let output = self.run(arguments);
        let found = (text(&output.stderr), output.status.code());
        assert_eq!(found, (format!("error: {error}\n"), Some(status)), "{arguments:?}");
        assert_eq!(self.names(), before, "{arguments:?} left a file");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn lines(&self, name: &str) -> Vec<String> {
        text(&self.read(name)).lines().map(str::to_owned).collect()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Numbers of at most so many bits, of all lengths.
fn numbers(bits: u64, count: usize, mut state: u64) -> Vec<BigUint> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    };
    let words = bits.div_ceil(32) as usize;
    let mut number = || BigUint::new((0..words).map(|_| next()).collect()) % (BigUint::from(1_u8) << bits);
    (0..count).map(|i| number() >> (i as u64 * 7 % bits)).collect()
}

/// A file of numbers as the program writes it.
fn file(numbers: &[BigUint], format: &str, bits: u64) -> Vec<u8> {
    let record = |number: &BigUint| match format {
        "hex" => format!("{number:x}\n").into_bytes(),
        "dec" => format!("{number}\n").into_bytes(),
        _ => {
            let mut bytes = number.to_bytes_le();
            bytes.resize(bits.div_ceil(8) as usize, 0);
            bytes
        }
    };
    numbers.iter().flat_map(record).collect()
}

/// Results of another type, of inputs and of values that are no results, in files of more than one chunk.
#[test]
fn results_are_those_of_num_bigint_in_every_format() {
    let program = "s = a + b; q = s / m\nr = s % m; w = mul_wide(q, r); x = (r\n ^ a)";
    for (bits, count, format) in
        [(64, 40_000, "bin"), (64, 3000, "dec"), (100, 9000, "hex"), (512, 9000, "bin"), (1000, 300, "dec")]
    {
        let [a, b] = [1, 2].map(|seed| numbers(bits, count, seed));
        let m = numbers(bits, count, 3).into_iter().map(|m| m | BigUint::from(1_u8)).collect::<Vec<_>>();
        let [one, two, three] = [&a, &b, &m].map(|numbers| file(numbers, format, bits));
        let place = Workplace::new(&[("a", &one), ("b", &two), ("m", &three)]);
        let bits_text = bits.to_string();
        let common = ["--bits", &bits_text, "--format", format, "--in", "m=m", "--in", "a=a", "--in", "b=b"];
        let outs = ["--out", "q=q", "--out", "x=x.gz", "--out", "r=-", "--out", "w=w"];
        let output = place.run(&[&[program][..], &common, &outs].concat());
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), note()));

        let all = || a.iter().zip(&b).zip(&m);
        let one = BigUint::from(1_u8);
        let sums: Vec<BigUint> = all().map(|((a, b), _)| (a + b) % (&one << bits)).collect();
        let [q, r]: [Vec<BigUint>; 2] = [
            sums.iter().zip(&m).map(|(s, m)| s / m).collect(),
            sums.iter().zip(&m).map(|(s, m)| s % m).collect(),
        ];
        let w: Vec<BigUint> = q.iter().zip(&r).map(|(q, r)| q * r).collect();
        let x: Vec<BigUint> = r.iter().zip(&a).map(|(r, a)| r ^ a).collect();
        assert!(output.stdout == file(&r, format, bits), "r of {bits} bits in {format}");
        for (name, expected, bits) in [("q", &q, bits), ("w", &w, 2 * bits)] {
            assert!(place.read(name) == file(expected, format, bits), "{name} of {bits} bits in {format}");
        }
        // As a file of its own: the program reads what it has compressed.
        let alone = ["x", "--bits", &bits_text, "--format", format, "--in", "x=x.gz"];
        assert!(place.run(&alone).stdout == file(&x, format, bits), "x of {bits} bits in {format}");
    }
}

#[test]
fn one_result_needs_no_name() {
    let place = Workplace::new(&[("a", b"3\n5\n"), ("b", b"2\n7\n")]);
    let common = ["s = a + b; d = s * s", "--bits", "64", "--format", "dec", "--in", "a=a", "--in", "b=b"];
    assert_eq!(place.succeeds(&common), "25\n144\n");
    assert_eq!(place.succeeds(&[&common[..], &["--out", "d.txt"]].concat()), "");
    assert_eq!(place.lines("d.txt"), ["25", "144"]);
    assert_eq!(
        place.succeeds(&[&common[..], &["--out", "d=-", "--out", "s=s", "--shard", "2/2"]].concat()),
        "144\n"
    );
    assert_eq!(place.lines("s"), ["12"]);
    // Without assignments a name is a part of the file's.
    let plain = ["a", "--bits", "64", "--in", "a=a", "--out", "q=r"];
    assert_eq!(place.succeeds(&plain), "");
    assert_eq!(place.lines("q=r"), ["3", "5"]);
}

#[test]
fn each_result_has_failures_of_its_own() {
    let place =
        Workplace::new(&[("a", b"7\n8\n9\nx\n10\n"), ("b", b"2\n0\n4\n1\n?\n"), ("c", b"1\n2\n3\n4\n5\n")]);
    let program = "s = a + c; q = a / b; i = modinv(b, 4); r = a % b; t = c * 2";
    let outs = ["--out", "q=q", "--out", "i=i", "--out", "r=r", "--out", "s=s", "--out", "t=t"];
    let common = [program, "--bits", "64", "--format", "dec", "--in", "a=a", "--in", "b=b", "--in", "c=c"];
    let marked = place.run(&[&common[..], &outs, &["--on-error", "mark"]].concat());
    let report = "bad input lines marked: 2; the first is a:4: column 1: expected a digit in base 10, found `x`\n\
                  instances without result marked: 3; the first is b:1: `b` has no inverse: it has a common divisor \
                  with the modulus\n";
    assert_eq!((marked.status.code(), text(&marked.stderr)), (Some(0), format!("{}{report}", note())));
    for (name, expected) in [
        ("q", ["3", "!DIV0", "2", "!SYNTAX", "!SYNTAX"]),
        ("i", ["!NOINVERSE", "!NOINVERSE", "!NOINVERSE", "1", "!SYNTAX"]),
        ("r", ["1", "!DIV0", "1", "!SYNTAX", "!SYNTAX"]),
        ("s", ["8", "10", "12", "!SYNTAX", "15"]),
        ("t", ["2", "4", "6", "8", "10"]),
    ] {
        assert_eq!(place.lines(name), expected, "{name}");
        fs::remove_file(place.0.path().join(name)).unwrap();
    }
    let without_i = "s = a + c; q = a / b; r = a % b; t = c * 2";
    let outs = ["--out", "q=q", "--out", "r=r", "--out", "s=s", "--out", "t=t"];
    place.fails(&[&[without_i], &common[1..], &outs].concat(), 1, "b:2: division by zero: `b` is 0");
    // The first line of all results, and results of one on standard output up to it.
    let files = [("a", &b"7\n8\n9\n"[..]), ("b", b"2\n3\n0\n"), ("m", b"9\n2\n1\n")];
    let place = Workplace::new(&files);
    let outs = ["--out", "q=-", "--out", "i=i"];
    let ins = ["--bits", "64", "--in", "a=a", "--in", "b=b", "--in", "m=m"];
    let output = place.run(&[&["q = a / b; i = modinv(a, m)"][..], &ins, &outs].concat());
    let error = "error: a:2: `a` has no inverse: it has a common divisor with the modulus\n";
    assert_eq!(text(&output.stderr), error);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), "3\n"));
    assert_eq!(place.names(), ["a", "b", "m"]);
}

/// A reader of one result that leaves does not take the other results away.
#[test]
fn a_reader_that_leaves_ends_its_result_alone() {
    let a = numbers(64, 60_000, 5);
    let place = Workplace::new(&[("a", &file(&a, "dec", 64))]);
    let arguments = ["q = a / 3; r = a % 3", "--bits", "64", "--format", "dec", "--in", "a=a"];
    let mut child = place
        .command(&[&arguments[..], &["--out", "q=-", "--out", "r=r"]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, format!("{}\n", &a[0] / 3_u8));
    assert!(child.wait().unwrap().success());
    let expected: Vec<BigUint> = a.iter().map(|a| a % 3_u8).collect();
    assert!(place.read("r") == file(&expected, "dec", 64));
}

#[cfg(all(feature = "arrow", feature = "csv", feature = "parquet"))]
#[test]
fn results_are_columns_of_their_names() {
    let table = b"key,a,b\nx,17,5\ny,8,0\n";
    let place = Workplace::new(&[("t.csv", table)]);
    let outs = ["--out", "q=q.csv", "--out", "r=r.parquet", "--out", "r=s.arrow:rest", "--out", "w=w.txt"];
    let common = ["--bits", "64", "--format", "dec", "--in", "a=t.csv", "--in", "b=t.csv", "--keep", "key"];
    let program = "q = a / b; r = a % b; w = mul_wide(a, a)";
    let output = place.run(&[&[program][..], &common, &outs, &["--on-error", "mark"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&place.read("q.csv")), "key,q\nx,3\ny,\n");
    assert_eq!(place.lines("w.txt"), ["289", "64"]);
    for column in ["r=r.parquet", "r=s.arrow:rest"] {
        let read = ["r + 1", "--format", "dec", "--in", column, "--on-error", "mark"];
        assert_eq!(text(&place.run(&read).stdout), "3\n!SYNTAX\n", "{column}");
    }
}

#[test]
fn errors_of_assignments_and_their_files() {
    let place = Workplace::new(&[("a", b"1\n"), ("b", b"1\n")]);
    let ins = ["--bits", "64", "--in", "a=a", "--in", "b=b"];
    let see = "(see `limbforge eval --help`)";
    let both = "q = a / b; r = a % b";
    let cases: &[(&str, &[&str], i32, &str)] = &[
        (
            both,
            &["--out", "q=q", "--out", "s=s"],
            2,
            "`--out s=s`: nothing is assigned to `s`; the names are q, r",
        ),
        (
            both,
            &["--out", "q=q"],
            2,
            "nothing uses `r`: expected --out r=FILE, or an assignment that uses `r`",
        ),
        (
            both,
            &["--out", "q=f", "--out", "r=./f"],
            2,
            "`--out q=f` and `--out r=./f` are one file: expected a file for each result",
        ),
        (
            both,
            &["--out", "q=-", "--out", "r=-"],
            2,
            "`--out q=-` and `--out r=-` are one file: expected a file for each result",
        ),
        (
            both,
            &[],
            2,
            "there are several results, q, r: expected --out NAME=FILE for each, or NAME=- for standard output",
        ),
        (
            both,
            &["--out", "f"],
            2,
            "`--out f` names none of several results: expected --out NAME=FILE for each, or NAME=- for standard output",
        ),
        (both, &["--out", "q="], 2, "`--out q=`: expected a file after the =, as in q=q.txt"),
        (
            "a + b",
            &["--out", "q=q", "--out", "r=r"],
            2,
            "`--out q=q` and `--out r=r` for one expression: expected one file, or names, as in 'q = a / b; r = a % b' with \
          --out q=q.txt",
        ),
        ("a = b; q = a", &["--out", "q=q"], 2, "`--in a=...`: the text assigns `a`: expected another name"),
        ("q = b", &["--out", "q=q"], 2, "`--in a=...`: the expression does not use `a`"),
        (
            "q = a / b; q = a % b",
            &["--out", "q=q"],
            1,
            "expected a new name, found `q`\n  q = a / b; q = a % b\n             ^ `q` is assigned twice",
        ),
        (
            "q = a / b\nr = a %% b",
            &["--out", "q=q", "--out", "r=r"],
            1,
            "expected a number, a variable, a function or `(`, found `%`\n  r = a %% b\n         ^",
        ),
        (
            "q = a / b; r = a + 0x10000000000000000",
            &["--out", "q=q", "--out", "r=r"],
            1,
            "the literal 0x10000000000000000 does not fit u64: it needs 65 bits\n  q = a / b; r = a + 0x10000000000000000\n                     \
          ^^^^^^^^^^^^^^^^^^^ expected 0 to 2^64 - 1: use at least 65 bits",
        ),
        (
            both,
            &["--out", "q=q", "--out", "r=no/r"],
            1,
            "no/r: cannot create: No such file or directory (os error 2): its folder no must exist and be writable",
        ),
    ];
    for (program, outs, status, error) in cases {
        let error = if *status == 2 { format!("{error} {see}") } else { (*error).to_owned() };
        place.fails(&[&[*program][..], &ins, outs].concat(), *status, &error);
    }
}
