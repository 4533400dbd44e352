//! Programs on engines: limbs, layouts, slices, checkpoints, and inputs that do not fit.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::time::Duration;

use limbforge::prelude::*;
use limbforge::{CheckpointError, EngineError, InputError, ProgramList};
use tempfile::tempdir;

const SQUARINGS: &str =
    "in n, x\nin t: u32\nvar y = x mod n\nrepeat t { y = sqr(y) }\nout y, inverse = 1 / y";

fn batch<B: Base>(ty: &str, layout: Layout, values: &[i64]) -> Batch<B> {
    let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
    Batch::from_bigints(ty.parse().unwrap(), layout, &values).unwrap()
}

/// x^(2^t) mod n for a modulus of each instance; the last x has no inverse.
fn inputs<B: Base>(layout: Layout) -> [(&'static str, Batch<B>); 3] {
    let n = batch("u100", layout, &[101, 1_000_003, 1 << 40 | 1, 9]);
    [("n", n), ("x", batch("i70", layout, &[-3, 5, 7, 3])), ("t", batch("u32", layout, &[1000]))]
}

fn expected() -> Vec<u64> {
    let squared = |x: i128, n: i128| (0..1000).fold(x.rem_euclid(n), |y, _| y * y % n) as u64;
    vec![squared(-3, 101), squared(5, 1_000_003), squared(7, 1 << 40 | 1), 0]
}

fn runs_in<B: Base>(layout: Layout) {
    let program = Program::parse(SQUARINGS).unwrap();
    let owned = inputs::<B>(layout);
    let named: Vec<(&str, &Batch<B>)> = owned.iter().map(|(name, batch)| (*name, batch)).collect();
    let run = Engine::cpu().run(&program, &named).unwrap();
    assert_eq!(run.result("y").unwrap().to_u64s().unwrap(), expected());
    assert_eq!((run.instances(), run.failures().len(), run.failures()[0].instance), (4, 1, 3));
    assert_eq!(run.failures()[0].place(SQUARINGS), (5, 18));
    assert!(run.result("z").is_none());
}

#[test]
fn results_do_not_depend_on_limbs_and_layout() {
    runs_in::<u32>(Layout::InstanceMajor);
    runs_in::<u64>(Layout::Interleaved);
    runs_in::<u128>(Layout::InstanceMajor);
}

/// Cut after every round or so, and resumed in other limbs from each tenth checkpoint.
#[test]
fn slices_and_checkpoints_change_nothing() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("state");
    let program = Program::parse(SQUARINGS).unwrap();
    let owned = inputs::<u32>(Layout::InstanceMajor);
    let named: Vec<(&str, &Batch<u32>)> = owned.iter().map(|(name, batch)| (*name, batch)).collect();
    let mut session = Engine::cpu().start(&program, &named).unwrap();
    let mut slices = 0;
    while !session.progress().is_done {
        let before = session.progress();
        let after = session.advance(Duration::ZERO).unwrap();
        assert!(after.is_done || after.round > before.round && after.rounds == 1000, "{after:?}");
        if slices % 10 == 0 {
            session.checkpoint(&path).unwrap();
            let mut resumed = Engine::auto().resume::<u128>(&path).unwrap();
            assert_eq!(resumed.progress().round, session.progress().round);
            resumed.advance(Duration::ZERO).unwrap();
            let run = resumed.finish().unwrap();
            assert_eq!(run.result("y").unwrap().to_u64s().unwrap(), expected());
        }
        slices += 1;
    }
    assert!(slices > 3, "{slices}");
    assert_eq!(session.finish().unwrap().failures().len(), 1);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1, "nothing but the checkpoint is left");
}

