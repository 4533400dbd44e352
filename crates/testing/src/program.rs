//! Random typed programs as text, and operands for them.
//!
//! A program is drawn from a source of choices, as [random expressions](limbforge_algos::expr::random) are:
//! equal choices give equal programs, and choices of 0 the smallest one, so that a harness that shrinks choices
//! shrinks the program.
//!
//! | to find | look into |
//! | --- | --- |
//! | types, names and choices | `program/writer.rs` |
//! | integers: every row of the table of operations | `program/integers.rs` |
//! | residues, truth values, arrays | `program/values.rs` |
//! | declarations, assignments, branches, functions | `program/statements.rs`, `program/inference.rs` |
//! | loops | `program/loops.rs` |
//! | lists and their rows | `program/lists.rs` |

mod inference;
mod integers;
mod lists;
mod loops;
mod operands;
mod statements;
mod values;
mod writer;

use limbforge_limb::IntType;
use num_bigint::BigInt;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use writer::Writer;

/// Choices of a random program.
const CHOICES: usize = 1500;

/// A random program with its operands.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text.
    pub text: String,
    /// The number of instances.
    pub instances: usize,
    /// The inputs in the program's order.
    pub inputs: Vec<Input>,
}

/// The batch of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: &'static str,
    /// The type of its batch.
    pub ty: IntType,
    /// Integers for each instance.
    pub elements: usize,
    /// The integers of each instance in turn, or those of one for all.
    pub values: Vec<BigInt>,
}

impl Input {
    /// The integers of an instance.
    #[must_use]
    pub fn of(&self, instance: usize) -> &[BigInt] {
        let first = if self.values.len() == self.elements { 0 } else { instance * self.elements };
        &self.values[first..first + self.elements]
    }
}

/// The names of inputs with the types of their batches.
#[must_use]
pub fn types(inputs: &[Input]) -> Vec<(&'static str, IntType)> {
    inputs.iter().map(|input| (input.name, input.ty)).collect()
}

/// The integers of an instance in each input.
#[must_use]
pub fn integers(inputs: &[Input], instance: usize) -> Vec<(&'static str, Vec<BigInt>)> {
    inputs.iter().map(|input| (input.name, input.of(instance).to_vec())).collect()
}

/// Random programs with operands for so many instances. They shrink to shorter programs.
pub fn case(instances: usize) -> BoxedStrategy<Case> {
    let choices = proptest::collection::vec(any::<u32>(), CHOICES / 2..CHOICES);
    let program = choices.prop_map(|choices| {
        let mut choices = choices.into_iter();
        let mut choose =
            |n: u32| ((u64::from(choices.next().unwrap_or_default()) * u64::from(n)) >> 32) as u32;
        Writer::new(&mut choose).program()
    });
    program.prop_flat_map(move |program| operands::case(program, instances)).boxed()
}

/// The random program of a seed: the same on every machine.
///
/// ```
/// let case = limbforge_testing::program::seeded(7, 3);
/// assert!(limbforge_algos::program::Program::parse(&case.text).is_ok());
/// assert_eq!(case.instances, 3);
/// ```
///
/// # Panics
/// Never: all choices give a program.
#[must_use]
pub fn seeded(seed: u64, instances: usize) -> Case {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    match case(instances).new_tree(&mut runner) {
        Ok(tree) => tree.current(),
        Err(reason) => panic!("no program: {reason}"),
    }
}
