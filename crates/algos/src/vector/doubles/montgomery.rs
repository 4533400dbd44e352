//! Products and their reduction column by column.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x4};

use super::DIGIT_BITS;
use super::columns::{COLUMNS, Sums, digit, load, low_product, store};
use crate::vector::lanes::Words;
use crate::vector::montgomery::Moduli;

/// A product of two numbers of n digits, or a square.
#[derive(Clone, Copy)]
pub(super) enum Product<'d> {
    Pair(&'d [Words], &'d [Words]),
    Square(&'d [Words]),
}

/// `out = x / R mod m`, below 2m, of a product x, in the lower four lanes or in all. `quotient` is room for n
/// digits.
///
/// With n digits a column has at most 2n products, whose low halves are together below `3n 2^51` (see
/// [`Sums::settle`]), and a carry below `2 (n + 1) 2^51`: the sum is below 2^64 for n below 1600.
pub(super) fn reduce<S: Simd>(
    simd: S,
    out: &mut [Words],
    product: Product<'_>,
    moduli: Moduli<'_>,
    quotient: &mut [Words],
    all: bool,
) {
    let n = moduli.digits.len();
    simd.vectorize(
        #[inline(always)]
        || {
            // The sums of one half overlap with the factors and carries of the other, which wait for each
            // other.
            let mut carries = [u64x4::splat(simd, 0); 2];
            for first in (0..n).step_by(COLUMNS) {
                carries[0] = low::<S, 0>(simd, product, moduli, quotient, first, carries[0]);
                if all {
                    carries[1] = low::<S, 1>(simd, product, moduli, quotient, first, carries[1]);
                }
            }
            for first in (n..2 * n).step_by(COLUMNS) {
                let out = &mut out[first - n..][..COLUMNS];
                carries[0] = high::<S, 0>(simd, out, product, moduli, quotient, first, carries[0]);
                if all {
                    carries[1] = high::<S, 1>(simd, out, product, moduli, quotient, first, carries[1]);
                }
            }
        },
    );
}

/// Makes the two columns from `first` on, below n, zero by digits of the quotient, for four lanes; returns
/// the carry.
#[inline(always)]
fn low<S: Simd, const HALF: usize>(
    simd: S,
    product: Product<'_>,
    moduli: Moduli<'_>,
    quotient: &mut [Words],
    first: usize,
    mut carry: u64x4<S>,
) -> u64x4<S> {
    let m = moduli.digits;
    let [m0, m1] = [&m[0], &m[1]].map(|digit| load::<S, HALF>(simd, digit));
    let negated = load::<S, HALF>(simd, &moduli.negated_inverses);
    let mut sums = Sums::new(simd);
    product.add_low::<S, HALF>(&mut sums, first);
    sums.add_run::<HALF>(quotient, m, first, 0, first);
    for c in 0..COLUMNS {
        // The multiple of m that makes the column 0.
        let (low, high) = sums.settle(c, 2 * (first + c) + 1);
        let low = low + carry;
        let factor = low_product(simd, digit(simd, low), negated);
        store::<S, HALF>(&mut quotient[first + c], factor);
        let mut own = Sums::new(simd);
        own.add(0, factor, m0);
        let (own_low, own_high) = own.settle(0, 1);
        if c == 0 {
            sums.add(1, factor, m1);
        }
        carry = high + own_high + ((low + own_low) >> DIGIT_BITS);
    }
    carry
}

/// Writes the digits of the two columns from `first` on, at least n, of four lanes; returns the carry.
#[inline(always)]
fn high<S: Simd, const HALF: usize>(
    simd: S,
    out: &mut [Words],
    product: Product<'_>,
    moduli: Moduli<'_>,
    quotient: &[Words],
    first: usize,
    mut carry: u64x4<S>,
) -> u64x4<S> {
    let (m, n) = (moduli.digits, moduli.digits.len());
    let mut sums = Sums::new(simd);
    product.add_high::<S, HALF>(&mut sums, first, n);
    add_high_pair::<S, HALF>(&mut sums, quotient, m, first, n);
    for (c, out) in out.iter_mut().enumerate() {
        let (low, high) = sums.settle(c, 2 * (2 * n - 1 - first - c));
        let low = low + carry;
        store::<S, HALF>(out, digit(simd, low));
        carry = high + (low >> DIGIT_BITS);
    }
    carry
}

/// Adds the products of `x y` in the two columns from `first` on, at least n.
#[inline(always)]
fn add_high_pair<S: Simd, const HALF: usize>(
    sums: &mut Sums<S>,
    x: &[Words],
    y: &[Words],
    first: usize,
    n: usize,
) {
    let lowest = first - n + 1;
    sums.add_digits::<HALF>(0, &x[lowest], &y[n - 1]);
    sums.add_run::<HALF>(x, y, first, lowest + 1, n);
}

impl Product<'_> {
    /// Adds the two columns from `first` on, which is even and below n.
    #[inline(always)]
    fn add_low<S: Simd, const HALF: usize>(self, sums: &mut Sums<S>, first: usize) {
        match self {
            Self::Pair(a, b) => {
                sums.add_run::<HALF>(a, b, first, 0, first + 1);
                sums.add_digits::<HALF>(1, &a[first + 1], &b[0]);
            }
            Self::Square(a) => {
                let middle = first / 2;
                sums.add_run::<HALF>(a, a, first, 0, middle);
                sums.add_digits::<HALF>(1, &a[middle], &a[middle + 1]);
                sums.double();
                sums.add_digits::<HALF>(0, &a[middle], &a[middle]);
            }
        }
    }

    /// Adds the two columns from `first` on, which is even and at least n.
    #[inline(always)]
    fn add_high<S: Simd, const HALF: usize>(self, sums: &mut Sums<S>, first: usize, n: usize) {
        match self {
            Self::Pair(a, b) => add_high_pair::<S, HALF>(sums, a, b, first, n),
            Self::Square(a) => {
                let (lowest, middle) = (first - n + 1, first / 2);
                if lowest < middle {
                    sums.add_digits::<HALF>(0, &a[lowest], &a[n - 1]);
                    sums.add_run::<HALF>(a, a, first, lowest + 1, middle);
                    sums.add_digits::<HALF>(1, &a[middle], &a[middle + 1]);
                    sums.double();
                }
                sums.add_digits::<HALF>(0, &a[middle], &a[middle]);
            }
        }
    }
}
