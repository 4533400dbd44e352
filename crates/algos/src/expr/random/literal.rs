//! Literals and numbers of bits.

use num_bigint::{BigInt, BigUint};
use num_traits::{Euclid, One};

use super::{Expr, Tree};

/// Words of 32 bits of the longest literal without structure.
const LONGEST: u32 = 64;

impl Tree<'_> {
    /// A number of the type: a small one, one near a power of two, or one of up to [`LONGEST`] words, of
    /// either sign.
    pub(super) fn literal(&mut self) -> Expr {
        let one = BigInt::one();
        let bits = self.ty.bits();
        let value = match self.below(4) {
            0 => self.below(18).into(),
            1 => one << self.below(bits),
            2 => (one << (self.below(bits) + 1)) - 1,
            _ => {
                let words = self.below(bits.div_ceil(32).min(LONGEST)) + 1;
                BigUint::new((0..words).map(|_| self.below(u32::MAX)).collect()).into()
            }
        };
        let value = if self.below(4) == 3 { -value } else { value };
        self.constant(&value)
    }

    /// `value mod 2^N` as a number of the type.
    pub(super) fn constant(&self, value: &BigInt) -> Expr {
        let (bits, radix) = (self.ty.bits(), BigInt::one() << self.ty.bits());
        let residue = value.rem_euclid(&radix);
        let is_negative = self.ty.is_signed() && residue.bit(u64::from(bits) - 1);
        Expr::literal(if is_negative { residue - radix } else { residue })
    }

    /// A number of bits: written, around the width or far beyond it, or a value, mostly a small one.
    pub(super) fn amount(&mut self, depth: u32) -> Expr {
        let bits = self.ty.bits();
        let near = i64::from(bits) + 70;
        match self.below(8) {
            0..=2 => Expr::literal(i64::from(self.below(2 * near as u32 + 1)) - near),
            3 => Expr::literal(self.one_of(&[-1_i64 << 40, -1 << 32, -1, 0, 1, 1 << 31, 1 << 32, 1 << 40])),
            4 => self.value(depth),
            kind => {
                // All amounts below a power of two that is a little above the width, if the type has it.
                let low = self.constant(&(2_u32 * bits.next_power_of_two() - 1).into());
                let small = self.value(depth) & low;
                if kind == 7 { -small } else { small }
            }
        }
    }
}
