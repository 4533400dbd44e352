//! `limbforge eval` as a user meets it: results, formats, chunks, and every error with its words and its status.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use common::note;
use num_bigint::BigUint;
use tempfile::TempDir;

/// A folder with input files, in which the program runs.
struct Workplace {
    folder: TempDir,
}

impl Workplace {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
        command.arg("eval").args(arguments).current_dir(self.folder.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The lines of standard output of a run that must succeed silently, but for the CPU in place of a GPU.
    fn lines(&self, arguments: &[&str]) -> Vec<String> {
        let output = self.run(arguments);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), note()), "{arguments:?}");
        text(&output.stdout).lines().map(str::to_owned).collect()
    }

    /// A run that must fail with this status and this one line, and leave no file. Standard output has the
    /// results of the lines before that of the error, and no others.
    fn fails(&self, arguments: &[&str], status: i32, error: &str) {
        let before = self.names();
        for (out, results) in [(&["--out", "result.txt"][..], 0), (&[], line_of(error) - 1)] {
            let output = self.run(&[arguments, out].concat());
            assert_eq!(text(&output.stderr), format!("error: {error}\n"), "{arguments:?}");
            let found = (output.status.code(), text(&output.stdout).lines().count());
            assert_eq!(found, (Some(status), results), "{arguments:?}");
            assert_eq!(self.names(), before, "{arguments:?} left a file");
        }
    }

    fn names(&self) -> Vec<PathBuf> {
        let mut names: Vec<_> =
            fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    }
}

