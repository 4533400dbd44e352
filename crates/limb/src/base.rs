//! The limb: one machine word of an integer.

mod newtype;
mod primitive;

use core::fmt::{Debug, Display, LowerHex};
use core::hash::Hash;

use bytemuck::Pod;
use num_traits::{ConstOne, ConstZero, NumCast, PrimInt, Unsigned};

use crate::wide::Wide;

/// One machine word of an integer: `u32`, `u64`, `u128`, or a word of your own.
///
/// An integer of M limbs is a slice `a` with value `sum a[i] * B^i`, least significant limb first, where
/// `B = 2^BITS`. Every algorithm in limbforge is built from the functions below; each is exact.
///
/// # Custom limbs
/// [`limb_newtype!`](crate::limb_newtype) makes a limb of a primitive word. It works wherever `u32` works:
///
/// ```
/// use limbforge_algos::cpu::eval;
/// use limbforge_algos::expr::Expr;
/// use limbforge_limb::num_bigint::BigUint;
/// use limbforge_limb::{Batch, IntType, Layout, limb_newtype};
///
/// limb_newtype! {
///     /// A 32-bit register of our machine.
///     pub struct Register(u32);
/// }
///
/// let ty: IntType = "u96".parse()?;
/// let a = (BigUint::from(1_u32) << 96_u32) - 6_u32;
/// let batch = Batch::<Register>::from_biguints(ty, Layout::InstanceMajor, &[a])?;
/// assert_eq!(batch.instance(0), [Register(u32::MAX - 5), Register(u32::MAX), Register(u32::MAX)]);
/// let values = eval(&Expr::parse("a*a + gcd(a, 18)")?.to_dag(), &[("a", &batch)])?;
/// assert_eq!(values.to_biguints(), [38_u32.into()]); // (-6)^2 + gcd(2^96 - 6, 18)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A word that is not a primitive implements the trait by hand, as `limbforge_reference::toy` does. The line
/// `limbforge_testing::conformance_limb!(Register);` runs every test of a limb.
///
/// # Laws
/// The compiler checks these where the limb is used (`cargo build` reports a failure, `cargo check` may not):
///
/// * [`slice`](mod@crate::slice) takes limbs of 1 to 64 bits, or of a multiple of 64.
/// * All else takes limbs of 8, 16, 32, 64 or 128 bits, all bits of `size_of::<Self>() == BYTES` bytes.
/// * There, `Half` has at least half of the limb's bytes, and `Wide` at least twice as many.
///
/// For example, 24 bits stored in a `u32` are a limb of slices, but not of batches:
///
/// ```compile_fail,E0080
/// use limbforge_limb::{Batch, IntType, Layout};
/// use limbforge_reference::toy::Toy;
///
/// let ty: IntType = "u72".parse().unwrap();
/// let batch = Batch::<Toy<24>>::zeros(ty, Layout::InstanceMajor, 1);
/// ```
///
/// The suites check:
///
/// * `HIGHEST` is `2^BITS - 1`, [`ZERO`](ConstZero::ZERO) and [`ONE`](ConstOne::ONE) are 0 and 1.
/// * The operators, the order and the methods of [`PrimInt`] are those of an unsigned integer of `BITS` bits.
///   An overflow may panic or wrap.
/// * The functions of this trait are exact for all operands within the stated bounds.
///
/// The implementation of [`Pod`] promises that every bit pattern is a limb, without padding. GPUs take limbs
/// of 32, 64 and 128 bits that lie in memory as their little-endian bytes, as `u32` does on x86 and ARM; an
/// engine refuses others with an error, and `Engine::auto` then computes on the CPU.
pub trait Base:
    PrimInt
    + Unsigned
    + ConstZero
    + ConstOne
    + Pod
    + Debug
    + Default
    + Display
    + Hash
    + LowerHex
    + Send
    + Sync
    + 'static
{
    /// The word of half the width (`u16` for `u32`), or the limb itself without one.
    type Half: PrimInt + Unsigned + Debug + Display + Hash + LowerHex + Into<Self> + Send + Sync + 'static;
    /// The word of twice the width, for example [`Pair<Self>`](crate::Pair).
    type Wide: Wide<Self>;

    /// Width of the limb in bits.
    const BITS: u32;
    /// Width of the limb in bytes. Do not override it.
    const BYTES: usize = (Self::BITS / 8) as usize;
    /// The largest limb, `B - 1`. A sum equal to it propagates an incoming carry.
    const HIGHEST: Self;
    /// The Rust name of the type, which for `u32`, `u64` and `u128` is also its name on the command line.
    const NAME: &'static str;

    /// `self + rhs + carry` as (sum mod B, carry out).
    fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool);

    /// `self - rhs - borrow` as (difference mod B, borrow out).
    fn borrowing_sub(self, rhs: Self, borrow: bool) -> (Self, bool);

    /// `self * rhs`, exactly.
    #[inline]
    fn widening_mul(self, rhs: Self) -> Self::Wide {
        let (low, high) = self.carrying_mul_add(rhs, Self::ZERO, Self::ZERO);
        Wide::from_parts(low, high)
    }

    /// `self * rhs + addend + carry` as (low limb, high limb), at most `(B-1)^2 + 2(B-1) = B^2 - 1`.
    fn carrying_mul_add(self, rhs: Self, addend: Self, carry: Self) -> (Self, Self);

    /// `self + rhs mod B`.
    #[must_use]
    fn wrapping_add(self, rhs: Self) -> Self {
        self.carrying_add(rhs, false).0
    }

    /// `self - rhs mod B`.
    #[must_use]
    fn wrapping_sub(self, rhs: Self) -> Self {
        self.borrowing_sub(rhs, false).0
    }

    /// (quotient, remainder) of `hi * B + lo` by `self`, or `None` unless `hi < self`.
    #[inline]
    fn checked_div_rem_wide(self, lo: Self, hi: Self) -> Option<(Self, Self)> {
        (hi < self).then(|| Self::Wide::from_parts(lo, hi).div_rem_limb(self))
    }

    /// The low `BITS / 2` bits and those above them.
    ///
    /// # Panics
    /// If `Half` is too narrow, which breaks the laws of the trait.
    #[inline]
    fn split(self) -> (Self::Half, Self::Half) {
        let half = (Self::BITS / 2) as usize;
        let high = self >> half;
        let to_half = |part: Self| match <Self::Half as NumCast>::from(part) {
            Some(part) => part,
            None => panic!("{part:#x} does not fit the half of a limb of {} bits", Self::BITS),
        };
        (to_half(self ^ high << half), to_half(high))
    }

    /// The limb with these halves; inverse of [`split`](Base::split).
    #[inline]
    #[must_use]
    fn join(low: Self::Half, high: Self::Half) -> Self {
        high.into() << (Self::BITS / 2) as usize | low.into()
    }

    /// The limb with the low `min(64, BITS)` bits of `word`.
    fn from_word(word: u64) -> Self;

    /// The low 64 bits of the limb.
    fn low_word(self) -> u64;

    /// The limb with this little-endian image; `bytes` beyond `BYTES` are ignored, missing ones are zero.
    #[must_use]
    fn from_le_bytes(bytes: &[u8]) -> Self {
        let used = &bytes[..bytes.len().min(Self::BYTES)];
        let bits = |(i, &byte): (usize, &u8)| Self::from_word(byte.into()) << (8 * i);
        used.iter().enumerate().map(bits).fold(Self::ZERO, |limb, bits| limb | bits)
    }

    /// Writes the little-endian image to the first `BYTES` bytes of `out`, or fewer if `out` is shorter.
    fn write_le_bytes(self, out: &mut [u8]) {
        for (i, byte) in out.iter_mut().take(Self::BYTES).enumerate() {
            *byte = (self >> (8 * i)).low_word() as u8;
        }
    }

    /// The slice itself if the limb is the 64-bit machine word, which needs no repacking for products. The
    /// default, `None`, is correct for any limb.
    fn as_words(_limbs: &[Self]) -> Option<&[u64]> {
        None
    }

    /// As [`as_words`](Base::as_words), for output.
    fn as_words_mut(_limbs: &mut [Self]) -> Option<&mut [u64]> {
        None
    }
}
