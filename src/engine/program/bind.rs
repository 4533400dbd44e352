//! The inputs of a program, by their names.

use limbforge_algos::program::{Program, TypedProgram};
use limbforge_limb::{Base, Batch};

/// A program and batches that do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A name that is no input of the program.
    #[error("the program has no input `{name}`; expected one of: {}", expected.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The program's inputs.
        expected: Vec<String>,
    },
    /// An input without a batch.
    #[error("the program's input `{name}` has no batch; given are: {}", given.join(", "))]
    Missing {
        /// The input.
        name: String,
        /// The names that are given.
        given: Vec<String>,
    },
    /// A name with two batches.
    #[error("input `{name}` is given twice; expected one batch")]
    Twice {
        /// The name.
        name: String,
    },
    /// Integers that are not whole arrays.
    #[error("input `{name}` has {found} integers; expected {elements} for each instance")]
    Elements {
        /// The input.
        name: String,
        /// The elements of an instance.
        elements: u32,
        /// The integers of the batch.
        found: usize,
    },
    /// Another number of instances than another input has.
    #[error(
        "input `{name}` has {found} instances; expected {expected} as in `{first}`, or 1, which is used for all"
    )]
    Instances {
        /// The input.
        name: String,
        /// The number of instances of another input.
        expected: usize,
        /// Its instances.
        found: usize,
        /// The input that sets the number.
        first: String,
    },
}

/// The batches in the order of the program's inputs.
pub(super) fn ordered<'b, B: Base>(
    program: &Program,
    inputs: &[(&str, &'b Batch<B>)],
) -> Result<Vec<&'b Batch<B>>, InputError> {
    let owned = |name: &str| name.to_owned();
    for (i, (given, _)) in inputs.iter().enumerate() {
        if inputs[..i].iter().any(|(other, _)| other == given) {
            return Err(InputError::Twice { name: owned(given) });
        }
        if !program.inputs().any(|(name, _)| name == *given) {
            let expected = program.inputs().map(|(name, _)| owned(name)).collect();
            return Err(InputError::Unknown { name: owned(given), expected });
        }
    }
    let batch = |(name, _)| {
        let found = inputs.iter().find(|(given, _)| *given == name).map(|(_, batch)| *batch);
        let given = || inputs.iter().map(|(given, _)| owned(given)).collect();
        found.ok_or_else(|| InputError::Missing { name: owned(name), given: given() })
    };
    program.inputs().map(batch).collect()
}

/// The number of instances that batches in the order of the inputs have; 1 if there are none.
pub(super) fn instances<B: Base>(program: &TypedProgram, inputs: &[&Batch<B>]) -> Result<usize, InputError> {
    let mut known: Option<(usize, &str)> = None;
    for (input, batch) in program.inputs().iter().zip(inputs) {
        let (name, elements) = (input.name.to_string(), input.elements);
        let found = batch.instances() / elements.max(1) as usize;
        if found * elements as usize != batch.instances() {
            return Err(InputError::Elements { name, elements, found: batch.instances() });
        }
        match known {
            _ if found == 1 => {}
            None => known = Some((found, &input.name)),
            Some((expected, first)) if expected != found => {
                return Err(InputError::Instances { name, expected, found, first: first.to_owned() });
            }
            Some(_) => {}
        }
    }
    Ok(known.map_or(1, |(instances, _)| instances))
}
