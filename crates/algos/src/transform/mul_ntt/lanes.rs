//! A number modulo eight primes at once, in double precision, exactly.
//!
//! All values are integers of magnitude below 2^53, which double precision holds exactly, and all primes are
//! below 2^50. With the fused multiply-add, which rounds once, the rounding error of a product is known
//! exactly, so that a product is reduced in six operations (van der Hoeven, Lecerf and Quintin, "Modular SIMD
//! arithmetic in Mathemagix", 2016; FLINT's `fft_small` computes so too).
//!
//! Residues are signed and lazy. The transforms rely only on the bounds below. Debug builds check them at
//! every operation, and `bounds.rs` proves at compile time that the transforms stay within them.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f64x8};

use super::basis::{Basis, P, PRIMES, Residues};

/// 1.5 * 2^52: adding it to |x| <= 2^51 and subtracting it again rounds x to the nearest integer, and the low
/// bits of the sum are that integer.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0;

/// The largest operand of [`Lanes::reduce`], in units of p: 8p stays below 2^53.
pub(super) const MOST_REDUCED: f64 = 8.0;

/// The largest product before its reduction in [`Lanes::mul`], in units of p^2: its quotient by p, at most
/// 2p + 1, stays below 2^51.
pub(super) const MOST_MULTIPLIED: f64 = 2.0;

/// The largest result of [`Lanes::reduce`], in units of p. The quotient is off by 1/2 for its rounding, and
/// by 8 * 2^-52 for that of 1/p.
pub(super) const REDUCED: f64 = 0.5 + 1e-14;

/// The largest result of [`Lanes::mul`], in units of p, for a product of at most `product` p^2. The quotient
/// is off by 1/2 for its rounding, and for those of the product and of 1/p by 2 * 2^-53 of itself, which is
/// `product * p`, p < 2^50 (1 - 3.6e-8).
pub(super) const fn multiplied(product: f64) -> f64 {
    REDUCED + product / 4.0 * (1.0 - 3.6e-8)
}

const _: () = assert!((P[0] as f64) < (1_u64 << 50) as f64 * (1.0 - 3.6e-8));

/// Arithmetic modulo the eight primes, in vector registers.
#[derive(Clone, Copy)]
pub(super) struct Lanes<S: Simd> {
    pub(super) simd: S,
    /// The primes.
    p: f64x8<S>,
    /// 1/p, rounded.
    inverse: f64x8<S>,
    round: f64x8<S>,
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, basis: &Basis) -> Self {
        let round = f64x8::splat(simd, ROUND);
        Self { simd, p: basis.primes.load(simd), inverse: basis.inverses.load(simd), round }
    }

    /// x mod p, at most `REDUCED` p, for |x| <= 8p.
    #[inline(always)]
    pub(super) fn reduce(self, x: f64x8<S>) -> f64x8<S> {
        self.check(x, MOST_REDUCED);
        (-self.quotient(x)).mul_add_precise(self.p, x)
    }

    /// a * b mod p, at most `multiplied(|a * b| / p^2)` p, for |a * b| <= 2 p^2.
    #[inline(always)]
    pub(super) fn mul(self, a: f64x8<S>, b: f64x8<S>) -> f64x8<S> {
        let high = a * b;
        self.check(high * self.inverse, MOST_MULTIPLIED);
        let low = a.mul_sub_precise(b, high);
        // Both terms and their sum are integers below 2^53.
        (-self.quotient(high)).mul_add_precise(self.p, high) + low
    }

    /// x / p as a fraction, rounded.
    #[inline(always)]
    pub(super) fn fraction(self, x: f64x8<S>) -> f64x8<S> {
        x * self.inverse
    }

    /// x / p, rounded to the nearest integer.
    #[inline(always)]
    fn quotient(self, x: f64x8<S>) -> f64x8<S> {
        x.mul_add_precise(self.inverse, self.round) - self.round
    }

    /// In debug builds: |x| <= bound * p.
    #[inline(always)]
    fn check(self, x: f64x8<S>, bound: f64) {
        if cfg!(debug_assertions) {
            let [mut values, mut inverses] = [[0.0; PRIMES]; 2];
            x.store_slice(&mut values);
            self.inverse.store_slice(&mut inverses);
            check_within(&values, &inverses, bound);
        }
    }
}

/// Panics unless |x| <= bound * p, up to the rounding of the comparison. Not inlined: one copy for all
/// callers.
#[inline(never)]
fn check_within(x: &[f64; PRIMES], inverse: &[f64; PRIMES], bound: f64) {
    let within = |(x, inverse): (&f64, &f64)| x.abs() * inverse <= bound * (1.0 + 1e-14);
    assert!(x.iter().zip(inverse).all(within), "{x:?} is more than {bound} times the primes");
}

/// `a = a + b`, of reduced values.
pub(super) fn add_reduced(level: Level, basis: &Basis, a: &mut [Residues], b: &[Residues]) {
    dispatch!(level, simd => {
        let lanes = Lanes::new(simd, basis);
        for (a, b) in a.iter_mut().zip(b) {
            a.store(lanes.reduce(a.load(simd) + b.load(simd)));
        }
    });
}
