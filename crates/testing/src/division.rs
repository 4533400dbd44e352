//! Divisions that are likely to go wrong: strategies, and the operands that implementations have failed on.

pub use limbforge_algos::integer::div::known::{
    add_back, corners, counterexamples, known, power, short_divisors,
};
use limbforge_limb::Base;
use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::operands::{integer, uniform_limb};
use crate::oracle::value;

/// A number of at most `digits` limbs, not zero: runs, powers of B and their neighbours and sums.
pub fn pattern<B: Base>(digits: usize) -> BoxedStrategy<BigUint> {
    let (p, top) = (power::<B>(digits), power::<B>(digits - 1));
    let half = &p >> 1_u32;
    let middle = power::<B>(digits / 2);
    let named = [
        &p - 1_u32,
        top.clone(),
        &top + 1_u32,
        half.clone(),
        &half + 1_u32,
        &half - 1_u32,
        &p - &top,
        (&p - 1_u32) / value(&[B::HIGHEST]),
        &top * 2_u32 + 1_u32,
        &p - 2_u32,
        &top + &middle,
        &half + &top - 1_u32,
        &half + &middle - 1_u32,
        &top - 1_u32,
        &p - power::<B>(1),
        &p - &middle - 1_u32,
        &top + &middle - 1_u32,
    ];
    let named: Vec<BigUint> = named.into_iter().filter(|number| *number < p).collect();
    let below_top = vec(uniform_limb::<B>(), digits - 1).prop_map(|limbs| value(&limbs));
    let first = proptest::sample::select(vec![B::ONE, B::HIGHEST, B::ONE << (B::BITS - 1) as usize]);
    prop_oneof![
        4 => proptest::sample::select(named),
        4 => integer::<B>(digits).prop_map(|limbs| value(&limbs)),
        2 => (below_top, first).prop_map(move |(below, first)| value(&[first]) * &top + below),
    ]
    .prop_map(|number| number.max(BigUint::from(1_u32)))
    .boxed()
}

/// Dividends at both ends of a quotient's interval, within it, and all ones, and their divisor, each of fewer
/// than `longest` limbs, but dividends of up to twice as many.
pub fn division<B: Base>(longest: usize) -> impl Strategy<Value = (Vec<BigUint>, BigUint)> {
    (1..longest, 1..longest, any::<bool>(), 0..3_u32).prop_flat_map(move |(d, n, reciprocal, nudge)| {
        (pattern::<B>(d), pattern::<B>(n)).prop_map(move |(v, q)| {
            // A divisor close to the reciprocal of another number.
            let v = if reciprocal { power::<B>(d + n - 1) / &q + nudge } else { v };
            let v = v.max(BigUint::from(1_u32));
            let dividends = [
                &q * &v,
                &q * &v - 1_u32,
                &q * &v + (&v - 1_u32),
                &q * &v + &v / 2_u32,
                power::<B>(d + n) - 1_u32,
            ];
            (dividends.to_vec(), v)
        })
    })
}

/// The dividends below `base^digits` that decide for all of them: for a fixed v and number of digits of u,
/// both the quotient and its estimate grow with u, so that the ends `j v` and `(j + 1) v - 1` of the
/// intervals decide for all u between.
#[must_use]
pub fn interval_ends(v: u32, base: u32, digits: u32) -> Vec<u32> {
    let limit = base.pow(digits);
    let of_quotients = (0..=limit / v).flat_map(|j| [(j * v).checked_sub(1), Some(j * v)]).flatten();
    let of_lengths = (0..=digits).flat_map(|j| [base.pow(j) - 1, base.pow(j)]);
    let mut ends: Vec<u32> = of_quotients.chain(of_lengths).filter(|&u| u < limit).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}
