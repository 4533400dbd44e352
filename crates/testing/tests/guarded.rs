//! Products and differences by rows, in assembly where the processor has it, with operands and results between closed
//! pages: the same as in ordinary memory, at every length that has a kernel of its own.

#![cfg(all(target_os = "linux", not(miri)))]
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use core::fmt::Debug;
use std::process::Command;

use limbforge_limb::slice::mul::rows::{self, montgomery, multiple};
use limbforge_limb::slice::mul::{Factors, Scratch, low, wide};
use limbforge_testing::guarded::{At, Guarded};
use limbforge_testing::operands::{integer, samples};
use rustix::process::{Resource, Rlimit, setrlimit};

/// Calls `function` on copies of the operands in ordinary memory and at both ends of guarded pages.
fn check<R: PartialEq + Debug, const N: usize>(
    operands: [&[u64]; N],
    function: impl Fn([&mut [u64]; N]) -> R,
) {
    let mut expected = operands.map(<[u64]>::to_vec);
    let result = function(expected.each_mut().map(Vec::as_mut_slice));
    for at in At::ALL {
        let mut found = operands.map(|limbs| Guarded::new(limbs, at).unwrap());
        assert_eq!(function(found.each_mut().map(AsMut::as_mut)), result, "{at:?}: {operands:x?}");
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.as_ref(), expected, "{at:?}: {operands:x?}");
        }
    }
}

/// Lengths of all kernels and of their passes one after the other.
fn lengths() -> impl Iterator<Item = usize> {
    (1..=40).chain([47, 48, 63, 64, 65, 100])
}

/// The variable that makes this program read the limb before or behind.
const TOO_FAR: &str = "LIMBFORGE_TOO_FAR";

/// This program again, which fails where it reads one limb too far.
#[test]
fn a_limb_too_far_ends_the_program() {
    if let Some(offset) = std::env::var(TOO_FAR).ok().and_then(|offset| offset.parse::<isize>().ok()) {
        setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).unwrap();
        let at = if offset < 0 { At::Start } else { At::End };
        let limbs = Guarded::new(&[1_u64, 2, 3], at).unwrap();
        // SAFETY: for offsets from 0 to 2 the limb is there; the others are in a closed page, which no reference covers.
        #[allow(unsafe_code)]
        let limb = unsafe { limbs.as_ref().as_ptr().wrapping_offset(offset).read_volatile() };
        assert_eq!(limb, offset as u64 + 1);
        return;
    }
    for (offset, is_there) in [("0", true), ("2", true), ("3", false), ("-1", false)] {
        let mut run = Command::new(std::env::current_exe().unwrap());
        run.args(["--exact", "a_limb_too_far_ends_the_program"]).env(TOO_FAR, offset);
        assert_eq!(run.output().unwrap().status.success(), is_there, "limb {offset}");
    }
}

/// Triples of numbers of a length.
fn triples(len: usize) -> impl Iterator<Item = [Vec<u64>; 3]> {
    samples([integer::<u64>(len), integer(len), integer(len)], 8)
}

#[test]
fn products_stay_within_their_operands() {
    for len in lengths() {
        for [a, b, _] in triples(len) {
            let (single, double) = (vec![7; len], vec![7; 2 * len]);
            check([&single, &a, &b], |[out, a, b]| low(out, Factors::Pair(a, b), &mut Scratch::new()));
            check([&single, &a], |[out, a]| low(out, Factors::Square(a), &mut Scratch::new()));
            check([&double, &a, &b], |[out, a, b]| wide(out, Factors::Pair(a, b), &mut Scratch::new()));
            check([&double, &a], |[out, a]| wide(out, Factors::Square(a), &mut Scratch::new()));
            for width in 1..=len.min(rows::MOST) {
                check([&a, &b[..width], &b], |[acc, a, b]| rows::add_product(acc, a, b));
            }
        }
    }
}

#[test]
fn differences_stay_within_their_operands() {
    for len in lengths() {
        for [a, b, digits] in triples(len) {
            check([&a, &b], |[acc, b]| multiple::sub(acc, b, digits[0]));
        }
    }
}

#[test]
fn montgomery_products_stay_within_their_operands() {
    for len in lengths() {
        for [a, b, mut modulus] in triples(len) {
            modulus[0] |= 1;
            // -1/m mod 2^64, by Newton's iteration from three bits on.
            let inverse = (0..5).fold(modulus[0], |inverse, _| {
                inverse.wrapping_mul(2_u64.wrapping_sub(inverse.wrapping_mul(modulus[0])))
            });
            let negated = inverse.wrapping_neg();
            // Below the modulus, whose top limb is then not 0.
            modulus[len - 1] |= 1 << 62;
            let mut reduced = a.clone();
            reduced[len - 1] &= (1 << 62) - 1;
            let out = vec![7; len];
            if let Some(short) = montgomery::Short::new(&modulus, negated) {
                check([&out, &reduced, &b], |[out, a, b]| short.product(out, a, b));
                check([&reduced, &b], |[x, b]| short.mul(x, b));
                check([&reduced], |[x]| short.squares(x, 3));
            }
            check([&[&a[..], &reduced].concat(), &modulus], |[x, m]| montgomery::reduce(x, m, negated));
        }
    }
}
