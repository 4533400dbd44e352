//! Carries of parts, and of a whole number around its words.

use limbforge_limb::slice::{add, sub};

use super::PART_BITS;

/// Parts that three words hold.
pub(super) const GROUP: usize = 8;

/// Resolves the carries of parts below 2^54 in magnitude and packs them into words, three for eight parts.
/// `part_carry` is added to part 0; returns the carry out of the last group of parts.
pub(super) fn resolve(out: &mut [u64], low: &[i64], high: &[i64], mut part_carry: i64) -> i128 {
    // The carries into part 0 and the lowest word of the next group.
    let mut word_carry = 0_i128;
    for ((out, low), high) in out.chunks_mut(3).zip(low.chunks_exact(GROUP)).zip(high.chunks_exact(GROUP)) {
        let part = |k: usize| low[k] + if k == 0 { part_carry } else { high[k - 1] };
        // Two parts without the carry of the upper one, plus the carry into the lower one.
        let pair = |k: usize| {
            let below = if k == 0 { 0 } else { part(2 * k - 1) >> PART_BITS };
            let upper = part(2 * k + 1) & ((1 << PART_BITS) - 1);
            i128::from(part(2 * k) + (upper << PART_BITS) + below)
        };
        let first = word_carry + pair(0) + (pair(1) << 48);
        let second = (first >> 64) + (pair(2) << 32);
        let third = (second >> 64) + (pair(3) << 16);
        word_carry = third >> 64;
        part_carry = high[GROUP - 1] + (part(GROUP - 1) >> PART_BITS);
        for (out, word) in out.iter_mut().zip([first, second, third]) {
            *out = word as u64;
        }
    }
    word_carry + i128::from(part_carry)
}

/// Adds a small number, which may be negative, modulo `B^M - 1`.
pub(super) fn add_around(out: &mut [u64], small: i128) {
    let magnitude = [small.unsigned_abs() as u64];
    if small < 0 {
        let again = sub::sub_assign(out, &magnitude, false);
        sub::decrement(out, again);
    } else {
        let again = add::add_assign(out, &magnitude, false);
        add::increment(out, again);
    }
}