/// The number of the line in `FILE:LINE: why` and `line LINE: why`; 1 for other errors.
fn line_of(error: &str) -> usize {
    let number = match error.strip_prefix("line ") {
        Some(rest) => rest.split(':').next(),
        None => error.split(':').nth(1),
    };
    number.and_then(|number| number.parse().ok()).unwrap_or(1)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn results_come_in_order_and_one_line_is_broadcast() {
    let place = Workplace::new(&[("a", "1\nff\n0x10\n"), ("b", "2\n3\n4"), ("one", "5\n")]);
    assert_eq!(
        place.lines(&["a*b + c", "--bits", "64", "--in", "a=a", "--in", "b=b", "--in", "c=one"]),
        ["7", "302", "45"]
    );
    assert_eq!(place.lines(&["c - 6", "--bits", "12", "--in", "c=one"]), ["fff"]);
    assert_eq!(place.lines(&["1 << 130", "--bits", "131"]), [format!("4{}", "0".repeat(32))]);
}

#[test]
fn signed_numbers_in_every_format() {
    let place = Workplace::new(&[("dec", "-5\n7\n-64\n"), ("hex", "-5\n7\n-40\n")]);
    let arguments =
        |format, file| ["(a >> 1) - 1", "--bits", "7", "--signed", "--format", format, "--in", file];
    assert_eq!(place.lines(&arguments("dec", "a=dec")), ["-4", "2", "-33"]);
    assert_eq!(place.lines(&arguments("hex", "a=hex")), ["-4", "2", "-21"]);
    fs::write(place.folder.path().join("bin"), [0xfb_u8, 0x07, 0xc0]).unwrap();
    assert_eq!(place.run(&arguments("bin", "a=bin")).stdout, [0xfc, 0x02, 0xdf]);
}

#[test]
fn wide_products_have_twice_the_bits() {
    let place = Workplace::new(&[("a", "ff\n-80\n80\n"), ("b", "ff\n7f\n-80\n"), ("u", "ff\n2\n")]);
    let signed = ["mul_wide(a, b)", "--bits", "9", "--signed", "--in", "a=a", "--in", "b=b"];
    for limb in ["u32", "u64", "u128"] {
        assert_eq!(place.lines(&[&signed[..], &["--limb", limb]].concat()), ["fe01", "-3f80", "-4000"]);
        assert_eq!(
            place.lines(&["sqr_wide(u)", "--bits", "8", "--in", "u=u", "--limb", limb]),
            ["fe01", "4"]
        );
    }
    fs::write(place.folder.path().join("bin"), [0xff_u8, 0x02]).unwrap();
    let bin = ["mul_wide(a, a)", "--bits", "8", "--format", "bin", "--in", "a=bin"];
    assert_eq!(place.run(&bin).stdout, [0x01, 0xfe, 0x04, 0x00]);
    let error = "`sqr_wide(u)` of u16777216 has 33554432 bits\n  sqr_wide(u)\n  ^^^^^^^^^^^ expected at most 16777216: use operands \
                 of at most half as many, or `*` and `mulhi`, its halves";
    place.fails(&["sqr_wide(u)", "--bits", "16777216", "--in", "u=u"], 1, error);
}

#[test]
fn divisions_round_towards_zero_or_as_named() {
    let place = Workplace::new(&[("a", "7\n-7\n7\n-7\n-64\n"), ("b", "2\n2\n-2\n-2\n-1\n")]);
    let lines = |text| {
        place.lines(&[text, "--bits", "7", "--signed", "--format", "dec", "--in", "a=a", "--in", "b=b"])
    };
    assert_eq!(lines("a / b"), ["3", "-3", "-3", "3", "-64"]);
    assert_eq!(lines("a % b"), ["1", "-1", "1", "-1", "0"]);
    assert_eq!(lines("div_euclid(a, b)"), ["3", "-4", "-3", "4", "-64"]);
    assert_eq!(lines("rem_euclid(a, b)"), ["1", "1", "1", "1", "0"]);
    assert_eq!(lines("div_floor(a, b)"), ["3", "-4", "-4", "3", "-64"]);
    assert_eq!(lines("rem_floor(a, b)"), ["1", "1", "-1", "-1", "0"]);
    assert_eq!(lines("divisible(a, b)"), ["0", "0", "0", "0", "1"]);
}

#[test]
fn shifts_counts_and_fields_of_bits_by_amounts_of_each_line() {
    let place = Workplace::new(&[("a", "5\n-5\n1\n-1\n"), ("n", "1\n130\n131\n-2\n"), ("four", "4\n")]);
    let lines = |text, inputs: &[&str]| {
        let inputs = inputs.iter().flat_map(|input| ["--in", input]);
        let arguments = [text, "--bits", "131", "--signed", "--format", "dec"].into_iter().chain(inputs);
        place.lines(&arguments.collect::<Vec<_>>())
    };
    let (a, amounts, shared) = (&["a=a"], &["a=a", "n=n"], &["a=a", "four=four"]);
    let lowest = "-1361129467683753853853498429727072845824";
    let (plus_1, plus_7) = (lowest.replace("824", "823"), lowest.replace("824", "817"));
    assert_eq!(lines("a >> n", amounts), ["2", "-1", "0", "-4"]);
    assert_eq!(lines("a << n", amounts), ["10", lowest, "0", "-1"]);
    assert_eq!(lines("rotr(a, four - 3) ^ a", shared), [&plus_7, "6", &plus_1, "0"]);
    assert_eq!(lines("popcount(a)", a), ["2", "130", "1", "131"]);
    assert_eq!(lines("clz(a) * 1000 + ctz(a)", a), ["128000", "0", "130000", "0"]);
    assert_eq!(lines("extract(a, 1, four)", shared), ["2", "13", "0", "15"]);
    assert_eq!(lines("insert(a, 6, four, 3)", shared), ["101", "-21", "97", "-17"]);
}

#[test]
fn instances_without_result_fail_or_are_marked() {
    let place = Workplace::new(&[
        ("a", "8\n9\nzz\n8\n9\n"),
        ("b", "2\n0\n0\n4\n2\n"),
        ("good", "8\n9\n"),
        ("zero", "0\n"),
    ]);
    let good = ["a / b", "--bits", "8", "--in", "a=good", "--in", "b=b2"];
    fs::write(place.folder.path().join("b2"), "2\n0\n").unwrap();
    place.fails(&good, 1, "b2:2: division by zero: `b` is 0");
    let computed = ["a / (b - b)", "--bits", "8", "--in", "a=good", "--in", "b=b2"];
    place.fails(&computed, 1, "line 1: division by zero: `b - b` is 0");
    place.fails(
        &["a % z", "--bits", "8", "--in", "a=good", "--in", "z=zero"],
        1,
        "zero:1: division by zero: `z` is 0",
    );
    for (text, expected, report) in [
        (
            "a / b",
            "4\n!DIV0\n!SYNTAX\n2\n4\n",
            "instances without result marked: 1; the first is b:2: division by zero: `b` is 0\n",
        ),
        (
            "div_exact(a, b)",
            "4\n!DIV0\n!SYNTAX\n2\n!INEXACT\n",
            "instances without result marked: 2; the first is b:2: division by zero: `b` is 0\n",
        ),
    ] {
        let output = place.run(&[text, "--bits", "8", "--in", "a=a", "--in", "b=b", "--on-error", "mark"]);
        assert_eq!((output.status.code(), self::text(&output.stdout)), (Some(0), expected.to_owned()));
        let line =
            "bad input lines marked: 1; the first is a:3: column 1: expected a digit in base 16, found `z`\n";
        assert_eq!(self::text(&output.stderr), format!("{}{line}{report}", note()));
    }
}

/// An expression that fails, whether its type is signed, its operands, the results with marks, and the first error.
type Reason = (&'static str, bool, [&'static str; 2], &'static str, &'static str);

