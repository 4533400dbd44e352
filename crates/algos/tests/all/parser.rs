//! The parser and texts that nobody would write: an expression or an error, in bounded time.

use std::time::{Duration, Instant};

use limbforge_algos::expr::{Expr, ParseErrorKind};
use proptest::prelude::*;

/// Whatever the text, its report and its graph can be made.
fn parse(text: &str) {
    let inputs = ["a", "b"];
    for inputs in [None, Some(&inputs[..])] {
        match Expr::parse_with_warnings(text, inputs) {
            Ok(parsed) => {
                let dag = parsed.expr.to_dag();
                if let Err(error) = dag.result_type("i8".parse().unwrap()) {
                    check(&parsed.report(text, &error).to_string());
                }
                for warning in &parsed.warnings {
                    check(&warning.report(text).to_string());
                }
            }
            Err(error) => {
                assert!(error.span.end <= text.len() && text.is_char_boundary(error.span.start), "{error:?}");
                check(&error.report(text).to_string());
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
}

fn check(report: &str) {
    let lines: Vec<&str> = report.lines().collect();
    assert!(lines.len() == 3 && lines[2].contains('^'), "{report}");
    assert!(lines[1].chars().count() < 90, "{report}");
}

const TOKENS: [&str; 46] = [
    "a",
    "b",
    "x",
    "gcd",
    "gcd(",
    "mask(",
    "insert(a, b,",
    "select(",
    "mul_wide(",
    "frobnicate(",
    "(",
    ")",
    ",",
    "+",
    "-",
    "*",
    "**",
    "/",
    "%",
    "&",
    "|",
    "^",
    "~",
    "<<",
    ">>",
    "<",
    "<=",
    "==",
    "!=",
    "=",
    "!",
    "&&",
    "0",
    "1",
    "2",
    "7",
    "300",
    "0x",
    "0xff",
    "12ab",
    "1_000",
    "_",
    "99999999999999999999999",
    "é",
    "\n",
    "\t",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn no_soup_of_tokens_panics(tokens in proptest::collection::vec(proptest::sample::select(TOKENS.to_vec()), 0..25), blanks: bool) {
        parse(&tokens.join(if blanks { " " } else { "" }));
    }

    #[test]
    fn no_text_panics(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_string_of_characters_panics(text in "\\PC{0,60}") {
        parse(&text);
    }
}

/// A result or an error within seconds, of a build without optimisation too.
fn within_seconds(text: &str) -> Result<Expr, ParseErrorKind> {
    let start = Instant::now();
    let result = Expr::parse(text).map_err(|error| {
        assert!(error.to_string().len() < 500, "{} characters", error.to_string().len());
        check(&error.report(text).to_string());
        error.kind
    });
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?} for {} characters", text.len());
    result
}

#[test]
fn long_numbers_take_bounded_time() {
    let digits = "7".repeat(1_000_000);
    assert!(within_seconds(&digits).is_ok());
    assert!(within_seconds(&format!("a << -{digits}")).is_ok());
    assert!(within_seconds(&format!("a + 0x{}", "f".repeat(1 << 22))).is_ok());
    let zeros = "0".repeat(20_000_000);
    assert!(within_seconds(&format!("{zeros}1")).is_ok());
    let longer = format!("1 + {}", "7".repeat(20_000_000));
    assert_eq!(within_seconds(&longer).err(), Some(ParseErrorKind::LongNumber));
    assert_eq!(
        within_seconds(&format!("0x1{}", "0".repeat(1 << 22))).err(),
        Some(ParseErrorKind::LongNumber)
    );
    assert_eq!(within_seconds(&format!("a ** {digits}")).err(), Some(ParseErrorKind::Exponent));
    assert_eq!(within_seconds("9**9**9").err(), Some(ParseErrorKind::LongNumber));
    assert_eq!(within_seconds(&format!("{digits}x")).err(), Some(ParseErrorKind::Syntax));
}

#[test]
fn deep_texts_are_errors() {
    for opening in
        ["(", "-", "~", "a << (", "mask(", "gcd(a, ", "a ** (", "a ** -", "a**", "-(", "select(a, b, "]
    {
        for times in [199, 201, 100_000] {
            let _ = within_seconds(&opening.repeat(times));
            let _ = within_seconds(&format!("{}a{}", opening.repeat(times), ")".repeat(times)));
        }
    }
    // Wide, not deep.
    assert!(within_seconds(&format!("gcd({}", "a, ".repeat(100_000))).is_err());
    assert!(within_seconds(&["a"; 100_000].join(" - ")).is_ok());
    assert!(within_seconds(&format!("a{}", " ^ 2".repeat(100_000))).is_ok());
}
