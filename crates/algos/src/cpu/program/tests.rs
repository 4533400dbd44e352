//! Programs without texts: loops, branches, failures, residues, and runs that are cut.

mod integers;
mod residues;

use limbforge_limb::{Batch, IntType, Layout};

use super::Runner;
use crate::program::{ProgramFailure, TypedProgram};

const COUNTS: [usize; 6] = [0, 1, 63, 64, 65, 1000];

fn ty(bits: u64) -> IntType {
    IntType::unsigned(bits).unwrap_or_else(|_| panic!("a width"))
}

fn words(ty: IntType, values: &[u64]) -> Batch<u64> {
    Batch::from_u64s(ty, Layout::InstanceMajor, values).unwrap_or_else(|_| panic!("they fit"))
}

type Results = (Vec<Batch<u64>>, Vec<ProgramFailure>);

/// The results of a run at once, which equal those of a run in slices, from whose states others go on.
fn run(program: &TypedProgram, inputs: &[Batch<u64>], instances: usize, slice: u64) -> Results {
    let new = || Runner::new(program, inputs.to_vec(), instances).unwrap_or_else(|error| panic!("{error}"));
    let expected = new().finish();
    let mut sliced = new();
    while !sliced.is_done() {
        sliced.advance(slice);
        let state = sliced.state();
        let again = Runner::from_state(program, inputs.to_vec(), instances, &state);
        let mut again = again.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.state(), state);
        if sliced.progress().round % 3 == 1 {
            sliced = again;
        } else if sliced.progress().round % 5 == 1 {
            assert_eq!(again.finish(), expected);
        }
    }
    assert_eq!(sliced.finish(), expected);
    expected
}
