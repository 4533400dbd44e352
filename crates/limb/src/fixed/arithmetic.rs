//! Wrapping, checked and saturating operations, and powers. Each type has its own overflowing operations.

use core::cell::Cell;

use super::{FixedInt, divided};
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

/// The value of (value, whether it overflowed), or `None`.
#[inline(always)]
fn fitting<T>((value, overflow): (T, bool)) -> Option<T> {
    (!overflow).then_some(value)
}

methods! { Uint Int:
    /// `self + rhs mod 2^BITS`. The same as `+`.
    fn wrapping_add(&self, rhs: &Self) -> Self =
        Self::filled(|out| _ = add::add(out, &self.limbs, &rhs.limbs, false));

    /// `self - rhs mod 2^BITS`. The same as `-`.
    fn wrapping_sub(&self, rhs: &Self) -> Self =
        Self::filled(|out| _ = sub::sub(out, &self.limbs, &rhs.limbs, false));

    /// `self * rhs mod 2^BITS`. The same as `*`.
    fn wrapping_mul(&self, rhs: &Self) -> Self = Self::product(Factors::Pair(&self.limbs, &rhs.limbs));
    /// `self * self mod 2^BITS`, at about half the cost of a product.
    fn wrapping_square(&self) -> Self = Self::product(Factors::Square(&self.limbs));
    /// `-self mod 2^BITS`.
    fn wrapping_neg(&self) -> Self = Self::filled(|out| _ = sub::neg(out, &self.limbs));
    /// `self + rhs`, or `None` if it does not fit.
    fn checked_add(&self, rhs: &Self) -> Option<Self> = fitting(self.overflowing_add(rhs));
    /// `self - rhs`, or `None` if it does not fit.
    fn checked_sub(&self, rhs: &Self) -> Option<Self> = fitting(self.overflowing_sub(rhs));
    /// `self * rhs`, or `None` if it does not fit.
    fn checked_mul(&self, rhs: &Self) -> Option<Self> = fitting(self.overflowing_mul(rhs));
    /// `-self`, or `None` if it does not fit.
    fn checked_neg(&self) -> Option<Self> = fitting(self.overflowing_neg());

    /// `self + rhs`, or the end of the range that it lies beyond.
    fn saturating_add(&self, rhs: &Self) -> Self =
        self.checked_add(rhs).unwrap_or_else(|| Self::limit(FixedInt::is_negative(self)));

    /// `self - rhs`, or the end of the range that it lies beyond.
    fn saturating_sub(&self, rhs: &Self) -> Self =
        self.checked_sub(rhs).unwrap_or_else(|| Self::limit(self < rhs));

    /// `self * rhs`, or the end of the range that it lies beyond.
    fn saturating_mul(&self, rhs: &Self) -> Self = {
        let is_negative = FixedInt::is_negative(self) != FixedInt::is_negative(rhs);
        self.checked_mul(rhs).unwrap_or_else(|| Self::limit(is_negative))
    };

    /// `floor(self * rhs / 2^BITS)`, the high half of the product.
    fn mul_high(&self, rhs: &Self) -> Self = self.widening_mul(rhs).1;
    /// The quotient of [`div_rem`](Self::div_rem), or `None` if `rhs` is 0 or the quotient does not fit.
    fn checked_div(&self, rhs: &Self) -> Option<Self> = Some(self.checked_div_rem(rhs)?.0);
    /// The remainder of [`div_rem`](Self::div_rem), or `None` if `rhs` is 0 or the quotient does not fit.
    fn checked_rem(&self, rhs: &Self) -> Option<Self> = Some(self.checked_div_rem(rhs)?.1);

    /// The quotient of [`div_rem`](Self::div_rem). The same as `/`.
    ///
    /// # Panics
    /// If `rhs` is 0, as `std` integers do.
    #[track_caller]
    fn wrapping_div(&self, rhs: &Self) -> Self = divided(self.div_rem(rhs)).0;

    /// The remainder of [`div_rem`](Self::div_rem). The same as `%`.
    ///
    /// # Panics
    /// If `rhs` is 0, as `std` integers do.
    #[track_caller]
    fn wrapping_rem(&self, rhs: &Self) -> Self = divided(self.div_rem(rhs)).1;

    /// `self^exponent mod 2^BITS`, with `0^0 = 1`.
    ///
    /// ```
    /// use limbforge_limb::{I256, U256};
    /// assert_eq!(U256::from(3_u8).pow(5), 243); assert_eq!(I256::from(-3).pow(5), -243);
    /// ```
    fn pow(&self, exponent: u32) -> Self =
        self.power(exponent, |a, b| Some(a.wrapping_mul(b))).unwrap_or_default();

    /// `self^exponent`, or `None` if it does not fit.
    ///
    /// ```
    /// use limbforge_limb::{I256, U256};
    /// let two = U256::from(2_u8);
    /// assert_eq!(two.checked_pow(254), Some(two << 253)); assert_eq!(two.checked_pow(256), None);
    /// assert_eq!(I256::from(-2).checked_pow(255), Some(I256::min_value()));
    /// ```
    fn checked_pow(&self, exponent: u32) -> Option<Self> = self.power(exponent, Self::checked_mul);

    /// The distance `|self - other|`, which always fits.
    ///
    /// ```
    /// use limbforge_limb::{I256, U256};
    /// assert_eq!(U256::from(3_u8).abs_diff(&U256::from(10_u8)), 7);
    /// assert_eq!(I256::max_value().abs_diff(&I256::min_value()), U256::MAX);
    /// ```
    fn abs_diff(&self, other: &Self) -> Uint<B, N> = {
        let (larger, smaller) = if self < other { (other, self) } else { (self, other) };
        Uint { limbs: larger.wrapping_sub(smaller).limbs }
    };
}

both! {
    impl {
        fn product(factors: Factors<'_, B>) -> Self {
            Self::filled(|out| with_scratch(|scratch| mul::low(out, factors, scratch)))
        }

        /// The end of the range below which, or above which, a result lies.
        fn limit(is_below: bool) -> Self {
            if is_below { Self::min_value() } else { Self::max_value() }
        }

        /// Whether the quotient is `2^(BITS-1)`, of the smallest signed number by -1.
        pub(super) fn division_overflows(&self, rhs: &Self) -> bool {
            Self::TYPE.is_signed() && *rhs == !Self::zero() && *self == Self::min_value()
        }

        fn checked_div_rem(&self, rhs: &Self) -> Option<(Self, Self)> {
            if self.division_overflows(rhs) { None } else { self.div_rem(rhs).ok() }
        }

        /// The power, or `None` if a product on the way is. None of these exceeds the power.
        fn power(&self, exponent: u32, mul: impl Fn(&Self, &Self) -> Option<Self>) -> Option<Self> {
            (0..u32::BITS - exponent.leading_zeros()).rev().try_fold(Self::one(), |power, bit| {
                let square = mul(&power, &power)?;
                if exponent >> bit & 1 == 1 { mul(&square, self) } else { Some(square) }
            })
        }
    }
}