const SIGNED: bool = true;
const UNSIGNED: bool = false;

const REASONS: [Reason; 15] = [
    ("a % b", SIGNED, ["-7 7 7", "2 0 -2"], "-1 !DIV0 1", "b:2: division by zero: `b` is 0"),
    ("powmod(a, 2, b)", SIGNED, ["5 5 5", "7 0 -7"], "4 !DIV0 4", "b:2: division by zero: `b` is 0"),
    ("mulmod(a, a, b)", UNSIGNED, ["5 5 5", "7 0 9"], "4 !DIV0 7", "b:2: division by zero: `b` is 0"),
    ("modinv(a, b)", UNSIGNED, ["3 3 3", "7 0 1"], "5 !DIV0 0", "b:2: division by zero: `b` is 0"),
    (
        "div_exact(a, b)",
        SIGNED,
        ["-8 -8 8", "4 3 -4"],
        "-2 !INEXACT -2",
        "a:2: `a` is no multiple of its divisor",
    ),
    (
        "powmod(a, b, 7)",
        SIGNED,
        ["5 5 5", "2 -2 -1"],
        "4 !NEGATIVE !NEGATIVE",
        "b:2: the exponent `b` is negative",
    ),
    (
        "isqrt(a) + b",
        SIGNED,
        ["99 -1 0", "1 1 1"],
        "10 !NEGATIVE 1",
        "a:2: `a` is negative and has no square root",
    ),
    (
        "root(a, b)",
        SIGNED,
        ["-27 -27 27", "3 2 2"],
        "-3 !NEGATIVE 5",
        "a:2: `a` is negative and has no square root",
    ),
    (
        "root(a, b)",
        SIGNED,
        ["-27 27 27", "3 0 -3"],
        "-3 !DEGREE !DEGREE",
        "b:2: the degree `b` of the root is not positive",
    ),
    (
        "modinv(a, b)",
        UNSIGNED,
        ["3 6 5", "8 8 8"],
        "3 !NOINVERSE 5",
        "a:2: `a` has no inverse: it has a common divisor with the modulus",
    ),
    (
        "modinv2k(a) * b",
        UNSIGNED,
        ["3 6 5", "3 3 5"],
        "1 !EVEN 1",
        "a:2: `a` is even and has no inverse modulo a power of two",
    ),
    ("jacobi(a, b)", SIGNED, ["3 3 0", "7 8 3"], "-1 !EVEN 0", "b:2: `b` is even: expected an odd number"),
    (
        "mont_mul(a, 1, b)",
        UNSIGNED,
        ["0 3 0", "7 8 9"],
        "0 !EVEN 0",
        "b:2: `b` is even: expected an odd number",
    ),
    (
        "div_wide(a, 0, b)",
        UNSIGNED,
        ["1 7 0", "2 7 7"],
        "32768 !OVERFLOW 0",
        "a:2: `a` is not below the divisor: the quotient has more bits than its type",
    ),
    ("rem_wide(a, 1, b)", UNSIGNED, ["1 7 0", "2 0 7"], "1 !DIV0 1", "b:2: division by zero: `b` is 0"),
];

