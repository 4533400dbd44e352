//! The limb: one machine word of an integer.

use core::fmt::{Debug, Display, LowerHex};
use core::hash::Hash;

use bytemuck::Pod;
use num_traits::{ConstOne, ConstZero, PrimInt, Unsigned};

use crate::wide::{Pair, Wide};

/// One machine word of a multi-limb integer: `u32`, `u64` or `u128`.
///
/// An integer of M limbs is a slice `a` with value `sum a[i] * B^i`, least significant limb first, where
/// `B = 2^BITS`. The primitives below are what every algorithm in limbforge is built from; each is exact.
///
/// The trait is open: a further unsigned word implements it, and `limbforge_testing::conformance_base!` checks
/// every law that the algorithms rely on.
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
    /// The word of half the width (`u16` for `u32`).
    type Half: PrimInt + Unsigned + Debug + Display + Hash + LowerHex + Into<Self> + Send + Sync + 'static;
    /// The word of twice the width, which holds any product of two limbs.
    type Wide: Wide<Self>;

    /// Width of the limb in bits.
    const BITS: u32;
    /// Width of the limb in bytes.
    const BYTES: usize = (Self::BITS / 8) as usize;
    /// The largest limb, `B - 1`: all bits one. A sum that equals it passes an incoming carry on.
    const HIGHEST: Self;
    /// The Rust name of the type, which is also its name on the command line.
    const NAME: &'static str;

    /// `self + rhs + carry` as (sum mod B, carry out).
    fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool);

    /// `self - rhs - borrow` as (difference mod B, borrow out).
    fn borrowing_sub(self, rhs: Self, borrow: bool) -> (Self, bool);

    /// `self * rhs`, exactly.
    fn widening_mul(self, rhs: Self) -> Self::Wide;

    /// `self * rhs + addend + carry` as (low limb, high limb). It cannot overflow: `(B-1)^2 + 2(B-1) = B^2 - 1`.
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

    /// (quotient, remainder) of `hi * B + lo` by `self`, or `None` unless `hi < self` (the quotient would not
    /// fit one limb, or the divisor is zero).
    fn checked_div_rem_wide(self, lo: Self, hi: Self) -> Option<(Self, Self)>;

    /// The two halves, (low, high).
    fn split(self) -> (Self::Half, Self::Half);

    /// The limb with these halves; inverse of [`split`](Base::split).
    fn join(low: Self::Half, high: Self::Half) -> Self;

    /// The limb with the low `min(64, BITS)` bits of `word`.
    fn from_word(word: u64) -> Self;

    /// The low 64 bits of the limb.
    fn low_word(self) -> u64;

    /// The limb with this little-endian image; `bytes` beyond `BYTES` are ignored, missing ones are zero.
    fn from_le_bytes(bytes: &[u8]) -> Self;

    /// Writes the little-endian image to the first `BYTES` bytes of `out`, or fewer if `out` is shorter.
    fn write_le_bytes(self, out: &mut [u8]);

    /// The slice itself when the limb is the 64-bit machine word. Products run on machine words; this spares
    /// that limb the repacking.
    fn as_words(_limbs: &[Self]) -> Option<&[u64]> {
        None
    }

    /// As [`as_words`](Base::as_words), for output.
    fn as_words_mut(_limbs: &mut [Self]) -> Option<&mut [u64]> {
        None
    }
}

macro_rules! impl_base {
    ($limb:ty, half: $half:ty, wide: $wide:ty { $($words:item)* }) => {
        impl Base for $limb {
            type Half = $half;
            type Wide = $wide;

            const BITS: u32 = <$limb>::BITS;
            const HIGHEST: Self = <$limb>::MAX;
            const NAME: &'static str = stringify!($limb);

            #[inline(always)]
            fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool) {
                <$limb>::carrying_add(self, rhs, carry)
            }

            #[inline(always)]
            fn borrowing_sub(self, rhs: Self, borrow: bool) -> (Self, bool) {
                <$limb>::borrowing_sub(self, rhs, borrow)
            }

            #[inline(always)]
            fn widening_mul(self, rhs: Self) -> Self::Wide {
                let (low, high) = <$limb>::carrying_mul(self, rhs, 0);
                Wide::from_parts(low, high)
            }

            #[inline(always)]
            fn carrying_mul_add(self, rhs: Self, addend: Self, carry: Self) -> (Self, Self) {
                <$limb>::carrying_mul_add(self, rhs, addend, carry)
            }

            #[inline]
            fn checked_div_rem_wide(self, lo: Self, hi: Self) -> Option<(Self, Self)> {
                (hi < self).then(|| <$wide as Wide<$limb>>::from_parts(lo, hi).div_rem_limb(self))
            }

            #[inline]
            fn split(self) -> (Self::Half, Self::Half) {
                (self as $half, (self >> <$half>::BITS) as $half)
            }

            #[inline]
            fn join(low: Self::Half, high: Self::Half) -> Self {
                <$limb>::from(high) << <$half>::BITS | <$limb>::from(low)
            }

            #[inline(always)]
            fn from_word(word: u64) -> Self {
                word as $limb
            }

            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "lossless for some limbs only")]
            fn low_word(self) -> u64 {
                self as u64
            }

            #[inline]
            fn from_le_bytes(bytes: &[u8]) -> Self {
                let mut image = [0; size_of::<$limb>()];
                let kept = bytes.len().min(image.len());
                image[..kept].copy_from_slice(&bytes[..kept]);
                <$limb>::from_le_bytes(image)
            }

            #[inline]
            fn write_le_bytes(self, out: &mut [u8]) {
                let image = self.to_le_bytes();
                let kept = out.len().min(image.len());
                out[..kept].copy_from_slice(&image[..kept]);
            }

            $($words)*
        }
    };
}

impl_base!(u32, half: u16, wide: u64 {});
impl_base!(u64, half: u32, wide: u128 {
    #[inline(always)]
    fn as_words(limbs: &[Self]) -> Option<&[u64]> {
        Some(limbs)
    }

    #[inline(always)]
    fn as_words_mut(limbs: &mut [Self]) -> Option<&mut [u64]> {
        Some(limbs)
    }
});
impl_base!(u128, half: u64, wide: Pair<u128> {});
