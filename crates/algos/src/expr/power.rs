//! Powers with an exponent that is the same for all instances.

use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint};
use num_traits::Pow;

use super::amount::constant;
use super::{Expr, Op};

impl Expr {
    /// `self` to this power, modulo `2^N`; `a**exponent` in text. The power 0 is 1, of 0 too. An instance
    /// without a result has none in any power.
    ///
    /// The power is squares and products by the binary method, at most 62, so that equal powers within an
    /// expression are computed once. The power of a constant is a constant, which must fit the type as any;
    /// only one of more than [`IntType::MAX_BITS`] bits is computed modulo `2^N`.
    ///
    /// ```
    /// # use limbforge_algos::expr::Expr;
    /// let a = Expr::input("a");
    /// assert_eq!(a.pow(3).to_dag(), Expr::parse("sqr(a) * a")?.to_dag());
    /// assert_eq!(a.pow(3).to_dag(), Expr::parse("a**3")?.to_dag());
    /// assert_eq!(Expr::literal(2).pow(10).to_dag(), Expr::parse("1024")?.to_dag());
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    #[must_use]
    pub fn pow(&self, exponent: u32) -> Self {
        if let Some(base) = constant(self)
            && let Some(power) = constant_power(&base, exponent)
        {
            return Self::literal(power);
        }
        if exponent == 0 {
            // Not the literal 1, which would lose the operands, their failures and the number of instances.
            return self.cmp_eq(self);
        }
        // From the bit below the highest on.
        (0..exponent.ilog2()).rev().fold(self.clone(), |power, bit| {
            let square = Self::new(Op::Sqr, vec![power]);
            if exponent >> bit & 1 == 1 { square * self } else { square }
        })
    }
}

/// The power of a number, if it has no more bits than a type may have.
pub(super) fn constant_power(base: &BigInt, exponent: u32) -> Option<BigInt> {
    let magnitude: &BigUint = base.magnitude();
    // 2^(bits - 1) <= |base|: the power has more than (bits - 1) * exponent bits.
    let bits = magnitude.bits().saturating_sub(1).saturating_mul(exponent.into());
    if bits >= IntType::MAX_BITS.into() {
        return None;
    }
    let power = if magnitude.bits() <= 1 {
        // 0, 1 and -1, whatever the exponent.
        BigInt::from(u8::from(exponent == 0 || magnitude.bits() == 1))
    } else {
        BigInt::from(Pow::pow(magnitude, exponent))
    };
    let negative = base.sign() == num_bigint::Sign::Minus && exponent % 2 == 1;
    (power.bits() <= IntType::MAX_BITS.into()).then(|| if negative { -power } else { power })
}
