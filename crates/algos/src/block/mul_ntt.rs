//! The product of integers by transforms over one prime field, which determines the digits.

use core::marker::PhantomData;

use const_panic::concat_assert;
use limbforge_field::TwoAdicField;
use limbforge_field::digits::max_digit_bits;
use limbforge_limb::slice::words;
use limbforge_limb::{Base, IntType};

use super::{BlockAlgorithm, LengthError};
use crate::invariant::broken_invariant;
use crate::transform::context::{Context as _, Fixed};
use crate::transform::ntt::{Ntt, Wrap};

/// `a * b`, 2M limbs `B`, by transforms over the field `F`.
///
/// An operand is cut into n digits of d bits. A coefficient of the product is a sum of up to n products of
/// digits, so d is the largest number with `n (2^d - 1)^2 < p`: the field then holds every coefficient
/// exactly.
///
/// ```
/// use limbforge_algos::block::{BlockAlgorithm, MulNtt};
/// limbforge_field::prime_field! { type Mine: u64 = 29 * 2^57 + 1; }
///
/// type Product = MulNtt<Mine, u64, 64>;
/// assert_eq!((Product::DIGIT_BITS, Product::DIGITS, Product::POINTS), (27, 152, 512));
/// let product = Product::on_cpu(&[u64::MAX; 64], &[u64::MAX; 64])?;
/// assert_eq!((product[0], product[63], product[64], product[127]), (1, 0, u64::MAX - 1, u64::MAX));
/// # Ok::<(), limbforge_algos::block::LengthError>(())
/// ```
///
/// A prime with too few roots does not compile ("transforms of 128 points need a root of order 2^7: p = 97
/// has one of order 2^5"):
///
/// ```compile_fail,E0080
/// limbforge_field::prime_field! { type Short: u32 = 3 * 2^5 + 1; }
/// limbforge_algos::block_algorithm! { type Product = limbforge_algos::block::MulNtt<Short, u64, 1>; }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MulNtt<F, B, const M: usize>(PhantomData<(F, B)>);

impl<F: TwoAdicField, B: Base, const M: usize> MulNtt<F, B, M> {
    /// d: bits of a digit.
    pub const DIGIT_BITS: u32 = {
        let (p, mut bits) = (F::MODULUS, 32);
        while bits > 0 && max_digit_bits(p, digits::<B>(M, bits)) < bits {
            bits -= 1;
        }
        concat_assert!(
            bits > 0 && M > 0,
            "digits of 1 bit or more need n < p, and M >= 1: p = ",
            p,
            ", M = ",
            M,
            " limbs of ",
            B::BITS,
            " bits"
        );
        bits
    };
    /// n: digits of an operand.
    pub const DIGITS: usize = digits::<B>(M, Self::DIGIT_BITS) as usize;
    /// Points of a transform on the CPU: a power of two that holds all coefficients.
    pub const POINTS: usize = {
        let points = (2 * Self::DIGITS - 1).next_power_of_two();
        let points = if points < LEAST_POINTS { LEAST_POINTS } else { points };
        concat_assert!(
            points.trailing_zeros() <= F::ADICITY,
            "transforms of ",
            points,
            " points need a root of order 2^",
            points.trailing_zeros(),
            ": p = ",
            F::MODULUS,
            " has one of order 2^",
            F::ADICITY
        );
        points
    };

    /// The digits of all operands of a batch, lowest first, [`DIGITS`](Self::DIGITS) to an instance.
    #[must_use]
    pub fn digits(limbs: &[B]) -> Vec<u64> {
        let mut instance = vec![0; words::words_for::<B>(M)];
        let mut all = Vec::with_capacity(limbs.len() / M * Self::DIGITS);
        for limbs in limbs.chunks_exact(M) {
            words::pack(&mut instance, limbs);
            all.extend(
                (0..Self::DIGITS).map(|i| digit(&instance, i * Self::DIGIT_BITS as usize, Self::DIGIT_BITS)),
            );
        }
        all
    }

