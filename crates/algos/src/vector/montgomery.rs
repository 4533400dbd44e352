//! Montgomery products of eight pairs, each with its own modulus.
//!
//! R = 2^(52 n) for n digits. With `4 m < R` a product of numbers below 2m is again below 2m without a final
//! subtraction (Walter, "Montgomery exponentiation needs no final subtractions", 1999; "almost Montgomery
//! multiplication" of Gueron and Krasnov):
//!
//! * The result is `(a b + q m) / R` with q < R. For `a b < m R` it is below `m + m = 2m`; `a, b < 2m` have
//!   `a b < 4 m^2 < m R`, and `a < R, b < m` as well.
//! * For b = 1 and a < 2m it is below `2m / R + m`, so at most m; equal to m only for multiples of m.
//!
//! Product and reduction go column by column (product scanning: Koç, Acar and Kaliski, IEEE Micro 16, 1996),
//! with carries resolved once per column, since the instructions read only 52 bits of a factor. A word does
//! not overflow: column k is the sum of at most 2n low halves, 2n high halves and a carry. A column's sum
//! without the carry is at most `4 n (2^52 - 1)`, its carry to the next column is at most a 2^52-th of it
//! and the rest, so that all stay below `4 (n + 1) 2^52`, which is at most 2^64 for n < 1024. A square's
//! products of different digits are summed once and doubled: the same total.

use super::columns::{COLUMNS, Sums, block};
use super::lanes::{DIGIT_BITS, Lanes, MASK, Words};
use super::product::{Pair, Product, Square};

/// The digits for moduli of so many bits: `4 m < R`, in whole blocks.
pub(crate) const fn digits_for(bits: u32) -> usize {
    (bits + 2).div_ceil(DIGIT_BITS).next_multiple_of(COLUMNS as u32) as usize
}

/// Bits of the longest moduli: n < 1024.
pub(super) const MOST_BITS: u32 = 1020 * DIGIT_BITS - 2;

/// Eight odd moduli.
#[derive(Clone, Copy)]
pub(super) struct Moduli<'m> {
    /// n digits each, whole blocks.
    pub(super) digits: &'m [Words],
    /// `-1/m mod 2^52` of each.
    pub(super) negated_inverses: Words,
}

/// `out = a b / R mod m`, below 2m, of n digits. `quotient` is room for n digits.
pub(super) fn mul<L: Lanes>(
    lanes: L,
    out: &mut [Words],
    a: &[Words],
    b: &[Words],
    moduli: Moduli<'_>,
    quotient: &mut [Words],
) {
    lanes.run(
        #[inline(always)]
        || reduce(lanes, out, &Pair { a, b }, moduli, quotient),
    );
}

/// `out = a^2 / R mod m`: as [`mul`] with b = a, in three quarters of its multiplications.
pub(super) fn square<L: Lanes>(
    lanes: L,
    out: &mut [Words],
    a: &[Words],
    moduli: Moduli<'_>,
    quotient: &mut [Words],
) {
    lanes.run(
        #[inline(always)]
        || reduce(lanes, out, &Square { a }, moduli, quotient),
    );
}

/// `out = x / R mod m`, below 2m, of a product x.
#[inline(always)]
fn reduce<L: Lanes>(
    lanes: L,
    out: &mut [Words],
    product: &impl Product,
    moduli: Moduli<'_>,
    quotient: &mut [Words],
) {
    let (m, n) = (moduli.digits, moduli.digits.len());
    let (negated, mask) = (lanes.load(&moduli.negated_inverses), lanes.splat(MASK));
    let mut carry = lanes.splat(0);
    for first in (0..n).step_by(COLUMNS) {
        let mut sums = Sums::new(lanes);
        product.add_low(&mut sums, first);
        sums.add_blocks(quotient, m, first, 0, first);
        let m = block(m);
        for c in 0..COLUMNS {
            // The multiple of m that makes the column 0.
            sums.low[c] = lanes.add(sums.low[c], carry);
            let digit = lanes.add_low(lanes.splat(0), sums.low[c], negated);
            quotient[first + c] = lanes.store(digit);
            for above in 0..COLUMNS {
                if above >= c {
                    sums.add(above, digit, lanes.load(&m[above - c]));
                }
            }
            carry = lanes.add(sums.high[c], lanes.shr(sums.low[c], DIGIT_BITS));
        }
    }
    for first in (n..2 * n).step_by(COLUMNS) {
        let mut sums = Sums::new(lanes);
        product.add_high(&mut sums, first, n);
        sums.add_part(&quotient[first - n..], m, n, |c, u| c < u);
        sums.add_blocks(quotient, m, first, first - n + COLUMNS, n);
        for c in 0..COLUMNS {
            let sum = lanes.add(sums.low[c], carry);
            out[first - n + c] = lanes.store(lanes.and(sum, mask));
            carry = lanes.add(sums.high[c], lanes.shr(sum, DIGIT_BITS));
        }
    }
}
