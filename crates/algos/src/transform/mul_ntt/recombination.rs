//! From the coefficients modulo the primes back to a number, by the Chinese remainder theorem.
//!
//! With the residues r of a coefficient X and y = r / (P/p) mod p, `X = sum of y * P/p - e * P`, where `e +
//! X/P` is the sum of y/p. As `0 <= X/P < 1/2`, e is that sum minus 1/4, rounded to the nearest integer:
//! rounding errors of 2^-49 are far below the margin of 1/4 on both sides.
//!
//! The products are exact sums of double precision numbers: y is cut in two at bit 24, P/p and P into signed
//! parts of 24 bits, and all sums stay below 2^51. Overlapping coefficients are added part by part, and the
//! carries are resolved once.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f64x8, i64x8};

use super::basis::{Basis, PART_BITS, PRIMES, Residues};
use super::digits::Shape;
use super::lanes::{Lanes, ROUND};
use super::transform::Context;
use carries::{GROUP, add_around, resolve};

mod carries;

/// Parts of a coefficient: sixteen, in two vectors, of which the upper half of y gives one more.
const PARTS: usize = 2 * PRIMES;

/// Room for the parts of a number before the carries are resolved: part k is `low[k] + high[k - 1]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    low: Vec<i64>,
    high: Vec<i64>,
}

/// Bytes of [`Sums`] for `digits` digits.
pub(super) const fn sums_bytes(shape: Shape, digits: usize) -> usize {
    2 * size_of::<i64>() * (sums_len(shape, digits) + PRIMES)
}

const fn sums_len(shape: Shape, digits: usize) -> usize {
    (shape.parts * digits + PARTS).next_multiple_of(GROUP)
}

/// Writes the low words of the sum of the coefficients `values / 2^depth`, which overlap, to `out`. At most
/// [`BACKWARD`](super::transform::BACKWARD).
pub(super) fn store(
    context: Context<'_>,
    out: &mut [u64],
    values: &[Residues],
    shape: Shape,
    sums: &mut Sums,
) {
    let (low, high) = summed(context, values, shape, sums);
    resolve(out, low, high, 0);
}

/// Writes the sum of the coefficients `values / 2^depth` modulo `2^(192 L) - 1`, of all 3L words, for L
/// coefficients of digits of 192 bits. A number that is no multiple of the modulus has one representative.
pub(super) fn store_cyclic(
    context: Context<'_>,
    out: &mut [u64],
    values: &[Residues],
    shape: Shape,
    sums: &mut Sums,
) {
    let (low, high) = summed(context, values, shape, sums);
    let len = shape.parts * values.len();
    for sums in [&mut *low, &mut *high] {
        let (sums, above) = sums.split_at_mut(len);
        sums.iter_mut().zip(above).for_each(|(sum, above)| *sum += *above);
    }
    // The highest one counts as part 0, and is below what leaves the top.
    let around = high[len - 1];
    let carry = resolve(out, &low[..len], &high[..len], around) - i128::from(around);
    add_around(out, carry);
}

/// The parts of the sum of the coefficients `values / 2^depth`.
fn summed<'s>(
    context: Context<'_>,
    values: &[Residues],
    shape: Shape,
    sums: &'s mut Sums,
) -> (&'s mut [i64], &'s mut [i64]) {
    let len = sums_len(shape, values.len());
    let (low, high) = (aligned_zeros(&mut sums.low, len), aligned_zeros(&mut sums.high, len));
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        let scale = scale(lanes, context.basis, shape.depth);
        let mut split = [Split::default(); BLOCK];
        for (first, values) in values.chunks(BLOCK).enumerate() {
            for (split, value) in split.iter_mut().zip(values) {
                split.set(lanes, lanes.reduce(lanes.mul(value.load(simd), scale)));
            }
            for (i, split) in split[..values.len()].iter().enumerate() {
                let from = (first * BLOCK + i) * shape.parts;
                let [low_parts @ .., high_lower, high_upper] = parts(lanes, context.basis, split);
                add_parts(&mut low[from..from + PARTS], low_parts);
                add_parts(&mut high[from..from + PARTS], [high_lower, high_upper]);
            }
        }
    });
    (low, high)
}

