//! Numbers of bits that operations take: where a field starts, how far to shift or rotate.

use core::fmt;

use limbforge_limb::{Base, IntType, convert};
use num_bigint::BigInt;
use num_traits::{Euclid, Signed, ToPrimitive};

use super::memory::small;
use crate::invariant::broken_invariant;

/// A number of bits: a constant, or an operand of its own for each instance.
///
/// Expressions turn constant operands into [`Amount::Constant`] as they are built: that number in any type,
/// of any magnitude and sign. `-3` is three bits the other way in unsigned types too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Amount {
    /// The same number for all instances, in any type.
    Constant(BigInt),
    /// The value of an operand: the last operands of an operation, in the order of its fields.
    Operand,
}

impl Amount {
    /// 2^28, more than any width. Shifts, masks and ends of fields beyond it, either way, act like it.
    pub const FAR: i64 = 1 << 28;

    /// The number, or the end of `-FAR..=FAR` next to it.
    ///
    /// ```
    /// use limbforge_algos::expr::Amount;
    /// assert_eq!(Amount::near(&i128::MIN.into()), -Amount::FAR);
    /// assert_eq!(Amount::near(&7.into()), 7);
    /// ```
    #[must_use]
    pub fn near(bits: &BigInt) -> i64 {
        let end = if bits.is_negative() { -Self::FAR } else { Self::FAR };
        bits.to_i64().map_or(end, |bits| bits.clamp(-Self::FAR, Self::FAR))
    }

    /// A rotation by the number, as one to the left by less than `width` bits.
    ///
    /// ```
    /// use limbforge_algos::expr::Amount;
    /// assert_eq!(Amount::turns(&(-1).into(), 8), 7);
    /// assert_eq!(Amount::turns(&u64::MAX.into(), 8), 7);
    /// ```
    ///
    /// # Panics
    /// If `width` is 0.
    #[must_use]
    pub fn turns(bits: &BigInt, width: u32) -> u32 {
        let turns = match bits.to_i64() {
            Some(bits) => Some(bits.rem_euclid(width.into()) as u32),
            None => bits.rem_euclid(&width.into()).to_u32(),
        };
        turns.unwrap_or_else(|| broken_invariant("a remainder is below the width"))
    }
}

/// The constant, or `_` for an operand.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(bits) => write!(f, "{bits}"),
            Self::Operand => f.write_str("_"),
        }
    }
}

/// An amount of one instance: a constant, or the limbs of an operand.
#[derive(Clone, Copy)]
pub(crate) enum Bound<'a, B> {
    Constant(&'a BigInt),
    Value(&'a [B]),
}

impl<B: Base> Bound<'_, B> {
    fn exact(self, ty: IntType) -> BigInt {
        match self {
            Bound::Constant(n) => n.clone(),
            Bound::Value(n) => convert::to_bigint(n, ty),
        }
    }

    /// The number, or the end of `-FAR..=FAR` next to it.
    pub(super) fn near(self, ty: IntType) -> i64 {
        match self {
            Bound::Constant(n) => Amount::near(n),
            // Most are small.
            Bound::Value(n) => {
                small(n, ty).map_or_else(|| Amount::near(&self.exact(ty)), |n| n.min(Amount::FAR))
            }
        }
    }

    /// The rotation to the left, below the width.
    pub(super) fn turns(self, ty: IntType) -> u32 {
        let width = ty.bits();
        match self {
            Bound::Constant(n) => Amount::turns(n, width),
            Bound::Value(n) => small(n, ty)
                .map_or_else(|| Amount::turns(&self.exact(ty), width), |n| (n % i64::from(width)) as u32),
        }
    }

    /// The end of a field of `length` bits from here on, exact within `0..FAR - MAX_BITS`.
    pub(super) fn end(self, length: Self, ty: IntType) -> i64 {
        let (first, bits) = (self.near(ty), length.near(ty).max(0));
        if first >= i64::from(IntType::MAX_BITS) - Amount::FAR || bits == 0 {
            // A length of FAR or more reaches beyond any width.
            return first + bits;
        }
        // The start lies so far below bit 0 that the length may, too.
        Amount::near(&(self.exact(ty) + length.exact(ty)))
    }
}

/// An amount of any type, or the end of `-FAR..=FAR` next to it.
pub(crate) fn near<B: Base>(amount: &[B], ty: IntType) -> i64 {
    Bound::Value(amount).near(ty)
}