/// Of every reason: the results with marks, and the first line, operand and reason.
#[test]
fn every_reason_has_its_mark() {
    for (text, is_signed, inputs, marked, first) in REASONS {
        let files = inputs.map(|numbers| format!("{}\n", numbers.replace(' ', "\n")));
        let place = Workplace::new(&[("a", &files[0]), ("b", &files[1])]);
        let mut arguments = vec![text, "--bits", "16", "--format", "dec", "--in", "a=a", "--in", "b=b"];
        arguments.extend(is_signed.then_some("--signed"));
        place.fails(&arguments, 1, first);
        arguments.extend(["--on-error", "mark"]);
        let output = place.run(&arguments);
        let count = marked.matches('!').count();
        let report = format!("{}instances without result marked: {count}; the first is {first}\n", note());
        let found = (output.status.code(), self::text(&output.stdout), self::text(&output.stderr));
        assert_eq!(
            found,
            (Some(0), format!("{}\n", marked.replace(' ', "\n")), report),
            "{text} of {inputs:?}"
        );
    }
}

/// Operands that are computed are called what was written.
#[test]
fn reasons_name_operands_as_expressions() {
    let place = Workplace::new(&[("a", "8\n"), ("d", "3\n"), ("z", "7\n")]);
    for (text, signed, error) in [
        ("powmod(a + d, (-5), z)", true, "line 1: the exponent `-5` is negative"),
        ("(a * d + 1) / (a - a) + z", false, "line 1: division by zero: `a - a` is 0"),
        (
            "jacobi(a + d + z, a * d & z << 1) ",
            false,
            "line 1: `a * d & z << 1` is even: expected an odd number",
        ),
    ] {
        let mut arguments = vec![text, "--bits", "64", "--in", "a=a", "--in", "d=d", "--in", "z=z"];
        arguments.extend(signed.then_some("--signed"));
        place.fails(&arguments, 1, error);
    }
    assert_eq!(
        place.lines(&["divisible(a, d - d) + 2", "--bits", "64", "--in", "a=a", "--in", "d=d"]),
        ["2"]
    );
    assert_eq!(place.lines(&["divisible(a - a, a - a)", "--bits", "64", "--in", "a=a"]), ["1"]);
}

/// The help has all marks of the page on expressions, of which a test asks for every reason.
#[test]
fn the_help_has_every_mark() {
    let help = text(&Workplace::new(&[]).run(&["--help"]).stdout);
    let page = include_str!("../../../docs/expressions.md");
    let rows = page.split("## Marks").nth(1).unwrap().lines().filter(|line| line.starts_with("| `"));
    let marks: Vec<&str> = rows
        .flat_map(|row| row.split(" | ").next().unwrap_or_default().split('`').skip(1).step_by(2))
        .collect();
    assert!(marks.len() >= 9, "{marks:?}");
    for mark in marks {
        assert!(help.contains(&format!("!{mark}")), "{mark}");
    }
}

#[test]
fn the_output_file_replaces_an_old_one_and_may_be_an_input() {
    let place = Workplace::new(&[("a", "1\n2\n"), ("out", "old\n")]);
    for expected in ["2\n4\n", "4\n8\n"] {
        let input = if expected == "2\n4\n" { "a=a" } else { "a=out" };
        assert!(place.lines(&["a + a", "--bits", "8", "--in", input, "--out", "out"]).is_empty());
        assert_eq!(fs::read_to_string(place.folder.path().join("out")).unwrap(), expected);
    }
    assert_eq!(place.names().len(), 2);
}

#[test]
fn standard_input_is_a_file_too() {
    let place = Workplace::new(&[]);
    let mut child = place
        .command(&["a * a", "--bits", "64", "--in", "a=-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"3\n4\n").unwrap();
    assert_eq!(text(&child.wait_with_output().unwrap().stdout), "9\n10\n");
}

#[test]
fn bad_lines_fail_or_are_marked() {
    let place = Workplace::new(&[("a", "1\nzz\n3\n100\n"), ("b", "1\n1\n-1\n1\n"), ("bad", "g\n")]);
    let arguments = ["a + b", "--bits", "8", "--in", "a=a", "--in", "b=b"];
    place.fails(&arguments, 1, "a:2: column 1: expected a digit in base 16, found `z`");
    let output = place.run(&[&arguments[..], &["--on-error", "mark"]].concat());
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), "2\n!SYNTAX\n!RANGE\n!RANGE\n".to_owned())
    );
    let first =
        "bad input lines marked: 3; the first is a:2: column 1: expected a digit in base 16, found `z`\n";
    assert_eq!(text(&output.stderr), format!("{}{first}", note()));
    // An integer that is bad for all lines leaves nothing to mark.
    place.fails(
        &["a + b", "--bits", "8", "--in", "a=a", "--in", "b=bad", "--on-error", "mark"],
        1,
        "bad:1: column 1: expected a digit in base 16, found `g`",
    );
}