    /// The product of 2M limbs with these coefficients, lowest first.
    #[must_use]
    pub fn release(coefficients: impl IntoIterator<Item = u64>) -> Vec<B> {
        let mut product = vec![0; words::words_for::<B>(2 * M)];
        let mut carry = 0_u128;
        for (i, coefficient) in coefficients.into_iter().chain([0; 2]).enumerate() {
            carry += u128::from(coefficient);
            let digit = carry as u64 & ((1 << Self::DIGIT_BITS) - 1);
            put(&mut product, i * Self::DIGIT_BITS as usize, digit);
            carry >>= Self::DIGIT_BITS;
        }
        let mut limbs = vec![B::ZERO; 2 * M];
        words::unpack(&mut limbs, &product);
        limbs
    }
}

impl<F: TwoAdicField, B: Base, const M: usize> BlockAlgorithm for MulNtt<F, B, M> {
    type Limb = B;
    const LIMBS: usize = M;
    const RESULT_LIMBS: usize = 2 * M;
    const CHECKED: () = {
        let bits = 2 * M as u64 * B::BITS as u64;
        concat_assert!(
            Self::POINTS > 0 && bits <= IntType::MAX_BITS as u64,
            "products have at most ",
            IntType::MAX_BITS,
            " bits: M = ",
            M,
            " limbs of ",
            B::BITS,
            " bits make products of ",
            bits
        );
    };

    fn on_cpu(a: &[B], b: &[B]) -> Result<Vec<B>, LengthError> {
        const { Self::CHECKED };
        [a, b].into_iter().try_for_each(|operand| LengthError::check(a.len() / M, M, operand.len()))?;
        let Ok(ntt) = Ntt::<F>::new(Self::POINTS, Wrap::Cyclic) else {
            broken_invariant("the field has the roots that the compiler checked")
        };
        let field = Fixed::<F>::new();
        let padded = |digits: &[u64]| -> Vec<F> {
            let zeros = core::iter::repeat_n(F::ZERO, Self::POINTS - digits.len());
            digits.iter().map(|&digit| F::from(digit)).chain(zeros).collect()
        };
        let (a, b) = (Self::digits(a), Self::digits(b));
        let pairs = a.chunks_exact(Self::DIGITS).zip(b.chunks_exact(Self::DIGITS));
        let product = |(a, b): (&[u64], &[u64])| {
            let Ok(product) = ntt.convolve(&padded(a), &padded(b)) else {
                broken_invariant("factors have as many values as the transform has points")
            };
            Self::release(product.into_iter().take(2 * Self::DIGITS - 1).map(|value| field.value(value)))
        };
        Ok(pairs.flat_map(product).collect())
    }
}

/// Points of the shortest transform that has a kernel.
const LEAST_POINTS: usize = 16;

/// Digits of so many bits of a number of `limbs` limbs.
const fn digits<B: Base>(limbs: usize, digit_bits: u32) -> u64 {
    (limbs as u64 * B::BITS as u64).div_ceil(digit_bits as u64)
}

/// The digit of `bits` bits, 32 at most, from bit `start` on; zeros above the words.
fn digit(words: &[u64], start: usize, bits: u32) -> u64 {
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    let both = u128::from(word(start / 64 + 1)) << 64 | u128::from(word(start / 64));
    (both >> (start % 64)) as u64 & ((1 << bits) - 1)
}

/// Sets the bits of a digit, zero before, from bit `start` on. Bits above the words are zero.
fn put(words: &mut [u64], start: usize, digit: u64) {
    let both = u128::from(digit) << (start % 64);
    for (at, part) in [(start / 64, both as u64), (start / 64 + 1, (both >> 64) as u64)] {
        if let Some(word) = words.get_mut(at) {
            *word |= part;
        }
    }
}
