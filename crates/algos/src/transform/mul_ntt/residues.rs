//! A number modulo eight primes, in memory.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x8};

use super::primes::PRIMES;

/// One number modulo each of the eight primes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Residues(pub(super) [f64; PRIMES]);

impl Residues {
    pub(super) const ZERO: Self = Self([0.0; PRIMES]);

    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> f64x8<S> {
        f64x8::from_slice(simd, &self.0)
    }

    #[inline(always)]
    pub(super) fn store<S: Simd>(&mut self, value: f64x8<S>) {
        value.store_slice(&mut self.0);
    }
}