#[test]
fn bad_input_is_one_line_and_leaves_nothing() {
    let place = Workplace::new(&[
        ("a", "1\n2\n3\n"),
        ("two", "1\n2\n"),
        ("empty", ""),
        ("wide", &format!("{}\n1\n", "f".repeat(65))),
        ("blank", "1\n\n3\n"),
    ]);
    let ab = |b: &'static str| ["a + b", "--bits", "256", "--in", "a=a", "--in", b];
    place.fails(&ab("b=nofile"), 1, "nofile: cannot open: No such file or directory (os error 2)");
    place.fails(&ab("b=empty"), 1, "empty:1: expected at least one integer, found none");
    let hint = "; --lenient skips empty lines and # comments";
    place.fails(&ab("b=blank"), 1, &format!("blank:2: expected an integer, found an empty line{hint}"));
    place.fails(
        &["b", "--bits", "256", "--in", "b=wide"],
        1,
        "wide:1: the number does not fit u256: it needs 260 bits; expected 0 to 2^256 - 1",
    );
    place.fails(
        &["b", "--bits", "259", "--in", "b=wide"],
        1,
        "wide:1: the number does not fit u259: it needs 260 bits; expected 0 to 2^259 - 1",
    );
    let count = "two:3: expected another integer, found the end of the file: a goes on; files must have the same \
                 number of integers, or one, which is used for all";
    place.fails(&ab("b=two"), 1, count);
    place.fails(&["a + b", "--bits", "256", "--in", "a=two", "--in", "b=a"], 1, count);
}

#[test]
fn a_line_of_100_megabytes_is_refused() {
    let place = Workplace::new(&[("a", "1\n"), ("long", &"7".repeat(100_000_000))]);
    place.fails(
        &["b", "--bits", "512", "--in", "b=long"],
        1,
        "long:1: the line is longer than 4608 bytes; an integer of type u512 has at most 128 digits",
    );
}

#[test]
fn a_bad_expression_says_where() {
    let place = Workplace::new(&[("a", "1\n")]);
    for (expression, error) in [
        ("a + c", "unknown variable `c`\n  a + c\n      ^ the inputs are a"),
        (
            "a +",
            "expected a number, a variable, a function or `(`, found the end of the expression\n  a +\n     ^",
        ),
        (
            "gcdd(a, 6)",
            "unknown function `gcdd`\n  gcdd(a, 6)\n  ^^^^ did you mean `gcd`? (`limbforge functions` lists all)",
        ),
        ("f(a)", "unknown function `f`\n  f(a)\n  ^ (`limbforge functions` lists all)"),
        ("gcd(a)", "expected 2 operands of `gcd`, found 1\n  gcd(a)\n  ^^^^^^ gcd(a, b)"),
        (
            "(a",
            "expected an operator or `)`, found the end of the expression\n  (a\n    ^ the `(` of column 1 is open",
        ),
        (
            "1 + sqr_wide(a)",
            "expected an operand of N bits, found `sqr_wide`\n  1 + sqr_wide(a)\n      ^^^^^^^^ a wide product must be the \
             whole expression; `*` and `mulhi` are its halves",
        ),
        (
            "a + 256",
            "the literal 256 does not fit u8: it needs 9 bits\n  a + 256\n      ^^^ expected 0 to 2^8 - 1: use at least 9 bits",
        ),
        (
            "a**a",
            "expected a number from 0 to 4294967295 as exponent, found a value\n  a**a\n     ^ powmod(a, exponent, m) takes \
             an exponent that is a value",
        ),
    ] {
        place.fails(&[expression, "--bits", "8", "--in", "a=a"], 1, error);
    }
}

