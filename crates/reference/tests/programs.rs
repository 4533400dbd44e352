//! Random programs, as the oracle reads them.

use std::collections::BTreeSet;

use limbforge_algos::op::operations;
use limbforge_algos::program::Program;
use limbforge_reference::program::Reading;
use limbforge_testing::program::{integers, seeded, types};

/// Programs that are drawn.
const PROGRAMS: u64 = 1500;

/// Rows of the table, kinds of statements and expressions, and failures are all drawn.
#[test]
fn everything_is_drawn() {
    let mut words = BTreeSet::new();
    let mut marks = BTreeSet::new();
    let (mut instances, mut stopped) = (0, 0);
    for seed in 0..PROGRAMS {
        let case = seeded(seed, 3);
        let _shown = Shown(seed, &case.text);
        let program =
            Program::parse(&case.text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", case.text));
        words.extend(words_of(&case.text));
        let reading = Reading::new(program.tree(), &types(&case.inputs));
        for instance in 0..case.instances {
            instances += 1;
            if let Err(failure) = reading.run(&integers(&case.inputs, instance)) {
                stopped += 1;
                marks.insert(failure.mark);
            }
        }
    }
    let missing: Vec<&str> = operations().map(|row| row.name).filter(|name| !words.contains(*name)).collect();
    assert!(missing.is_empty(), "no program has {missing:?}");
    let kinds = [
        "const",
        "in",
        "fn",
        "out",
        "let",
        "var",
        "repeat",
        "for",
        "while",
        "limit",
        "if",
        "else",
        "require",
        "mod",
        "and",
        "or",
        "not",
        "after",
        "bits",
        "digits",
        "swap",
        "bit",
        "bit_length",
        "int",
        "key",
        "jacobi",
        "list",
        "emit",
        "where",
        "random",
        "instance",
        "bool",
        "true",
        "false",
    ];
    let missing: Vec<&str> = kinds.into_iter().filter(|kind| !words.contains(*kind)).collect();
    assert!(missing.is_empty(), "no program has {missing:?}");
    let all = [
        "DEGREE",
        "DIV0",
        "EVEN",
        "INDEX",
        "INEXACT",
        "LIMIT",
        "NEGATIVE",
        "NOINVERSE",
        "OVERFLOW",
        "REQUIRE",
    ];
    assert_eq!(marks.into_iter().collect::<Vec<_>>(), all);
    assert!(stopped * 2 < instances, "{stopped} of {instances} instances stop");
}

/// A program that is shown where a test panics.
struct Shown<'c>(u64, &'c str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}:\n{}", self.0, self.1);
        }
    }
}

/// Names and signs.
fn words_of(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for piece in text.split_whitespace() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        words.extend(piece.split(|c| !is_name(c)).map(str::to_owned));
        words.extend(piece.split(|c| is_name(c) || "(){}[],".contains(c)).map(str::to_owned));
    }
    words
}