/// Lists are in checkpoints, and the rows of a run that was interrupted are those of one that was not.
#[test]
fn lists_survive_checkpoints() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("state");
    let text = "in n, x\nlist seen: (u64, mod n, bool, i9) at most 10000\nvar y = x mod n\n\
                for i in 0 .. 300 { y = sqr(y) + 1\nemit seen(u64(i), y, i < 150, -3) where int(y) % 4 == 1 }\nout y";
    let program = Program::parse(text).unwrap();
    let owned = inputs::<u32>(Layout::InstanceMajor);
    let named: Vec<(&str, &Batch<u32>)> = owned[..2].iter().map(|(name, batch)| (*name, batch)).collect();
    let expected = Engine::cpu().run(&program, &named).unwrap();
    let expected = expected.list("seen").unwrap();
    assert!(expected.len() > 50 && expected.instances().is_sorted());
    let mut session = Engine::auto().start(&program, &named).unwrap();
    session.advance(Duration::ZERO).unwrap();
    loop {
        session.checkpoint(&path).unwrap();
        session = Engine::auto().resume::<u32>(&path).unwrap();
        if session.progress().is_done {
            break;
        }
        session.advance(Duration::from_micros(100)).unwrap();
    }
    let run = session.finish().unwrap();
    let found = run.list("seen").unwrap();
    assert_eq!(found.instances(), expected.instances());
    assert!(found.columns() == expected.columns());
    assert!(run.list("y").is_none());
    // A column that lacks a row.
    let column = path.join("list-0-1.bin");
    let mut records = std::fs::read(&column).unwrap();
    records.truncate(records.len() - 8);
    std::fs::write(&column, records).unwrap();
    let damaged = Engine::cpu().resume::<u64>(&path).unwrap_err();
    let EngineError::Checkpoint(error) = damaged else { panic!("{damaged}") };
    assert!(error.to_string().contains("list-0-1.bin"), "{error}");
    let text = text.replace("10000", "50");
    let full = Engine::auto().run(&Program::parse(&text).unwrap(), &named).unwrap_err();
    assert!(full.to_string().contains("the list `seen` gets more than 50 rows"), "{full}");
}

/// Rows that are taken between slices, across checkpoints, are those of a run at once, and count in the
/// most rows of the list.
#[test]
fn rows_are_taken_between_slices() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("state");
    let text = "in n, x\nlist seen: (u64, mod n) at most 500\nlist all: u64 at most 1200\nvar y = x mod n\n\
                for i in 0 .. 300 { y = sqr(y) + 1\nemit seen(u64(i), y) where int(y) % 4 == 1\nemit all(u64(i)) }";
    let program = Program::parse(text).unwrap();
    let owned = inputs::<u32>(Layout::InstanceMajor);
    let named: Vec<(&str, &Batch<u32>)> = owned[..2].iter().map(|(name, batch)| (*name, batch)).collect();
    let run = Engine::cpu().run(&program, &named).unwrap();
    let expected = run.list("seen").unwrap();
    let rows = |list: &ProgramList<u32>| {
        let [i, y] = [0, 1].map(|k| list.columns()[k].to_u64s().unwrap());
        let instances = list.instances().iter().zip(i).zip(y);
        instances.map(|((&instance, i), y)| (instance, i, y)).collect::<Vec<_>>()
    };
    let mut session = Engine::auto().start(&program, &named).unwrap();
    let (mut taken, mut slices) = (vec![], 0);
    while !session.progress().is_done {
        session.advance(Duration::ZERO).unwrap();
        let new = session.take_rows("seen").unwrap().unwrap();
        assert!(new.instances().is_sorted());
        taken.extend(rows(&new));
        assert!(session.take_rows("seen").unwrap().unwrap().is_empty());
        if slices % 20 == 0 {
            session.checkpoint(&path).unwrap();
            session = Engine::auto().resume::<u32>(&path).unwrap();
        }
        slices += 1;
    }
    assert!(slices > 1 && session.take_rows("none").unwrap().is_none());
    let run = session.finish().unwrap();
    assert!(run.list("seen").unwrap().is_empty());
    assert_eq!(run.list("all").unwrap().len(), 1200, "those that were not taken");
    taken.sort_by_key(|row| row.0);
    assert_eq!(taken, rows(expected));
    let most = format!("at most {}", expected.len() - 1);
    let full = Program::parse(&text.replace("at most 500", &most)).unwrap();
    let mut session = Engine::auto().start(&full, &named).unwrap();
    session.advance(Duration::ZERO).unwrap();
    session.take_rows("all").unwrap();
    assert!(!session.take_rows("seen").unwrap().unwrap().is_empty());
    session.checkpoint(&path).unwrap();
    let mut session = Engine::auto().resume::<u32>(&path).unwrap();
    let error = loop {
        session.take_rows("seen").unwrap();
        match session.advance(Duration::ZERO) {
            Ok(progress) => assert!(!progress.is_done),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("the list `seen` gets more than"), "{error}");
}