/// The sign of an expression is no option, and an option is no expression.
#[test]
fn an_expression_may_begin_with_a_minus() {
    let place = Workplace::new(&[("a", "5\n"), ("b", "7\n")]);
    let inputs = ["--in", "a=a", "--in", "b=b"];
    for (arguments, value) in [
        (&["-a + b", "--bits", "64"][..], "2"),
        (&["--bits", "64", "-a + b"], "2"),
        (&["--bits=64", "-a*b + 0x24"], "1"),
        (&["--bits", "64", "--a + b"], "c"),
        (&["--bits", "64", "-(a - b)"], "2"),
        (&["--bits", "4", "-1 + a - a + b - b"], "f"),
    ] {
        assert_eq!(place.lines(&[arguments, &inputs].concat()), [value], "{arguments:?}");
    }
    assert_eq!(place.lines(&["--bits", "8", "-a", "--in", "a=a"]), ["fb"]);
    assert_eq!(place.lines(&["--bits", "8", "--in", "ab=a", "--", "--ab"]), ["5"]);
    for (arguments, option) in [
        (&["--bit", "64", "a", "--in", "a=a"][..], "--bit"),
        (&["--bits", "64", "--sined", "a", "--in", "a=a"], "--sined"),
        (&["--bits", "64", "--sined", "-a", "--in", "a=a"], "--sined"),
        (&["--formt=dec", "--bits", "8", "a", "--in", "a=a"], "--formt"),
    ] {
        let output = place.run(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.starts_with(&format!("error: unexpected argument '{option}' found")), "{error}");
    }
}

/// A power is `**`; `^` keeps its meaning and gets a warning.
#[test]
fn powers_and_what_looks_like_one() {
    let place = Workplace::new(&[("a", "5\n")]);
    let of = |expression| [expression, "--bits", "64", "--in", "a=a", "--format", "dec"];
    assert_eq!(place.lines(&of("a**3 - 2**6")), ["61"]);
    assert_eq!(
        place.lines(&["-2**63 + a - a", "--bits", "64", "--signed", "--in", "a=a"]),
        ["-8000000000000000"]
    );
    let output = place.run(&of("a + 2^61 - 1"));
    // (a + 2) ^ (61 - 1)
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "59\n"));
    let warning = "warning: ^ is exclusive or; write ** for powers\n  a + 2^61 - 1\n       ^ `**61` is the power, `^ 0x3d` the bits\n";
    assert!(text(&output.stderr).starts_with(warning), "{}", text(&output.stderr));
    assert_eq!(place.lines(&of("a ^ 0x3")), ["6"]);
}

/// A power 0 was the number 1, which used no file and had no failures.
#[test]
fn a_power_0_keeps_its_base() {
    let place = Workplace::new(&[("a", "5\n0\n7\n"), ("b", "4\n")]);
    let of = |expression| {
        [expression, "--bits", "64", "--in", "a=a", "--in", "b=b", "--format", "dec", "--on-error", "mark"]
    };
    assert_eq!(place.lines(&of("a**0 + b")), ["5", "5", "5"]);
    assert_eq!(text(&place.run(&of("(b / a)**0")).stdout), "1\n!DIV0\n1\n");
    // 1 is -1 in i1, which has no number 1.
    fs::write(place.folder.path().join("i1"), "0\n-1\n").unwrap();
    assert_eq!(place.lines(&["a**0", "--bits", "1", "--signed", "--in", "a=i1"]), ["-1", "-1"]);
}

/// The amounts of defects: they lost their sign, or were refused.
#[test]
fn amounts_of_any_size() {
    let place = Workplace::new(&[("a", "5\n")]);
    for (expression, bits, value) in [
        ("a << -18446744073709551615", "64", "0"),
        ("rotl(a, 0xffffffffffffffff)", "8", "82"),
        ("a << 4294967296", "64", "0"),
        ("mask(-18446744073709551615) - a", "8", "fa"),
    ] {
        assert_eq!(place.lines(&[expression, "--bits", bits, "--in", "a=a"]), [value], "{expression}");
    }
}

#[test]
fn short_help_fits_a_screen() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_limbforge")).args(["eval", "-h"]).env("COLUMNS", "80").output();
    let help = text(&output.unwrap().stdout);
    assert!(help.lines().count() <= 24 && help.lines().all(|line| line.chars().count() <= 80), "{help}");
    assert!(help.contains("limbforge functions"), "{help}");
}

