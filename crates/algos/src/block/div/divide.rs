//! Quotients and remainders in registers, by either inverse.

use core::cmp::Ordering;

use limbforge_limb::{Base, DivisionByZero};

use super::inverse::Inverse;
use super::numbers::{combined, lengths, negatives, ones_where, powers, upper_limbs, zeros};
use crate::block::add::{Borrow, Carry, CarryRule};
use crate::block::bits::select;
use crate::block::{Block, Registers};
use crate::block::{cmp, mul_classical};

/// (quotients, remainders, what the estimates were corrected by) in registers, for operands of at most `W -
/// I::ROOM` limbs.
pub(super) fn divide<B: Base, I: Inverse, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    u: &[[B; Q]],
    v: &[[B; Q]],
) -> (Registers<B, Q>, Registers<B, Q>, Vec<Result<i32, DivisionByZero>>) {
    let zero: Vec<bool> = lengths(block, v).into_iter().map(|len| len == 0).collect();
    // Divisors 0 are replaced by 1, so that all instances take the same steps.
    let v = combined::<Carry, B, W, Q, IPB>(block, v, &ones_where(block, &zero));
    let k: Vec<usize> = lengths(block, &v).into_iter().map(|len| len - 1).collect();
    let limbs = lengths(block, u).into_iter().zip(&k).map(|(len, &k)| len.saturating_sub(k));
    let t = I::precision(limbs.max().unwrap_or(1).max(1));

    let w = I::inverse(block, &v, &k, t);
    let power = cmp::equal_registers(block, &v, &powers(block, &k));
    let w = select(block, &power, &powers(block, &vec![t; k.len()]), &w);
    let [low, high] = mul_classical::wide(block, u, Some(&w));
    let unit: Vec<usize> = k.iter().map(|k| k + t).collect();
    let estimate = upper_limbs(block, [&low, &high], &unit);

    let (q, r, corrections) = corrected::<B, I, W, Q, IPB>(block, u, &v, estimate);
    let nothing = zeros::<B, W, Q, IPB>();
    let corrections =
        corrections.into_iter().zip(&zero).map(|(by, &zero)| if zero { Err(DivisionByZero) } else { Ok(by) });
    (select(block, &zero, &nothing, &q), select(block, &zero, &nothing, &r), corrections.collect())
}

/// The remainder of an estimated quotient, mod `B^W`, is between `-ABOVE v` and `(BELOW + 1) v`: as two's
/// complement it says whether the divisor is to be added, and a comparison whether to subtract it.
fn corrected<B: Base, I: Inverse, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    u: &[[B; Q]],
    v: &[[B; Q]],
    estimate: Registers<B, Q>,
) -> (Registers<B, Q>, Registers<B, Q>, Vec<i32>) {
    let multiple = mul_classical::low(block, &estimate, Some(v));
    let remainder = combined::<Borrow, B, W, Q, IPB>(block, u, &multiple);
    let mut pair = (estimate, remainder);
    let mut corrections = vec![0; block.instances()];
    for _ in 0..I::ABOVE {
        let wrong = negatives(block, &pair.1);
        pair = moved::<Borrow, Carry, B, W, Q, IPB>(block, pair, v, &wrong);
        corrections.iter_mut().zip(wrong).for_each(|(by, wrong)| *by -= i32::from(wrong));
    }
    for _ in 0..I::BELOW {
        let orders = cmp::compare(block, &pair.1, v).into_iter();
        let wrong: Vec<bool> = orders.map(|order| order != Ordering::Less).collect();
        pair = moved::<Carry, Borrow, B, W, Q, IPB>(block, pair, v, &wrong);
        corrections.iter_mut().zip(wrong).for_each(|(by, wrong)| *by += i32::from(wrong));
    }
    (pair.0, pair.1, corrections)
}

/// Quotients moved by one and remainders by the divisor, each to its direction, where they are wrong.
fn moved<OfQ: CarryRule, OfR: CarryRule, B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    (q, r): (Registers<B, Q>, Registers<B, Q>),
    v: &[[B; Q]],
    wrong: &[bool],
) -> (Registers<B, Q>, Registers<B, Q>) {
    let taken = select(block, wrong, v, &zeros::<B, W, Q, IPB>());
    let q = combined::<OfQ, B, W, Q, IPB>(block, &q, &ones_where(block, wrong));
    (q, combined::<OfR, B, W, Q, IPB>(block, &r, &taken))
}
