//! Amounts of one instance: numbers of any size, of which only a part matters.

use limbforge_limb::{Base, IntType, convert};
use num_bigint::BigInt;

use super::Amount;
use super::rooms::small;

/// An amount of one instance: a constant, or the limbs of an operand.
#[derive(Clone, Copy)]
pub(crate) enum Bound<'a, B> {
    Constant(&'a BigInt),
    Value(&'a [B]),
}

impl<B: Base> Bound<'_, B> {
    /// The number, if it is a small one of an operand, which most are.
    fn small(self, ty: IntType) -> Option<i64> {
        match self {
            Bound::Constant(_) => None,
            Bound::Value(n) => small(n, ty),
        }
    }

    fn exact(self, ty: IntType) -> BigInt {
        match self {
            Bound::Constant(n) => n.clone(),
            Bound::Value(n) => convert::to_bigint(n, ty),
        }
    }

    /// The number, or the end of `-FAR..=FAR` that is next to it.
    pub(super) fn near(self, ty: IntType) -> i64 {
        match (self, self.small(ty)) {
            (_, Some(n)) => n.min(Amount::FAR),
            (Bound::Constant(n), None) => Amount::near(n),
            (Bound::Value(_), None) => Amount::near(&self.exact(ty)),
        }
    }

    /// How far to rotate to the left, below the width.
    pub(super) fn turns(self, ty: IntType) -> u32 {
        match (self, self.small(ty)) {
            (_, Some(n)) => (n % i64::from(ty.bits())) as u32,
            (Bound::Constant(n), None) => Amount::turns(n, ty.bits()),
            (Bound::Value(_), None) => Amount::turns(&self.exact(ty), ty.bits()),
        }
    }

    /// Where a field of so many bits from here on ends, exact within `0..FAR - MAX_BITS`.
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