/// `len` zeros that start at a cache line.
fn aligned_zeros(room: &mut Vec<i64>, len: usize) -> &mut [i64] {
    room.clear();
    room.resize(len + PRIMES, 0);
    let start = room.as_ptr().align_offset(64).min(PRIMES);
    &mut room[start..start + len]
}

/// The inverse of `2^depth * P/p` modulo each p.
#[inline(always)]
fn scale<S: Simd>(lanes: Lanes<S>, basis: &Basis, depth: u32) -> f64x8<S> {
    let half = basis.half.load(lanes.simd);
    (0..depth).fold(basis.cofactor_inverses.load(lanes.simd), |scale, _| lanes.reduce(lanes.mul(scale, half)))
}

/// Coefficients whose quotients are found before their parts are summed: both take long, and overlap with
/// those of others.
const BLOCK: usize = 16;

/// y in two parts, and the multiple of P.
#[derive(Clone, Copy, Debug, Default)]
struct Split {
    low: Residues,
    high: Residues,
    multiple: f64,
}

impl Split {
    /// |y| <= 2^49: the low part is at most 2^23, the high one 2^25.
    #[inline(always)]
    fn set<S: Simd>(&mut self, lanes: Lanes<S>, y: f64x8<S>) {
        let (part, round) = (f64::from(1_u32 << PART_BITS), f64x8::splat(lanes.simd, ROUND));
        let high = y.mul_add_precise(1.0 / part, round) - round;
        self.high.store(high);
        self.low.store((-high).mul_add_precise(part, y));
        self.multiple = nearest(sum(lanes.fraction(y).as_slice()) - 0.25);
    }
}

/// The sixteen parts of `sum of y * P/p - e * P` from the low 24 bits of y, and the sixteen from the bits
/// above, which count one part higher; in the low bits of 1.5 * 2^52.
///
/// Sums start at 1.5 * 2^52, where all steps are exact while they stay within 2^51 of it, and where the low
/// bits are the sum. The low halves of y are at most 2^23 and the parts too, so that eight products and e * P
/// stay below 2^50. The high halves are at most 2^25; the parts' magnitudes add up to less than 2^26 minus
/// room for e * P (a test adds them up).
#[inline(always)]
fn parts<S: Simd>(lanes: Lanes<S>, basis: &Basis, y: &Split) -> [f64x8<S>; 4] {
    let simd = lanes.simd;
    let (round, multiple) = (f64x8::splat(simd, ROUND), f64x8::splat(simd, -y.multiple));
    let mut top = f64x8::splat(simd, 0.0);
    top[PRIMES - 1] = basis.product_top;
    let mut sums = [
        multiple.mul_add_precise(basis.product[0].load(simd), round),
        multiple.mul_add_precise(basis.product[1].load(simd), round),
        round,
        multiple.mul_add_precise(top, round),
    ];
    for (lane, [lower, upper]) in basis.cofactors.iter().enumerate() {
        let (lower, upper) = (lower.load(simd), upper.load(simd));
        let (low, high) = (f64x8::splat(simd, y.low.0[lane]), f64x8::splat(simd, y.high.0[lane]));
        sums[0] = lower.mul_add_precise(low, sums[0]);
        sums[1] = upper.mul_add_precise(low, sums[1]);
        sums[2] = lower.mul_add_precise(high, sums[2]);
        sums[3] = upper.mul_add_precise(high, sums[3]);
    }
    sums
}

/// The nearest integer, for |x| <= 2^51.
#[inline(always)]
fn nearest(x: f64) -> f64 {
    (x + ROUND) - ROUND
}

/// The sum in the order that vector additions take.
#[inline(always)]
fn sum(x: &[f64]) -> f64 {
    ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
}

/// Adds the integers in the low bits of `parts` to the sixteen sums.
#[inline(always)]
fn add_parts<S: Simd>(sums: &mut [i64], parts: [f64x8<S>; 2]) {
    for (sums, parts) in sums.chunks_exact_mut(PRIMES).zip(parts) {
        let integers = parts.bitcast::<i64x8<S>>() - i64x8::splat(parts.simd, ROUND.to_bits() as i64);
        (i64x8::from_slice(parts.simd, sums) + integers).store_slice(sums);
    }
}
