//! Division by one limb with a precomputed inverse: Moeller and Granlund 2011, algorithms 2 and 4.

use crate::base::Base;
use crate::error::DivisionByZero;
use crate::wide::Wide;

/// From this many limbs on, the inverse is worth computing for one dividend.
pub const MIN_LEN: usize = 3;

/// A divisor of one limb with its inverse, for dividends of many limbs or many dividends.
///
/// ```
/// use limbforge_limb::slice::div::LimbDivisor;
/// let ten = LimbDivisor::new(10_u64)?;
/// let mut number = [7, 1]; // 2^64 + 7
/// assert_eq!((ten.div_rem(&mut number), number), (3, [0x1999_9999_9999_999a, 0]));
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimbDivisor<B> {
    /// The divisor times `2^shift`: its top bit is set.
    divisor: B,
    inverse: B,
    shift: u32,
}

impl<B: Base> LimbDivisor<B> {
    /// The divisor with its inverse.
    ///
    /// # Errors
    /// [`DivisionByZero`] if it is zero.
    pub fn new(divisor: B) -> Result<Self, DivisionByZero> {
        if divisor == B::ZERO {
            return Err(DivisionByZero);
        }
        let shift = divisor.leading_zeros();
        let divisor = divisor << shift as usize;
        Ok(Self { divisor, inverse: inverse(divisor), shift })
    }

    /// `acc = floor(acc / divisor)`; returns the remainder.
    pub fn div_rem(&self, acc: &mut [B]) -> B {
        let Self { divisor, inverse, shift } = *self;
        let Some(&top) = acc.last() else { return B::ZERO };
        // The limb `i` of the dividend times 2^shift, which starts with the bits that leave its top.
        let bits_below = |limb: B| if shift == 0 { B::ZERO } else { limb >> (B::BITS - shift) as usize };
        let mut rest = bits_below(top);
        for i in (0..acc.len()).rev() {
            let below = if i == 0 { B::ZERO } else { acc[i - 1] };
            let limb = acc[i] << shift as usize | bits_below(below);
            (acc[i], rest) = div_two_by_one(rest, limb, divisor, inverse);
        }
        rest >> shift as usize
    }

    /// `a mod divisor`.
    #[must_use]
    pub fn rem(&self, a: &[B]) -> B {
        let Self { divisor, inverse, shift } = *self;
        let Some(&top) = a.last() else { return B::ZERO };
        let bits_below = |limb: B| if shift == 0 { B::ZERO } else { limb >> (B::BITS - shift) as usize };
        let mut rest = bits_below(top);
        for i in (0..a.len()).rev() {
            let below = if i == 0 { B::ZERO } else { a[i - 1] };
            let limb = a[i] << shift as usize | bits_below(below);
            rest = div_two_by_one(rest, limb, divisor, inverse).1;
        }
        rest >> shift as usize
    }
}

/// `floor((B^2 - 1) / divisor) - B` for a divisor whose top bit is set.
pub(super) fn inverse<B: Base>(divisor: B) -> B {
    // (B^2 - 1) - B * divisor, by divisor: its high limb is below the divisor.
    divisor.checked_div_rem_wide(B::HIGHEST, !divisor).map_or(B::ZERO, |(quotient, _)| quotient)
}

/// (quotient, remainder) of `high * B + low` by a normalised `divisor > high` with its inverse (algorithm 4).
#[inline(always)]
fn div_two_by_one<B: Base>(high: B, low: B, divisor: B, inverse: B) -> (B, B) {
    let product = inverse.widening_mul(high);
    let (estimate, _) = product.overflowing_add(B::Wide::from_parts(low, high));
    let mut quotient = estimate.high().wrapping_add(B::ONE);
    let mut rest = low.wrapping_sub(quotient.widening_mul(divisor).low());
    if rest > estimate.low() {
        quotient = quotient.wrapping_sub(B::ONE);
        rest = rest.wrapping_add(divisor);
    }
    if rest >= divisor {
        quotient = quotient.wrapping_add(B::ONE);
        rest = rest.wrapping_sub(divisor);
    }
    (quotient, rest)
}
