//! The word that stores a residue.

pub use limbforge_limb::Base;

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

/// The machine word of a field: `u32` for primes below 2^32, `u64` for primes below 2^64.
///
/// A [`Base`] with the operations of modular reductions.
pub trait Word: Base + sealed::Sealed {
    /// `self * rhs` as (low word, high word).
    #[must_use]
    fn mul_wide(self, rhs: Self) -> (Self, Self);

    /// `self * rhs mod 2^BITS`.
    #[must_use]
    fn mul_low(self, rhs: Self) -> Self;

    /// `floor(self * rhs / 2^BITS)`.
    #[inline(always)]
    #[must_use]
    fn mul_high(self, rhs: Self) -> Self {
        self.mul_wide(rhs).1
    }

    /// `self * rhs mod m` by `%`, the reference. `m` must not be 0.
    #[must_use]
    fn mul_rem(self, rhs: Self, m: Self) -> Self;

    /// `self - m` if that is not negative, else `self`: reduces a word below 2m to one below m.
    #[must_use]
    fn reduce_once(self, m: Self) -> Self;

    /// `floor(self * 2^BITS / m)`, for `self < m`.
    #[must_use]
    fn shifted_quotient(self, m: Self) -> Self;
}

macro_rules! impl_word {
    ($word:ty, $wide:ty, |$a:ident, $m:ident| $reduced:expr) => {
        impl Word for $word {
            #[inline(always)]
            fn mul_wide(self, rhs: Self) -> (Self, Self) {
                let product = <$wide>::from(self) * <$wide>::from(rhs);
                (product as $word, (product >> <$word>::BITS) as $word)
            }

            #[inline(always)]
            fn mul_low(self, rhs: Self) -> Self {
                <$word>::wrapping_mul(self, rhs)
            }

            #[inline(always)]
            fn mul_rem(self, rhs: Self, m: Self) -> Self {
                (<$wide>::from(self) * <$wide>::from(rhs) % <$wide>::from(m)) as $word
            }

            #[inline(always)]
            fn reduce_once(self, m: Self) -> Self {
                let ($a, $m) = (self, m);
                $reduced
            }

            #[inline]
            fn shifted_quotient(self, m: Self) -> Self {
                ((<$wide>::from(self) << <$word>::BITS) / <$wide>::from(m)) as $word
            }
        }
    };
}

// For a < m the difference wraps to a larger word. A 32-bit minimum is one vector instruction; for 64 bits
// there is none, and a conditional move is faster.
impl_word!(u32, u64, |a, m| a.min(a.wrapping_sub(m)));
impl_word!(u64, u128, |a, m| match a.overflowing_sub(m) {
    (_, true) => a,
    (difference, false) => difference,
});

/// Returns true if `2p - 1` fits a word, evaluated by the compiler for a constant p.
#[inline(always)]
pub(crate) fn has_spare_bit<W: Word>(p: W) -> bool {
    p <= W::HIGHEST >> 1
}