#[test]
fn inputs_that_do_not_fit_are_named() {
    let program = Program::parse("in a, b: u8\nin c: [u8; 2]\nout s = a + b + c[0]").unwrap();
    let bytes = |values: &[i64]| batch::<u64>("u8", Layout::InstanceMajor, values);
    let (one, three, four) = (bytes(&[1]), bytes(&[1, 2, 3]), bytes(&[1, 2, 3, 4]));
    let wide = batch::<u64>("u9", Layout::InstanceMajor, &[1]);
    let run = |inputs: &[(&str, &Batch<u64>)]| Engine::cpu().run(&program, inputs);
    let refused = |inputs: &[(&str, &Batch<u64>)]| match run(inputs) {
        Err(EngineError::Input(error)) => error,
        other => panic!("{other:?}"),
    };
    let sum = run(&[("a", &one), ("b", &one), ("c", &four)]).unwrap();
    assert_eq!(sum.result("s").unwrap().to_u64s().unwrap(), [3, 5]);
    assert!(matches!(
        refused(&[("a", &one), ("b", &one), ("c", &three)]),
        InputError::Elements { elements: 2, .. }
    ));
    assert!(matches!(
        refused(&[("a", &three), ("b", &one), ("c", &four)]),
        InputError::Instances { found: 2, .. }
    ));
    let wide = run(&[("a", &one), ("b", &wide), ("c", &four)]).unwrap_err();
    assert!(matches!(wide, EngineError::Program(_)), "{wide}");
    assert!(matches!(refused(&[("a", &one), ("c", &four)]), InputError::Missing { .. }));
    let twice = [("a", &one), ("b", &one), ("c", &four), ("a", &one)];
    assert!(matches!(refused(&twice), InputError::Twice { .. }));
    let unknown = [("a", &one), ("b", &one), ("c", &four), ("d", &one)];
    assert!(matches!(refused(&unknown), InputError::Unknown { .. }));
    let none = bytes(&[]);
    let empty = run(&[("a", &none), ("b", &one), ("c", &none)]).unwrap();
    assert_eq!((empty.instances(), empty.result("s").unwrap().instances()), (0, 0));
}

#[test]
fn a_checkpoint_that_is_missing_or_occupied_is_an_error() {
    let folder = tempdir().unwrap();
    let missing = Engine::cpu().resume::<u64>(&folder.path().join("none")).unwrap_err();
    let EngineError::Checkpoint(error) = missing else { panic!("{missing}") };
    assert!(matches!(*error, CheckpointError::File { .. }));
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    let program = Program::parse("out x = 1").unwrap();
    let mut session = Engine::cpu().start::<u64>(&program, &[]).unwrap();
    let occupied = session.checkpoint(&file).unwrap_err();
    let EngineError::Checkpoint(error) = occupied else { panic!("{occupied}") };
    assert!(matches!(*error, CheckpointError::Occupied { .. }));
    assert_eq!(std::fs::read(file).unwrap(), b"mine");
}