/// They had the value of their bits, as 200 had that of -56.
#[test]
fn literals_that_do_not_fit_a_signed_type() {
    let place = Workplace::new(&[("a", "100\n")]);
    let i8 = |expression| [expression, "--bits", "8", "--signed", "--in", "a=a", "--format", "dec"];
    let same_bits = ", or the negative number of the same bits";
    for (expression, literal, needed, more) in [
        ("a < 200", 200, 9, same_bits),
        ("a % 200", 200, 9, same_bits),
        ("powmod(a, 3, 200)", 200, 9, same_bits),
        ("root(a, 255)", 255, 9, same_bits),
        ("a & 0x80", 128, 9, same_bits),
        ("a - 128", 128, 9, same_bits),
        ("a + -128 + 128", 128, 9, same_bits),
        ("0 - (a + 128)", 128, 9, same_bits),
        ("a * -129", 129, 9, same_bits),
        ("a * -256", 256, 10, ""),
    ] {
        // The place where it does not fit: where it is not negated, if it is elsewhere.
        let number = if expression.contains("0x80") { "0x80".to_owned() } else { literal.to_string() };
        let (at, carets) = (expression.rfind(&number).unwrap(), "^".repeat(number.len()));
        let error = format!(
            "the literal {literal} does not fit i8: it needs {needed} bits\n  {expression}\n  {:at$}{carets} expected -2^7 to 2^7 - 1: use \
             at least {needed} bits{more}",
            ""
        );
        place.fails(&i8(expression), 1, &error);
    }
    for (expression, value) in [
        ("a < 127", "1"),
        ("a < -128", "0"),
        ("a >= -128", "1"),
        ("a % -128", "100"),
        ("a & -128", "0"),
        ("min(a, -(128))", "-128"),
        ("a + 2 * -128", "100"),
        ("powmod(a, 3, -128)", "64"),
        // Amounts are no numbers of the type.
        ("(a << 200) + rotl(a, 200)", "100"),
        ("extract(a, 0, 1000) + mask(-300) + 1", "100"),
    ] {
        assert_eq!(place.lines(&i8(expression)), [value], "{expression}");
    }
    assert_eq!(place.lines(&["a < 200", "--bits", "8", "--in", "a=a", "--format", "dec"]), ["1"]);
}

