//! The product by number-theoretic transforms, on the CPU: exact, in double precision.
//!
//! Integers are cut into digits of 192 bits. Their convolution is computed modulo eight primes below 2^50 at
//! once, one in each lane of a vector, and recombined by the Chinese remainder theorem. Coefficients, sums of
//! n products of digits, are below half the product of the primes, `2 n (2^192 - 1)^2 < P`; for larger n the
//! digits have 168 bits.
//!
//! | module | contents |
//! | --- | --- |
//! | `basis` | the primes, their constants and tables of roots |
//! | `level` | the vectors that are used |
//! | `lanes`, `bounds` | arithmetic modulo eight primes with fused multiply-adds, and its bounds |
//! | `pairs` | sums of two products, with factors that are transformed once |
//! | `digits`, `transform`, `product`, `recombination` | the four steps; `product` multiplies pointwise |
//! | `reduction` | Montgomery's reduction, with kept transforms of its constants |
//! | `wrapped` | products modulo `B^N - 1` |
//!
//! The transform splits `x^n - 1` down to polynomials of degree 2, 3, 5 or 7, so that lengths are at most
//! a quarter apart; products are taken modulo those. `docs/mul_ntt.md` has the analysis.
//!
//! Vectors are AVX-512, AVX2 or NEON, whichever the machine has. Without a fused multiply-add in hardware the
//! results are the same but take many times as long, see [`is_fast`].

use core::mem;

use limbforge_limb::Base;
use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::words::{pack, words_for};

mod basis;
mod bounds;
mod digits;
mod lanes;
mod level;
pub(crate) mod pairs;
mod product;
mod recombination;
mod reduction;
mod transform;
pub(crate) mod wrapped;

pub(crate) use basis::Residues;
use digits::Shape;
use recombination::Sums;
pub(crate) use reduction::Reduction;

/// Working memory of products, one per thread. It starts empty and grows to the [`scratch_bytes`] of the
/// largest product.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    values: [Vec<Residues>; 2],
    sums: Sums,
    operands: [Vec<u64>; 2],
    product: Vec<u64>,
}

/// Bytes of scratch of the wide product of `a` by `b` 64-bit words by one transform.
#[must_use]
pub fn scratch_bytes(a: usize, b: usize) -> usize {
    let Some(shape) = Shape::new(a.max(1), b.max(1)) else { return usize::MAX };
    let values = 2 * shape.points() * size_of::<Residues>();
    values + recombination::sums_bytes(shape, shape.kept(a + b)) + 2 * (a + b) * size_of::<u64>()
}

/// Returns true if this machine has a fused multiply-add of vectors in hardware, so that long products should be
/// computed here. The environment variable `LIMBFORGE_TRANSFORMS=none` keeps a program from doing so.
#[must_use]
pub fn is_fast() -> bool {
    !level::are_left_out()
}

/// Returns true if eight residues fill one vector: with AVX-512.
pub(crate) fn has_long_vectors() -> bool {
    level::has_long_vectors()
}

/// `out = product of the factors`, which may have different lengths.
///
/// # Panics
/// Unless `out` has as many limbs as both factors together.
pub fn wide<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    assert_eq!(out.len(), wide_len(factors), "a wide product has the length of its factors together");
    low(out, factors, scratch);
}

/// `out = product of the factors mod B^M`, M the length of `out`. The factors may have any lengths.
pub fn low<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut Scratch) {
    low_from(out, 0, factors, scratch);
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
    if let Some(out) = B::as_words_mut(out).filter(|_| start == 0) {
        return on_words(out, factors, scratch);
    }
    let mut product = mem::take(&mut scratch.product);
    product.clear();
    product.resize(words_for::<B>(start + out.len()), 0);
    on_words(&mut product, factors, scratch);
    unpack(out, &product, start);
    scratch.product = product;
}

fn on_words<B: Base>(out: &mut [u64], factors: Factors<'_, B>, scratch: &mut Scratch) {
    let [mut a_room, mut b_room] = mem::take(&mut scratch.operands);
    let factors = match factors {
        Factors::Pair(a, b) => Factors::Pair(words(a, &mut a_room), words(b, &mut b_room)),
        Factors::Square(a) => Factors::Square(words(a, &mut a_room)),
    };
    product::low(level::level(), out, factors, scratch, usize::MAX);
    scratch.operands = [a_room, b_room];
}

/// The limbs as words: themselves, or repacked in `room`.
fn words<'a, B: Base>(limbs: &'a [B], room: &'a mut Vec<u64>) -> &'a [u64] {
    if let Some(words) = B::as_words(limbs) {
        return words;
    }
    room.clear();
    room.resize(words_for::<B>(limbs.len()), 0);
    pack(room, limbs);
    room
}

/// The limbs from the `start`-th on of the number in `words`.
fn unpack<B: Base>(limbs: &mut [B], words: &[u64], start: usize) {
    for (i, limb) in limbs.iter_mut().enumerate() {
        let bit = (start + i) * B::BITS as usize;
        *limb = if B::BITS >= 64 {
            let parts = words[bit / 64..].iter().take(B::BITS as usize / 64).enumerate();
            parts.fold(B::ZERO, |limb, (i, &word)| limb | B::from_word(word) << (64 * i))
        } else {
            B::from_word(words[bit / 64] >> (bit % 64))
        };
    }
}
