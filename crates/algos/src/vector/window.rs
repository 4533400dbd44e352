//! The digits of exponents, and the table of powers.

use super::lanes::{WIDTH, Words};

/// The entry of each lane of a table.
pub(super) fn pick(out: &mut [Words], table: &[Words], entries: [usize; WIDTH]) {
    for (lane, entry) in entries.into_iter().enumerate() {
        let entry = &table[entry * out.len()..][..out.len()];
        for (out, digit) in out.iter_mut().zip(entry) {
            out.0[lane] = digit.0[lane];
        }
    }
}

/// So many bits of a number of words, less than 64, from bit `from` on.
pub(super) fn field(x: &[u64], from: u32, bits: u32) -> usize {
    let (word, at) = ((from / u64::BITS) as usize, from % u64::BITS);
    let part = |word: usize| x.get(word).copied().unwrap_or(0);
    let above = part(word + 1).checked_shl(u64::BITS - at).unwrap_or(0);
    ((part(word) >> at | above) & ((1 << bits) - 1)) as usize
}

/// Bits of a digit of exponents of so many bits: the fewest products, or one more for a table of half the size.
pub(super) const fn window_bits(bits: u32) -> u32 {
    match bits {
        0..8 => 1,
        8..24 => 2,
        24..80 => 3,
        80..240 => 4,
        240..1200 => 5,
        _ => 6,
    }
}