#[test]
fn wrong_usage_is_status_2() {
    let place = Workplace::new(&[("a", "1\n")]);
    let range = "expected a number from 1 to 16777216 (see `limbforge eval --help`)";
    for bits in ["0", "3000000000", "-5", "many", "99999999999999999999999"] {
        let argument = format!("--bits={bits}");
        place.fails(
            &["a", &argument, "--in", "a=a"],
            2,
            &format!("invalid value '{bits}' for '--bits <N>': {range}"),
        );
    }
    for (option, expected) in [
        ("--backend=tpu", "expected auto, cpu, gpu, gpu:I, as in gpu:1, or gpus"),
        ("--device-memory=1T", "expected a number of bytes, or one of K, M, G (powers of 1024), as in 512M"),
    ] {
        let output = place.run(&["a", "--bits", "8", "--in", "a=a", option]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
    let help = "(see `limbforge eval --help`)";
    let base = ["a", "--bits", "8", "--in", "a=a"];
    let with = |more: &[&'static str]| [&base[..], more].concat();
    place.fails(&with(&["--in", "a=a"]), 2, &format!("`--in a=...` is given twice {help}"));
    place.fails(&with(&["--in", "b=a"]), 2, &format!("`--in b=...`: the expression does not use `b` {help}"));
    place.fails(
        &with(&["--format", "bin", "--on-error", "mark"]),
        2,
        &format!("`--on-error mark` needs lines to mark: expected --format hex or dec {help}"),
    );
    for more in
        [&["--limb", "u16"][..], &["--format", "oct"], &["--in", "min=a"], &["--in", "1=a"], &["--in", "a"]]
    {
        let output = place.run(&with(more));
        assert_eq!((output.status.code(), text(&output.stderr).lines().count()), (Some(2), 1), "{more:?}");
    }
}

#[test]
fn an_unwritable_result_is_an_error() {
    let place = Workplace::new(&[("a", "1\n")]);
    let output = place.run(&["a", "--bits", "8", "--in", "a=a", "--out", "no/such/folder"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("error: no/such/folder: cannot create: "));
}

/// Several chunks for each limb: order is kept, and files whose lines differ in length stay in step.
#[test]
fn files_longer_than_a_chunk_stay_in_step() {
    let count = 300_000_u32;
    let padded: String = (0..count).map(|i| format!("{i:0>60x}\n")).collect();
    let short: String = (0..count).map(|i| format!("{:x}\n", i % 7)).collect();
    let place = Workplace::new(&[("a", &padded), ("b", &short)]);
    for limb in ["u32", "u64", "u128"] {
        let wide = place.lines(&["sqr_wide(a)", "--bits", "512", "--in", "a=a", "--limb", limb]);
        assert!(wide.iter().enumerate().all(|(i, line)| *line == format!("{:x}", BigUint::from(i).pow(2))));
        assert_eq!(wide.len(), count as usize);
        let lines = place.lines(&["a*a + b", "--bits", "512", "--in", "a=a", "--in", "b=b", "--limb", limb]);
        assert_eq!(lines.len(), count as usize);
        for (i, line) in lines.iter().enumerate() {
            assert_eq!(*line, format!("{:x}", BigUint::from(i).pow(2) + i % 7), "line {i}");
        }
    }
    fs::write(place.folder.path().join("b"), &short[..short.len() - 2]).unwrap();
    let output = place.run(&["a*a + b", "--bits", "512", "--in", "a=a", "--in", "b=b"]);
    assert!(text(&output.stderr).starts_with("error: b:300000: expected another integer"));
}

/// Where there is no GPU the CPU computes, and says nothing of it; who has asked for a GPU reads what to do.
#[test]
fn without_a_gpu_the_cpu_computes() {
    let place = Workplace::new(&[("a", "2\n3\n"), ("bad", "z\n")]);
    // Where a driver is, no GPU is visible.
    let run = |arguments: &[&str]| {
        let output = place.command(arguments).env("CUDA_VISIBLE_DEVICES", "").output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let squares = ["a*a", "--bits", "64", "--in", "a=a"];
    let of_cpu = (Some(0), "4\n9\n".to_owned(), String::new());
    assert_eq!(run(&squares), of_cpu);
    assert_eq!(run(&[&squares[..], &["--backend", "cpu"]].concat()), of_cpu);
    let (status, _, error) = run(&[&squares[..], &["--backend", "gpu"]].concat());
    assert_eq!(status, Some(1));
    assert!(error.starts_with("error: NVIDIA's driver ") && error.contains("use the CPU backend"), "{error}");
    let (status, _, error) = run(&["a*a", "--bits", "64", "--in", "a=bad"]);
    assert_eq!(
        (status, error.lines().count(), error.starts_with("error: bad:1: ")),
        (Some(1), 1, true),
        "{error}"
    );
}

/// With a GPU the same bytes as the CPU, also in chunks; without one an error that says what to do.
#[test]
fn the_gpu_gives_the_bytes_of_the_cpu_or_says_why_not() {
    let lines: String =
        (1..5000_u32).map(|i| format!("{:x}{:0>100x}\n", i % 9, u64::from(i) * 0x9e37_79b9)).collect();
    let place = Workplace::new(&[("a", &lines), ("b", "123456789abcdef\n")]);
    for expression in ["(a*a + b)*(b*b + b) + a*b - (a >> 3)", "mul_wide(a - b, a)"] {
        let arguments = [expression, "--bits", "1000", "--in", "a=a", "--in", "b=b"];
        let cpu = place.run(&[&arguments[..], &["--backend", "cpu"]].concat());
        assert_eq!(cpu.status.code(), Some(0));
        for memory in [&[][..], &["--device-memory", "400K"]] {
            let gpu = place.run(&[&arguments[..], &["--backend", "gpu"], memory].concat());
            match gpu.status.code() {
                Some(0) => assert!(gpu.stdout == cpu.stdout, "the GPU's results differ from the CPU's"),
                code => {
                    assert_eq!((code, gpu.stdout.len(), text(&gpu.stderr).lines().count()), (Some(1), 0, 1));
                    assert!(text(&gpu.stderr).starts_with("error: "));
                    println!("skipped the GPU: {}", text(&gpu.stderr));
                }
            }
        }
        // auto takes the CPU where there is no GPU.
        assert!(place.run(&arguments).stdout == cpu.stdout);
    }
}
