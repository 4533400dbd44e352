//! Inverses modulo short odd numbers, by halvings in place of quotients.
//!
//! The steps of [`binary`](crate::integer::gcd::binary) keep `x = u a mod m` and `y = -w a mod m`: the rows of their
//! matrix have entries of different signs, so that u and w take sums. Those are divided by 2^64 modulo m, as in
//! Montgomery's products.

use core::ops::RangeInclusive;

use limbforge_limb::slice::mul::rows::{matrix, multiple};
use limbforge_limb::slice::{bits, cmp, sub};

use crate::integer::gcd::binary::{halvings_of, is_random, reduce};
use crate::integer::montgomery::negated_inverse;

/// Words of the moduli: with longer ones, sums modulo m cost more than quotients. Measured on AMD's Zen 4, random
/// numbers, beside quotients: 10 % less time at 4 and 8 words, 7 % more at 16.
const WORDS: RangeInclusive<usize> = 3..=MOST;
const MOST: usize = 10;

/// A number that is longer by so many bits is divided first.
const FAR: u32 = 16;

/// A number of up to two words more than a modulus.
type Number = [u64; MOST + 2];

/// What became of an inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Inverse,
    NotCoprime,
    /// It is better computed by quotients; or the steps are too many.
    Unknown,
}

/// Writes 1/a mod m, of the length of m, for numbers without zeros at the top.
#[inline]
pub(super) fn by_halvings(out: &mut [u64], a: &[u64], m: &[u64]) -> Outcome {
    let is_odd = m.first().is_some_and(|low| low & 1 == 1);
    if !is_odd || !WORDS.contains(&m.len()) || a.len().abs_diff(m.len()) > 1 || !is_random(m) || !is_random(a)
    {
        return Outcome::Unknown;
    }
    halve(out, a, m)
}

#[inline(never)]
fn halve(out: &mut [u64], a: &[u64], m: &[u64]) -> Outcome {
    let n = m.len();
    if bits::bit_len(a).abs_diff(bits::bit_len(m)) >= FAR {
        return Outcome::Unknown;
    }
    let [mut x, mut y, mut u, mut w]: [Number; 4] = [[0; MOST + 2]; 4];
    x[..a.len()].copy_from_slice(a);
    y[..n].copy_from_slice(m);
    u[0] = 1;
    let (u, w) = (&mut u[..n], &mut w[..n]);
    let negated_inverse = negated_inverse(m[0]);
    // A bit above, for signs.
    let mut len = n.max(a.len()) + 1;
    // Twice the rounds that are usual.
    for _ in 0..4 * n + 8 {
        let (x, y) = (&mut x[..len], &mut y[..len]);
        let Some(steps) = halvings_of(x, y) else { return Outcome::Unknown };
        let negative = reduce(x, y, &steps);
        let above = matrix::sums(u, w, &steps);
        for ((number, above), is_negative) in [&mut *u, &mut *w].into_iter().zip(above).zip(negative) {
            divide(number, above, m, negated_inverse);
            if is_negative && !cmp::is_zero(number) {
                sub::sub_from(number, m);
            }
        }
        let (x, y) = (bits::significant(x), bits::significant(y));
        if x.is_empty() || y.is_empty() {
            let (divisor, is_x) = if x.is_empty() { (y, false) } else { (x, true) };
            if divisor != [1] {
                return Outcome::NotCoprime;
            }
            if !is_x {
                sub::sub_from(w, m);
            }
            out.copy_from_slice(if is_x { u } else { w });
            return Outcome::Inverse;
        }
        let longer = x.len().max(y.len());
        let top =
            x.get(longer - 1).copied().unwrap_or_default() | y.get(longer - 1).copied().unwrap_or_default();
        len = (longer + (top >> 63) as usize).max(2);
    }
    Outcome::Unknown
}

/// `x = (above B^n + x) / B mod m`, for `above B^n + x < B m`.
#[inline(always)]
fn divide(x: &mut [u64], above: u64, m: &[u64], negated_inverse: u64) {
    let Some(&low) = x.first() else { return };
    let carry = multiple::add(x, m, low.wrapping_mul(negated_inverse));
    // The lowest word is 0; the sum is below 2 m.
    x.copy_within(1.., 0);
    let (top, is_above) = above.overflowing_add(carry);
    if let Some(last) = x.last_mut() {
        *last = top;
    }
    if is_above || cmp::cmp(x, m).is_ge() {
        sub::sub_assign(x, m, false);
    }
}
