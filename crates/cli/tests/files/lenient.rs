//! Empty lines and comments, which `--lenient` skips.

use crate::{Folder, text};

const HINT: &str = "; --lenient skips empty lines and # comments";

fn folder() -> Folder {
    Folder::new(&[
        ("a", b"# moduli\n\n15 # 3 * 5\r\n  \n21\n\n# end\n"),
        ("b", b"2\n3\n"),
        ("one", b"\n#\n4\n\n# the only one\n"),
        ("bad", b"1\n\n\n# no number:\nzz\n"),
        ("zero", b"# divisors\n1\n\n0\n"),
        ("only", b"# nothing\n\n"),
        ("p", b"# x + 1\n1 1\n\n 2 # two\n"),
        ("q", b"1 2 1\n5\n"),
        ("r", b"\n#\n1 1\n\n0 # a divisor\n"),
    ])
}

#[test]
fn lenient_skips_empty_lines_and_comments() {
    let folder = folder();
    let eval = |arguments: &str| folder.ok(&format!("eval {arguments} --bits 8 --format dec --lenient"));
    assert_eq!(eval("a*b --in a=a --in b=b"), "30\n63\n");
    // A file of one number, whatever follows it.
    assert_eq!(eval("a*b --in a=a --in b=one"), "60\n84\n");
    let poly = |arguments: &str| folder.ok(&format!("poly {arguments} --prime 97 --lenient"));
    assert_eq!(poly("mul --in p --in q"), "1 3 3 1\n10\n");
    assert_eq!(poly("mul --in q --in one"), "4 8 4\n20\n");
}

#[test]
fn without_lenient_the_error_says_that_there_is_one() {
    let folder = folder();
    let eval = |file: &str| folder.fails(&format!("eval a --bits 8 --format dec --in a={file} --out out"), 1);
    assert_eq!(eval("a"), format!("a:1: column 1: expected a digit in base 10, found `#`{HINT}"));
    assert_eq!(eval("bad"), format!("bad:2: expected an integer, found an empty line{HINT}"));
    let poly = |file: &str| folder.fails(&format!("poly mul --prime 97 --in {file} --in q"), 1);
    let error = poly("p");
    assert!(error.starts_with("p:1: coefficient 0: `#`: ") && error.ends_with(HINT), "{error}");
    let why = "expected coefficients, found an empty line; the polynomial 0 is written 0";
    assert_eq!(poly("r"), format!("r:1: {why}{HINT}"));
}

#[test]
fn lines_keep_their_numbers() {
    let folder = folder();
    let eval = |arguments: &str| {
        folder.fails(&format!("eval {arguments} --bits 8 --format dec --lenient --out out"), 1)
    };
    assert_eq!(eval("a --in a=bad"), "bad:5: column 1: expected a digit in base 10, found `z`");
    assert_eq!(eval("a/b --in a=b --in b=zero"), "zero:4: division by zero: `b` is 0");
    // No file has the divisor: the line is that of the numbers.
    assert_eq!(eval("b/(b-b) --in b=zero"), "zero:2: division by zero: `b - b` is 0");
    assert_eq!(eval("a --in a=only"), "only:1: expected at least one integer, found none");
    let error = eval("a+b --in a=a --in b=bad");
    assert_eq!(error, "bad:5: column 1: expected a digit in base 10, found `z`");
    let output = folder.run("eval a/b --bits 8 --in a=b --in b=zero --lenient --on-error mark");
    assert_eq!(text(&output.stdout), "2\n!DIV0\n");
    assert!(text(&output.stderr).ends_with("the first is zero:4: division by zero: `b` is 0\n"));
    let error = folder.fails("poly divrem --prime 97 --in q --in r --lenient", 1);
    assert!(error.starts_with("r:5: division by the zero polynomial"), "{error}");
    let error = folder.fails("poly mul --prime 97 --in a --in b --lenient --in q --in bad", 1);
    assert!(error.starts_with("bad:5: coefficient 0: `zz`"), "{error}");
}

#[test]
fn binary_records_have_no_lines_to_skip() {
    let error = folder().fails("eval a --bits 8 --in a=b --format bin --lenient", 2);
    let expected = "`--lenient` skips lines, which binary records are not: expected --format hex or dec";
    assert_eq!(error, format!("{expected} (see `limbforge eval --help`)"));
}
