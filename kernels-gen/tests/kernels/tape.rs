//! Kernels of programs by the tape, against the CPU backend.

mod features;
mod found;
mod handed_over;
mod open;
mod powers;
mod programs;
mod random;
mod run;
mod samples;
mod stage2;
mod walks;
mod words;

use limbforge_limb::num_bigint::BigInt;

use found::Found;

pub(crate) use random::check_random;
pub(crate) use run::Run;

fn ints(values: &[u64]) -> Vec<BigInt> {
    values.iter().map(|&x| BigInt::from(x)).collect()
}
