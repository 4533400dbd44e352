//! Programs on the CPU: equal to the oracle, at once and cut anywhere.

mod integers;
mod lists;
mod random;
mod residues;
mod samples;
mod stages;
mod states;

use limbforge_algos::cpu::program::{Completed, Runner};
use limbforge_algos::expr::random::SplitMix64;
use limbforge_algos::program::{Input, Program, ProgramFailure, Rows, TypedProgram};
use limbforge_limb::{Batch, IntType, Layout};
use limbforge_reference::program::Reading;
use num_bigint::{BigInt, BigUint};

const COUNTS: [usize; 6] = [0, 1, 63, 64, 65, 1000];

/// An input: its name, its type, and the integers of each instance in turn, or of one for all.
type Given<'g> = (&'g str, IntType, Vec<BigInt>);

/// Results, failures and lists.
type Results = (Vec<Batch<u64>>, Vec<ProgramFailure>, Vec<Rows>);

fn completed(run: Runner) -> Results {
    let Completed { results, failures, lists } = run.complete().unwrap_or_else(|error| panic!("{error}"));
    (results, failures, lists)
}

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

fn given<'g, T: Into<BigInt>>(name: &'g str, of: &str, values: impl IntoIterator<Item = T>) -> Given<'g> {
    (name, ty(of), values.into_iter().map(Into::into).collect())
}

/// Uniform bits, of a length that is uniform too.
fn random(seed: &mut SplitMix64, bits: u32) -> BigInt {
    let words = (0..bits.div_ceil(32)).map(|_| seed.next_u64() as u32).collect();
    let short = seed.next_u64() % 4;
    BigInt::from(BigUint::new(words) % (BigUint::from(1_u8) << bits)) >> (u64::from(bits) * short / 5)
}

fn typed(program: &Program, inputs: &[Given<'_>]) -> TypedProgram {
    let types: Vec<_> = inputs.iter().map(|(name, ty, _)| (*name, *ty)).collect();
    program.typed(&types).unwrap_or_else(|error| panic!("{}", error.report(program.text())))
}

/// The batches in the program's order, every second one interleaved.
fn batches(program: &TypedProgram, inputs: &[Given<'_>]) -> Vec<Batch<u64>> {
    let layouts = [Layout::InstanceMajor, Layout::Interleaved].into_iter().cycle();
    let batch = |(input, layout): (&Input, Layout)| {
        let (_, ty, values) = inputs.iter().find(|(name, ..)| **name == *input.name).unwrap();
        Batch::from_bigints(*ty, layout, values).unwrap_or_else(|error| panic!("{error}"))
    };
    program.inputs().iter().zip(layouts).map(batch).collect()
}

/// Runs a program at once.
fn at_once(program: &TypedProgram, inputs: &[Given<'_>], instances: usize) -> Results {
    let run = Runner::new(program, batches(program, inputs), instances);
    completed(run.unwrap_or_else(|error| panic!("{error}")))
}

/// Runs a program in slices; from every state another run goes on, and at times replaces the first.
fn in_slices(program: &TypedProgram, inputs: &[Given<'_>], instances: usize, slice: u64) -> Results {
    let mut run = Runner::new(program, batches(program, inputs), instances).unwrap();
    let mut number = 0;
    while !run.is_done() {
        let state = run.state();
        let mut again = Runner::from_state(program, batches(program, inputs), instances, &state).unwrap();
        assert_eq!(again.state(), state);
        if number % 2 == 0 {
            run = again;
        }
        run.advance(slice);
        number += 1;
    }
    completed(run)
}

/// Compares a program with the oracle, at once and in slices. Returns the marks of its failures.
fn check(text: &str, inputs: &[Given<'_>], instances: usize, slice: u64) -> Vec<&'static str> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{}", error.report(text)));
    let typed = typed(&program, inputs);
    let (results, failures, lists) = at_once(&typed, inputs, instances);
    let sliced = in_slices(&typed, inputs, instances, slice);
    assert_eq!((&sliced.0, &sliced.1), (&results, &failures), "in slices of {slice}:\n{text}");
    assert_eq!(sliced.2, lists, "lists in slices of {slice}:\n{text}");
    let rows_of = |rows: &Rows| -> Vec<(u64, Vec<BigInt>)> {
        let columns: Vec<Vec<BigInt>> = rows.columns().unwrap().iter().map(Batch::to_bigints).collect();
        let row = |(i, &instance): (usize, &u64)| (instance, columns.iter().map(|c| c[i].clone()).collect());
        rows.instances().iter().enumerate().map(row).collect()
    };
    let mut expected_rows = vec![vec![]; lists.len()];
    let results: Vec<Vec<BigInt>> = results.iter().map(Batch::to_bigints).collect();
    let types: Vec<_> = inputs.iter().map(|(name, ty, _)| (*name, *ty)).collect();
    let reading = Reading::new(program.tree(), &types);
    let mut failed = failures.iter();
    for instance in 0..instances {
        let values = typed.inputs().iter().map(|input| {
            let (name, _, values) = inputs.iter().find(|(name, ..)| **name == *input.name).unwrap();
            let elements = input.elements as usize;
            let first = if values.len() == elements { 0 } else { instance * elements };
            (*name, values[first..first + elements].to_vec())
        });
        let expected = reading.run_with_lists(instance, &values.collect::<Vec<_>>());
        let (expected, rows) = expected;
        for (all, rows) in expected_rows.iter_mut().zip(rows) {
            all.extend(rows.into_iter().map(|row| (instance as u64, row)));
        }
        for (k, result) in results.iter().enumerate() {
            let found = &result[instance * result.len() / instances..][..result.len() / instances];
            match &expected {
                Ok(outputs) => {
                    assert_eq!(found, outputs[k].values, "instance {instance}, result {k}:\n{text}");
                }
                Err(_) => assert!(found.iter().all(|value| *value == BigInt::ZERO), "instance {instance}"),
            }
        }
        if let Err(stopped) = expected {
            let found = failed.next().map(|failure| (failure.instance, failure.why.mark(), failure.span));
            assert_eq!(found, Some((instance, stopped.mark, stopped.place)), "\n{text}");
        }
    }
    assert_eq!(failed.next(), None, "\n{text}");
    assert_eq!(lists.iter().map(rows_of).collect::<Vec<_>>(), expected_rows, "\n{text}");
    failures.iter().map(|failure| failure.why.mark()).collect()
}
