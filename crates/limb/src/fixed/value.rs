//! Construction, limbs, order, equality and hashing.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use generic_array::{ArrayLength, GenericArray};

use crate::{base::Base, int::Int, int_type::IntType, slice::cmp, uint::Uint, width::whole_bits};

methods! { Uint Int:
    /// The number with these limbs, least significant first: an array `[B; M]` or a `GenericArray`.
    fn from_limbs(limbs: impl Into<GenericArray<B, N>>) -> Self = {
        const { assert!(Self::BITS > 0) };
        Self { limbs: limbs.into() }
    };

    /// The limbs, least significant first.
    fn as_limbs(&self) -> &[B] = &self.limbs;
    /// The limbs, least significant first, for writing.
    fn as_limbs_mut(&mut self) -> &mut [B] = &mut self.limbs;
    /// The limbs as an array, least significant first.
    fn into_limbs(self) -> GenericArray<B, N> = self.limbs;
    /// 0.
    fn zero() -> Self = Self::filled(|_| {});
    /// 1.
    fn one() -> Self = Self::filled(|limbs| limbs[0] = B::ONE);
    /// Whether the number is 0.
    fn is_zero(&self) -> bool = cmp::is_zero(&self.limbs);
}

both! {
    impl {
        /// The number whose limbs, zero at first, `fill` writes.
        #[inline]
        pub(crate) fn filled(fill: impl FnOnce(&mut [B])) -> Self {
            const { assert!(Self::BITS > 0) };
            let mut limbs = GenericArray::default();
            fill(&mut limbs);
            Self { limbs }
        }
    }
}

impls! { Uint Int:
    Clone { fn clone(&self) -> Self = Self { limbs: self.limbs.clone() }; }
    /// 0.
    Default { fn default() -> Self = Self::zero(); }
    PartialEq { fn eq(&self, other: &Self) -> bool = self.limbs == other.limbs; }
    Eq {}
    Ord {
        fn cmp(&self, other: &Self) -> Ordering = match Self::TYPE.is_signed() {
            true => cmp::cmp_signed(&self.limbs, &other.limbs, Self::BITS),
            false => cmp::cmp(&self.limbs, &other.limbs),
        };
    }
    PartialOrd { fn partial_cmp(&self, other: &Self) -> Option<Ordering> = Some(self.cmp(other)); }
}

macro_rules! stamp {
    ($Type:ident, signed: $signed:literal) => {
        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// M: limbs of the integer.
            pub const LIMBS: usize = N::USIZE;
            /// Width in bits: `M * B::BITS`. A width above [`IntType::MAX_BITS`] does not compile.
            pub const BITS: u32 = Self::TYPE.bits();
            /// The width and the signedness.
            pub const TYPE: IntType = match IntType::new(N::U64 * whole_bits::<B>() as u64, $signed) {
                Ok(ty) => ty,
                Err(_) => panic!("an integer has 1 to 2^24 bits"),
            };
        }

        impl<B: Base, N: ArrayLength> Hash for $Type<B, N> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.limbs.hash(state);
            }
        }

        impl<B: Base, N: ArrayLength> Copy for $Type<B, N> where N::ArrayType<B>: Copy {}
    };
}

stamp!(Uint, signed: false);
stamp!(Int, signed: true);
