//! The product by number-theoretic transforms, on the CPU: exact, in double precision.
//!
//! Integers are cut into digits of 192 bits. Their convolution is computed modulo eight primes below 2^50 at
//! once, one in each lane of a vector, and put together by the Chinese remainder theorem. Digits are that
//! wide because their coefficients, sums of n products, are below half the product of the primes,
//! `2 n (2^192 - 1)^2 < P`; where n is too large the digits have 168 bits.
//!
//! | module | what it is |
//! | --- | --- |
//! | `residues`, `lanes` | arithmetic modulo eight primes with fused multiply-adds, and its bounds |
//! | `primes`, `basis` | the primes; their constants and tables of roots |
//! | `length` | digits, points and levels for two lengths |
//! | `digits`, `transform`, `convolution`, `recombination` | the four steps |
//!
//! The transform splits `x^n - 1` down to polynomials of degree 4 to 7, so that lengths are at most a quarter
//! apart, and the last step multiplies modulo those. `docs/mul_ntt.md` has the analysis.
//!
//! Vectors are AVX-512, AVX2 or NEON, whichever the machine has. Without hardware for the fused multiply-add
//! results are the same and take many times as long: [`is_fast`] says so.

use core::mem;

use fearless_simd::Level;
use limbforge_limb::Base;
use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::words::words_for;

mod basis;
mod bounds;
mod convolution;
mod digits;
mod lanes;
mod length;
mod limbs;
mod primes;
mod product;
mod recombination;
mod residues;
mod transform;

use length::Shape;
use recombination::Sums;
use residues::Residues;

/// Memory that products work in. It grows to what the largest product needed, [`scratch_bytes`], and is
/// reused; one per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    values: [Vec<Residues>; 2],
    sums: Sums,
    operands: [Vec<u64>; 2],
    product: Vec<u64>,
}

impl Scratch {
    /// An empty scratch; the first product allocates.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Bytes of scratch that the wide product of `a` by `b` 64-bit words takes, where one transform does it.
#[must_use]
pub fn scratch_bytes(a: usize, b: usize) -> usize {
    let Some(shape) = Shape::new(a.max(1), b.max(1)) else { return usize::MAX };
    let values = 2 * shape.points() * size_of::<Residues>();
    values + recombination::sums_bytes(shape, shape.kept(a + b)) + 2 * (a + b) * size_of::<u64>()
}

/// Whether this machine has the fused multiply-add in hardware, in vectors.
#[must_use]
pub fn is_fast() -> bool {
    match Level::new() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(_) | Level::Avx512(_) => true,
        #[cfg(target_arch = "aarch64")]
        Level::Neon(_) => true,
        _ => false,
    }
}

/// `out = product of the factors`, which may have different lengths; `out` has as many limbs as both
/// together.
///
/// # Panics
/// If it has another length.
pub fn wide<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    assert_eq!(out.len(), wide_len(factors), "a wide product has the length of its factors together");
    low(out, factors, scratch);
}

/// `out = product of the factors mod B^M`, M the length of `out`. The factors may have any lengths.
pub fn low<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    match B::as_words_mut(out) {
        Some(out) => on_words(out, factors, scratch),
        None => through_words(out, 0, factors, scratch),
    }
}

/// The highest limbs of the product of the factors, which may have different lengths:
/// `out = floor(product / B^(m - M))`, m the length of both factors together and M that of `out`.
///
/// # Panics
/// If M > m.
pub fn high<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    let len = wide_len(factors);
    assert!(out.len() <= len, "a high product is no longer than its factors together");
    low_from(out, len - out.len(), factors, scratch);
}

const fn wide_len<B: Base>(factors: Factors<'_, B>) -> usize {
    match factors {
        Factors::Pair(a, b) => a.len() + b.len(),
        Factors::Square(a) => 2 * a.len(),
    }
}

/// The limbs of the product from the `start`-th on, as many as `out` has. The factors may have any lengths.
pub fn low_from<B: Base>(out: &mut [B], start: usize, factors: Factors<'_, B>, scratch: &mut Scratch) {
    if start == 0 {
        return low(out, factors, scratch);
    }
    through_words(out, start, factors, scratch);
}

fn through_words<B: Base>(out: &mut [B], start: usize, factors: Factors<'_, B>, scratch: &mut Scratch) {
    let mut product = mem::take(&mut scratch.product);
    product.clear();
    product.resize(words_for::<B>(start + out.len()), 0);
    on_words(&mut product, factors, scratch);
    limbs::unpack(out, &product, start);
    scratch.product = product;
}

fn on_words<B: Base>(out: &mut [u64], factors: Factors<'_, B>, scratch: &mut Scratch) {
    let [mut a_room, mut b_room] = mem::take(&mut scratch.operands);
    let factors = match factors {
        Factors::Pair(a, b) => Factors::Pair(limbs::words(a, &mut a_room), limbs::words(b, &mut b_room)),
        Factors::Square(a) => Factors::Square(limbs::words(a, &mut a_room)),
    };
    product::low(Level::new(), out, factors, scratch, usize::MAX);
    scratch.operands = [a_room, b_room];
}
