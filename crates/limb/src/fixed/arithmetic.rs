//! The forms of each operation: wrapping, checked, saturating; each type has its own overflowing forms.

use core::cell::Cell;

use generic_array::ArrayLength;

use super::{FixedInt, divided};
use crate::base::Base;
use crate::int::Int;
use crate::slice::mul::{self, Factors, Scratch};
use crate::slice::{add, sub};
use crate::uint::Uint;

thread_local! {
    /// Saves an allocation for each product of single values.
    static SCRATCH: Cell<Scratch> = const { Cell::new(Scratch::new()) };
}

/// Runs a product in the scratch memory of this thread.
pub(crate) fn with_scratch<T>(product: impl FnOnce(&mut Scratch) -> T) -> T {
    SCRATCH.with(|shared| {
        let mut scratch = shared.take();
        let result = product(&mut scratch);
        shared.set(scratch);
        result
    })
}

macro_rules! checked {
    ($($(#[$doc:meta])* $name:ident($($rhs:ident)?) = $overflowing:ident;)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name(&self, $($rhs: &Self)?) -> Option<Self> {
            match self.$overflowing($($rhs)?) {
                (value, false) => Some(value),
                (_, true) => None,
            }
        }
    )*};
}

macro_rules! stamp {
    ($Type:ident) => {
        impl<B: Base, N: ArrayLength> $Type<B, N> {
            /// `self + rhs mod 2^BITS`. The same as `+`.
            #[inline]
            #[must_use]
            pub fn wrapping_add(&self, rhs: &Self) -> Self {
                Self::filled(|out| _ = add::add(out, &self.limbs, &rhs.limbs, false))
            }

            /// `self - rhs mod 2^BITS`. The same as `-`.
            #[inline]
            #[must_use]
            pub fn wrapping_sub(&self, rhs: &Self) -> Self {
                Self::filled(|out| _ = sub::sub(out, &self.limbs, &rhs.limbs, false))
            }

            /// `self * rhs mod 2^BITS`. The same as `*`.
            #[inline]
            #[must_use]
            pub fn wrapping_mul(&self, rhs: &Self) -> Self {
                Self::product(Factors::Pair(&self.limbs, &rhs.limbs))
            }

            /// `self * self mod 2^BITS`, at about half the cost of a product.
            #[inline]
            #[must_use]
            pub fn wrapping_square(&self) -> Self {
                Self::product(Factors::Square(&self.limbs))
            }

            fn product(factors: Factors<'_, B>) -> Self {
                Self::filled(|out| with_scratch(|scratch| mul::low(out, factors, scratch)))
            }

            /// `-self mod 2^BITS`.
            #[inline]
            #[must_use]
            pub fn wrapping_neg(&self) -> Self {
                Self::filled(|out| _ = sub::neg(out, &self.limbs))
            }

            checked! {
                /// `self + rhs`, or `None` if it does not fit.
                checked_add(rhs) = overflowing_add;
                /// `self - rhs`, or `None` if it does not fit.
                checked_sub(rhs) = overflowing_sub;
                /// `self * rhs`, or `None` if it does not fit.
                checked_mul(rhs) = overflowing_mul;
                /// `-self`, or `None` if it does not fit.
                checked_neg() = overflowing_neg;
            }

            /// `self + rhs`, or the end of the range that it lies beyond.
            #[inline]
            #[must_use]
            pub fn saturating_add(&self, rhs: &Self) -> Self {
                self.checked_add(rhs).unwrap_or_else(|| Self::limit(FixedInt::is_negative(self)))
            }

            /// `self - rhs`, or the end of the range that it lies beyond.
            #[inline]
            #[must_use]
            pub fn saturating_sub(&self, rhs: &Self) -> Self {
                self.checked_sub(rhs).unwrap_or_else(|| Self::limit(self < rhs))
            }

            /// `self * rhs`, or the end of the range that it lies beyond.
            #[must_use]
            pub fn saturating_mul(&self, rhs: &Self) -> Self {
                let is_negative = FixedInt::is_negative(self) != FixedInt::is_negative(rhs);
                self.checked_mul(rhs).unwrap_or_else(|| Self::limit(is_negative))
            }

            /// The end of the range below which, or above which, a result lies.
            fn limit(is_below: bool) -> Self {
                if is_below { Self::min_value() } else { Self::max_value() }
            }

            /// `floor(self * rhs / 2^BITS)`, the high half of the product.
            #[must_use]
            pub fn mul_high(&self, rhs: &Self) -> Self {
                self.widening_mul(rhs).1
            }

            /// The quotient of [`div_rem`](Self::div_rem), or `None` if `rhs` is 0 or the quotient does not
            /// fit.
            #[must_use]
            pub fn checked_div(&self, rhs: &Self) -> Option<Self> {
                if self.division_overflows(rhs) {
                    None
                } else {
                    self.div_rem(rhs).ok().map(|(quotient, _)| quotient)
                }
            }

            /// The remainder of [`div_rem`](Self::div_rem), or `None` if `rhs` is 0 or the quotient does not
            /// fit.
            #[must_use]
            pub fn checked_rem(&self, rhs: &Self) -> Option<Self> {
                if self.division_overflows(rhs) { None } else { self.div_rem(rhs).ok().map(|(_, rest)| rest) }
            }

            /// The quotient of [`div_rem`](Self::div_rem). The same as `/`.
            ///
            /// # Panics
            /// If `rhs` is 0, as `std` integers do.
            #[must_use]
            #[track_caller]
            pub fn wrapping_div(&self, rhs: &Self) -> Self {
                divided(self.div_rem(rhs)).0
            }

            /// The remainder of [`div_rem`](Self::div_rem). The same as `%`.
            ///
            /// # Panics
            /// If `rhs` is 0, as `std` integers do.
            #[must_use]
            #[track_caller]
            pub fn wrapping_rem(&self, rhs: &Self) -> Self {
                divided(self.div_rem(rhs)).1
            }
        }
    };
}

stamp!(Uint);
stamp!(Int);
