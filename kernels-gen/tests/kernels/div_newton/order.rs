//! Several warps to an instance meet at barriers: every order of them gives the same, and every access is
//! where it may be.

use limbforge_emulate::{Check, Schedule};
use limbforge_kernels_gen::newton::DivNewton;
use limbforge_limb::{Batch, IntType, Layout};
use limbforge_needs::needs;

use super::{SHORT_SEED, batch, subject};
use crate::harness::check;

const BOTH: &str = "rem_euclid(a, b) ^ div_euclid(a, b) ^ rem_floor(a, b) ^ div_floor(a, b)";

fn operands(ty: IntType) -> [Batch<u32>; 2] {
    [0, 7].map(|seed| batch::<u32>(ty, Layout::InstanceMajor, 3, seed))
}

#[needs(cxx)]
#[test]
fn warps_in_any_order() {
    let ty: IntType = "i9000".parse().unwrap();
    check(&subject(BOTH, ty, SHORT_SEED), &operands(ty), 3, &Schedule::SAMPLE);
}

/// Every access, exactly, and vectors where they are aligned: instances of an odd number of warps, whose
/// words in shared memory do not end at one. The second products of steps take whole tiles here.
#[needs(cxx)]
#[test]
fn accesses_of_an_odd_number_of_warps() {
    let ty: IntType = "u8192".parse().unwrap();
    let mut subject = subject("(a / b) ^ (a % b)", ty, SHORT_SEED);
    subject.device = subject.device.with_check(Check::Memory);
    check(&subject, &operands(ty), 3, &[Schedule::Random(5)]);
}

/// Remainders by short divisors go down through shared memory.
#[needs(cxx)]
#[test]
fn short_divisors() {
    by_short_divisors("i36000");
}

/// So do those of the upper round, whose words make room for the lower ones.
#[needs(cxx)]
#[test]
fn rounds_of_short_divisors() {
    by_short_divisors("i140000");
}

fn by_short_divisors(ty: &str) {
    let ty: IntType = ty.parse().unwrap();
    let mut subject = subject(BOTH, ty, DivNewton { seed_words: 66, ..SHORT_SEED });
    let [a, mut b] = operands(ty);
    for (i, low) in [7_u32, 0x8000_0000, u32::MAX].into_iter().enumerate() {
        let mut limbs = vec![0; b.instance(i).len()];
        (limbs[0], limbs[1]) = (low, low * (i as u32 % 2));
        b.set_instance(i, &limbs);
    }
    let operands = [a, b];
    check(&subject, &operands, 3, &Schedule::SAMPLE);
    subject.device = subject.device.with_check(Check::Memory);
    check(&subject, &operands, 3, &[Schedule::Random(5)]);
}
