//! Shifts and rotations by an amount for each instance, and counts of bits.

use limbforge_algos::block::{bits, shift};
use limbforge_limb::Base;
use num_bigint::{BigInt, BigUint};
use proptest::test_runner::TestCaseResult;

use super::super::{Case, same};
use crate::oracle;

/// Shifts and rotations by an amount for each instance: around the case's number of bits, either way, and far
/// beyond the width.
pub(super) fn shift_by<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    case: &Case<B>,
) -> TestCaseResult {
    let (n, a, width) = (case.n, &case.a, case.m as u32 * B::BITS);
    let amount = |i: usize| match i % 5 {
        0 => i64::from(case.shift) + i as i64,
        1 => -i64::from(case.shift),
        2 => i64::from(case.shift) - i64::from(width),
        3 => i64::MAX - i as i64,
        _ => i64::MIN + i64::from(case.shift),
    };
    let amounts: Vec<i64> = (0..n).map(amount).collect();
    let each = |f: &dyn Fn(&[B], i64) -> Vec<B>| -> Vec<B> {
        case.pairs().zip(&amounts).flat_map(|((a, _), &amount)| f(a, amount)).collect()
    };
    // As an integer's, with an amount that moves all bits out instead of a larger one.
    let exact = |a: BigInt, amount: i64| {
        let near = amount.clamp(-i64::from(width), width.into());
        let moved = if near < 0 { a >> -near } else { a << near };
        oracle::limbs::<B>(&oracle::residue(&moved, width), case.m)
    };
    let unsigned = each(&|a, amount| exact(oracle::value(a).into(), amount));
    same("shift_by", &shift::shift_by::<B, M, Q, IPB>(n, a, &amounts, false)?, &unsigned)?;
    let signed = each(&|a, amount| exact(oracle::signed_value(a, width), amount));
    same("shift_by, signed", &shift::shift_by::<B, M, Q, IPB>(n, a, &amounts, true)?, &signed)?;

    let rotated = each(&|a, amount| {
        let (a, left) = (BigInt::from(oracle::value(a)), amount.rem_euclid(width.into()));
        oracle::limbs::<B>(&oracle::residue(&(&a << left | a >> (i64::from(width) - left)), width), case.m)
    });
    same("rotate_by", &shift::rotate_by::<B, M, Q, IPB>(n, a, &amounts)?, &rotated)
}

/// Counts of ones and of zeros at either end.
pub(super) fn counts<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    case: &Case<B>,
) -> TestCaseResult {
    let (n, a, width) = (case.n, &case.a, case.m as u64 * u64::from(B::BITS));
    let count = |of: fn(&BigUint, u64) -> u64| -> Vec<u32> {
        case.pairs().map(|(a, _)| of(&oracle::value(a), width) as u32).collect()
    };
    let (ones, above) = (count(|a, _| a.count_ones()), count(|a, width| width - a.bits()));
    let below = count(|a, width| a.trailing_zeros().unwrap_or(width));
    same("popcount", &bits::popcount::<B, M, Q, IPB>(n, a)?, &ones)?;
    same("leading_zeros", &bits::leading_zeros::<B, M, Q, IPB>(n, a)?, &above)?;
    same("trailing_zeros", &bits::trailing_zeros::<B, M, Q, IPB>(n, a)?, &below)
}
