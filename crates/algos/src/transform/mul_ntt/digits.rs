//! From machine words to digits modulo the primes.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f64x8};

use super::lanes::Lanes;
use super::length::Shape;
use super::primes::PART_BITS;
use super::residues::Residues;
use super::transform::Context;

/// A digit is read in pieces of so many bits, which are exact in double precision.
const PIECE_BITS: usize = 2 * PART_BITS as usize;
const PIECES: usize = 4;

/// Writes the digits of `words` to `values`, and zeros above them. At most
/// [`REDUCED`](super::lanes::REDUCED).
pub(super) fn load(context: Context<'_>, values: &mut [Residues], words: &[u64], shape: Shape) {
    let (digits, padding) = values.split_at_mut(shape.digits(words.len()));
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        let [first, second, third] = &context.basis.powers;
        let powers = [first.load(simd), second.load(simd), third.load(simd)];
        for (i, digit) in digits.iter_mut().enumerate() {
            let pieces = pieces(words, i * shape.digit_bits(), shape.digit_bits());
            digit.store(residues(lanes, pieces, powers));
        }
    });
    padding.fill(Residues::ZERO);
}

/// In units of p: the pieces are a quarter at most, times a power a product of 1/8, reduced to 17/32; so the
/// sum is below 2.
#[inline(always)]
fn residues<S: Simd>(lanes: Lanes<S>, pieces: [f64; PIECES], powers: [f64x8<S>; PIECES - 1]) -> f64x8<S> {
    let mut sum = f64x8::splat(lanes.simd, pieces[0]);
    for (&piece, power) in pieces[1..].iter().zip(powers) {
        sum += lanes.mul(power, f64x8::splat(lanes.simd, piece));
    }
    lanes.reduce(sum)
}

/// The digit of `bits` bits from bit `start` on.
#[inline(always)]
fn pieces(words: &[u64], start: usize, bits: usize) -> [f64; PIECES] {
    let mut pieces = [0.0; PIECES];
    for (i, piece) in pieces.iter_mut().enumerate() {
        let kept = bits.saturating_sub(i * PIECE_BITS).min(PIECE_BITS);
        let bits = read_64_bits(words, start + i * PIECE_BITS) & ((1 << kept) - 1);
        // Below 2^48: the signed conversion is the faster one.
        *piece = bits as i64 as f64;
    }
    pieces
}

/// The 64 bits from bit `start` on; zeros above the words.
#[inline(always)]
fn read_64_bits(words: &[u64], start: usize) -> u64 {
    let low = words.get(start / 64).copied().unwrap_or_default();
    let high = words.get(start / 64 + 1).copied().unwrap_or_default();
    let both = u128::from(high) << 64 | u128::from(low);
    (both >> (start % 64)) as u64
}
