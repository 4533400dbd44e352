//! Division: every rung against num-bigint, exhaustively in small bases, on structured operands and at every width.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "div/block.rs"]
mod block;
#[path = "div/exhaustive.rs"]
mod exhaustive;
#[path = "div/inverse.rs"]
mod inverse;
#[path = "div/patterns.rs"]
mod patterns;
#[path = "div/random.rs"]
mod random;
#[path = "div/special.rs"]
mod special;

use limbforge_algos::div::lower::{self, Blocks};
use limbforge_algos::div::{Products, Schoolbook, watt};
use limbforge_limb::Base;
use limbforge_limb::slice::bits;
use limbforge_limb::slice::div::{LimbDivisor, schoolbook};
use limbforge_testing::division::power;
use limbforge_testing::oracle::value;
use num_bigint::BigUint;

/// The limbs of a number, without zeros at the top.
fn limbs<B: Base>(number: &BigUint) -> Vec<B> {
    let len = number.bits().div_ceil(B::BITS.into()) as usize;
    let limb = |i: usize| {
        let part = number >> (i * B::BITS as usize);
        let words = part.iter_u64_digits().take(B::BITS.div_ceil(64) as usize).enumerate();
        words
            .fold(B::ZERO, |limb, (i, word)| limb | B::from_word(word) << (64 * i % B::BITS.max(64) as usize))
    };
    (0..len).map(limb).collect()
}

/// Quotient and remainder by every rung, for `v` not zero; returns Watt's correction.
fn check_rungs<B: Base, P: Products<B>>(u: &BigUint, v: &BigUint, products: &mut P) -> i32 {
    let expected = (u / v, u % v);
    let (u_limbs, v_limbs) = (limbs::<B>(u), limbs::<B>(v));
    let (mut q, mut r) = (vec![B::HIGHEST; u_limbs.len()], vec![B::HIGHEST; v_limbs.len()]);
    let found = |q: &[B], r: &[B]| (value(q), value(r));
    let correction = watt::div_rem(&mut q, &mut r, &u_limbs, &v_limbs, products);
    assert_eq!(found(&q, &r), expected, "watt: {u:#x} by {v:#x}");
    assert!((-1..=2).contains(&correction));

    for limbs in [1, 2, 3, usize::MAX] {
        for seed in [3, 6] {
            q.fill(B::HIGHEST);
            r.fill(B::HIGHEST);
            lower::div_rem(&mut q, &mut r, &u_limbs, &v_limbs, Blocks { limbs, seed }, products);
            assert_eq!(found(&q, &r), expected, "lower, blocks of {limbs}: {u:#x} by {v:#x}");
        }
    }
    check_schoolbook(&u_limbs, &v_limbs, &expected);
    correction
}

fn check_schoolbook<B: Base>(u: &[B], v: &[B], expected: &(BigUint, BigUint)) {
    let (mut q, mut r) = (u.to_vec(), vec![B::HIGHEST; v.len()]);
    match *v {
        [limb] => {
            let divisor = LimbDivisor::new(limb).unwrap();
            r[0] = divisor.div_rem(&mut q);
            assert_eq!(divisor.rem(u), r[0]);
        }
        _ if u.len() < v.len() => return,
        _ => {
            let mut scratch = vec![B::HIGHEST; schoolbook::scratch_len(u.len(), v.len())];
            schoolbook::div_rem(&mut q, &mut r, u, bits::significant(v), &mut scratch);
        }
    }
    assert_eq!((value(&q), value(&r)), *expected, "schoolbook: {u:x?} by {v:x?}");
}

/// All rungs with products by columns.
fn check_all<B: Base>(u: &BigUint, v: &BigUint) -> i32 {
    check_rungs::<B, _>(u, v, &mut Schoolbook)
}
