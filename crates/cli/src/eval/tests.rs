//! Whatever the chunks, pieces and blocks: results and errors are those of a reference that knows the numbers
//! of random files, computes with `num-bigint` and has no chunks.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[cfg(all(feature = "arrow", feature = "csv", feature = "parquet"))]
mod columns;
mod files;
mod reference;

use std::io::{Read, pipe};
use std::os::fd::AsRawFd;
use std::{fs, thread};

use clap::Parser;

use self::files::{Case, Random};
use super::arguments::EvalArguments;
use super::sizes::Sizes;
use crate::error::CliError;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    eval: EvalArguments,
}

/// Few bytes and instances, so that every file has many chunks, pieces and blocks.
fn tiny(random: &mut Random) -> Sizes {
    Sizes {
        chunk: 1 + random.below(3000),
        first_chunk: 1 + random.below(300),
        ahead: 1 + random.below(6000),
        block: 1 + random.below(400),
        evaluators: 1 + random.below(4),
        first_piece: 1 + random.below(5),
    }
}

/// The bytes that reach a pipe, and the outcome.
fn to_pipe(arguments: &[String], sizes: Sizes) -> (Vec<u8>, Result<(), CliError>) {
    let (mut source, sink) = pipe().unwrap();
    let out = format!("/proc/self/fd/{}", sink.as_raw_fd());
    let reader = thread::spawn(move || {
        let mut bytes = vec![];
        source.read_to_end(&mut bytes).map(|_| bytes).unwrap()
    });
    let outcome = run(arguments, &out, sizes);
    drop(sink);
    (reader.join().unwrap(), outcome)
}

fn run(arguments: &[String], out: &str, sizes: Sizes) -> Result<(), CliError> {
    let words = ["eval"].into_iter().chain(arguments.iter().map(String::as_str));
    let line = Line::try_parse_from(words.chain(["--backend", "cpu", "--out", out])).unwrap();
    super::run_with(&line.eval, sizes)
}

fn check(seed: u64) {
    let mut random = Random::new(seed);
    let mut case = Case::random(&mut random);
    let folder = tempfile::tempdir().unwrap();
    let arguments = case.write(folder.path(), &mut random);
    let (expected, error) = case.expected();
    for sizes in [Sizes::default(), tiny(&mut random), tiny(&mut random)] {
        let about = format!("seed {seed}, {sizes:?}, {arguments:?}");
        let (found, outcome) = to_pipe(&arguments, sizes);
        match (&outcome, &error) {
            (Ok(()), None) => {}
            (Err(found), Some(expected)) => {
                let found = found.to_string().replace(&format!("{}/", folder.path().display()), "");
                assert!(found.starts_with(expected), "{found} in place of {expected}: {about}");
            }
            _ => panic!("{outcome:?} in place of {error:?}: {about}"),
        }
        assert!(found == expected, "{} bytes in place of {}: {about}", found.len(), expected.len());
        let out = folder.path().join("out");
        let written = run(&arguments, out.to_str().unwrap(), sizes).is_ok();
        assert_eq!((written, fs::read(&out).ok()), (error.is_none(), error.is_none().then_some(found)));
        let _ = fs::remove_file(out);
    }
}

/// Parts of a run after each other are the whole.
fn check_shards(seed: u64) {
    let mut random = Random::new(seed);
    let mut case = Case::random(&mut random);
    let folder = tempfile::tempdir().unwrap();
    let arguments = case.write(folder.path(), &mut random);
    let (expected, error) = case.expected();
    let of = 1 + random.below(5);
    let mut all = vec![];
    for number in 1..=of {
        let shard = ["--shard".to_owned(), format!("{number}/{of}")];
        let (found, outcome) = to_pipe(&[&arguments[..], &shard].concat(), tiny(&mut random));
        all.extend(found);
        if let (Err(found), Some(expected)) = (&outcome, &error) {
            // Parts before that of the error have their results; files that do not go together have none.
            let found = found.to_string().replace(&format!("{}/", folder.path().display()), "");
            let counts = case.columns.each_ref().map(|column| column.records.len());
            let are_unequal = counts[0] != counts[1] && !counts.contains(&1);
            let is_expected = if are_unequal {
                found.contains("expected another integer") && all.is_empty()
            } else {
                found.starts_with(expected) && all == case.expected().0
            };
            assert!(is_expected, "{found} in place of {expected}: seed {seed}");
            return;
        }
        assert!(outcome.is_ok(), "{outcome:?}: part {number} of {of}, seed {seed}, {arguments:?}");
    }
    assert!(error.is_none() && all == expected, "{of} parts, {error:?}: seed {seed}, {arguments:?}");
}

/// The results of assignments are those of a run for each, whatever the chunks.
fn check_several(seed: u64) {
    let mut random = Random::new(seed);
    let mut case = Case::random(&mut random);
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = case.write(folder.path(), &mut random);
    let (expected, error) = case.expected();
    let others = (["a ^ b", "b % a", "mul_wide(b, a)"], [folder.path().join("x"), folder.path().join("y")]);
    let (x, y) = (random.pick(&others.0), case.expression);
    let mut alone = |expression: &str| {
        arguments[0] = expression.to_owned();
        to_pipe(&arguments, Sizes::default())
    };
    let (of_x, x_outcome) = alone(x);
    assert_eq!(alone(y).0, expected);
    arguments[0] = format!("y = {y}; x = {x}");
    let [to_x, to_y] = others.1.each_ref().map(|path| path.to_str().unwrap());
    arguments.extend(["--out".to_owned(), format!("x={to_x}")]);
    let outcome = run(&arguments, &format!("y={to_y}"), tiny(&mut random));
    let found = others.1.each_ref().map(|path| fs::read(path).ok());
    match (outcome, x_outcome, error) {
        (Ok(()), Ok(()), None) => {
            assert_eq!(found, [Some(of_x), Some(expected)], "seed {seed}, {arguments:?}");
        }
        (Err(_), Err(_), _) | (Err(_), _, Some(_)) => assert_eq!(found, [None, None], "seed {seed}"),
        (found, x, y) => panic!("{found:?} of {x:?} and {y:?}: seed {seed}, {arguments:?}"),
    }
}

#[test]
fn several_results_are_those_of_a_run_for_each() {
    (2000..2040).for_each(check_several);
}

#[test]
fn parts_are_the_whole() {
    (1000..1150).for_each(check_shards);
}

#[test]
fn chunks_change_nothing() {
    (0..150).for_each(check);
}
