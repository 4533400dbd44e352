//! Divisions that are likely to go wrong: strategies, and the operands that implementations have failed on.

use limbforge_limb::Base;
use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::operands::{integer, uniform_limb};
use crate::oracle::value;

/// `B^n`.
#[must_use]
pub fn power<B: Base>(n: usize) -> BigUint {
    BigUint::from(1_u32) << (n * B::BITS as usize)
}

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

/// Dividends at both ends of a quotient's interval, within it, and all ones, and their divisor, each of fewer than `longest`
/// limbs, but dividends of up to twice as many.
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

/// Small multiples of powers of B, and their neighbours.
#[must_use]
pub fn corners<B: Base>() -> Vec<BigUint> {
    let half = B::ONE << (B::BITS - 1) as usize;
    let mut corners = vec![];
    for j in 0..5 {
        for digit in [B::ONE, B::ONE << 1, half, B::HIGHEST] {
            let number = value(&[digit]) * power::<B>(j);
            // In base 2 there is no digit 2.
            if number == BigUint::ZERO {
                continue;
            }
            corners.extend([&number - 1_u32, number.clone(), number + 1_u32]);
        }
    }
    corners.retain(|number| *number != BigUint::ZERO);
    corners
}

/// Dividend and divisor where a digit is one too large after the test of three limbs by two (Knuth, TAOCP 2, 4.3.1, exercise
/// 21).
#[must_use]
pub fn add_back<B: Base>() -> Vec<(BigUint, BigUint)> {
    let half = B::ONE << (B::BITS - 1) as usize;
    let zero = B::ZERO;
    let cases = [
        (vec![zero, zero, half, half - B::ONE], vec![B::ONE, zero, half]),
        (vec![zero, B::HIGHEST - B::ONE, half], vec![B::HIGHEST, half]),
        (vec![zero, zero, zero, half, half - B::ONE], vec![B::HIGHEST, zero, zero, half]),
        (vec![zero, zero, zero, half], vec![B::ONE, zero, half]),
    ];
    cases.map(|(u, v)| (value(&u), value(&v))).to_vec()
}

/// Full dividends of M limbs over divisors of one to three limbs, whose inverses have more than M limbs.
#[must_use]
pub fn short_divisors<B: Base>(m: usize) -> Vec<(BigUint, BigUint)> {
    let u = power::<B>(m) - 1_u32;
    let around = |j| [power::<B>(j) - 1_u32, power::<B>(j) + 1_u32, power::<B>(j) * 2_u32 + 1_u32];
    let small = [2_u32, 3, 5].map(BigUint::from).into_iter();
    small.chain((1..3).flat_map(around)).flat_map(|v| [(u.clone(), v.clone()), (&u / &v * &v, v)]).collect()
}

/// Pairs of at most `bits` bits that published implementations fail on: `v = [1, 0, B/2]` and `v = [1, 0, 0, 1]` (Watt's inverse), a
/// sparse divisor of `2^192 - 1`, [`add_back`], and [`short_divisors`] under full dividends of this and of other widths.
#[must_use]
pub fn counterexamples<B: Base>(bits: u64) -> Vec<(BigUint, BigUint)> {
    let half = B::ONE << (B::BITS - 1) as usize;
    let mut pairs = vec![(power::<B>(6) - 1_u32, value(&[B::ONE, B::ZERO, half]))];
    let v = power::<B>(3) + 1_u32;
    pairs.push(((power::<B>(4) - 1_u32) / &v * &v - 1_u32, v));
    let v = BigUint::parse_bytes(b"100000000040000000010000000004000", 16).unwrap_or_default();
    let u = (BigUint::from(1_u32) << 192_u32) - 1_u32;
    pairs.extend([v.clone(), &v - 1_u32, v + 1_u32].map(|v| (u.clone(), v)));
    pairs.extend(add_back::<B>());
    let whole = (bits / u64::from(B::BITS)) as usize;
    pairs.extend([4, 16, 64, whole].into_iter().flat_map(short_divisors::<B>));
    pairs.retain(|(u, v)| u.bits() <= bits && v.bits() <= bits);
    pairs
}

/// The [`counterexamples`] and all pairs of [`corners`], of at most `bits` bits.
#[must_use]
pub fn known<B: Base>(bits: u64) -> Vec<(BigUint, BigUint)> {
    let mut pairs = counterexamples::<B>(bits);
    let mut corners = corners::<B>();
    corners.retain(|number| number.bits() <= bits);
    let of = |u: &BigUint| corners.iter().map(|v| (u.clone(), v.clone())).collect::<Vec<_>>();
    pairs.extend(corners.iter().chain([&BigUint::ZERO]).flat_map(of));
    pairs
}

/// The dividends below `base^digits` that decide for all of them: for a fixed v and number of digits of u, both the quotient
/// and its estimate grow with u, so that the ends `j v` and `(j + 1) v - 1` of the intervals decide for all u between.
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
