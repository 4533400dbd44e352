//! Greatest common divisors, inverses, powers and square roots of one instance.

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{bits, cmp, sub};
use limbforge_limb::{Base, IntType};

use super::Why;
use super::division::absolute;
use super::kernels::sized;
use super::product::Product;
use crate::expr::Op;
use crate::integer::div::div_rem;
use crate::integer::modinv::{self, ModInvError};
use crate::integer::{div, gcd, isqrt, powmod};

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberTheory<B> {
    gcd: gcd::Scratch,
    root: isqrt::Scratch,
    inverse: modinv::Scratch,
    power: powmod::Scratch,
    division: div::Scratch,
    first: Vec<B>,
    second: Vec<B>,
    divisor: Vec<B>,
    quotient: Vec<B>,
    remainder: Vec<B>,
}

impl<B: Base> NumberTheory<B> {
    /// `gcd(a, b)` or `lcm(a, b)` of the absolute values, mod `B^M`.
    pub(super) fn divisor(
        &mut self,
        op: &Op,
        ty: IntType,
        product: &mut Product,
        out: &mut [B],
        a: &[B],
        b: &[B],
    ) {
        let Self { gcd: scratch, division, first, second, divisor, quotient, remainder, .. } = self;
        let (a, _) = absolute(sized(first, out.len()), a, ty);
        let (b, _) = absolute(sized(second, out.len()), b, ty);
        if *op == Op::Gcd {
            return gcd::gcd(out, a, b, scratch);
        }
        let (divisor, quotient) = (sized(divisor, out.len()), sized(quotient, out.len()));
        gcd::gcd(divisor, a, b, scratch);
        // Of 0 and 0 the greatest common divisor is 0, and the least common multiple.
        match div_rem(quotient, sized(remainder, out.len()), a, divisor, division) {
            Ok(()) => product.low(out, Factors::Pair(quotient, b)),
            Err(_) => out.fill(B::ZERO),
        }
    }

    /// `1/a mod |b|`.
    pub(super) fn inverse(&mut self, ty: IntType, out: &mut [B], a: &[B], b: &[B]) -> Result<(), Why> {
        let Self { inverse, first, second, divisor, .. } = self;
        let (a, a_negative) = absolute(sized(first, out.len()), a, ty);
        let (b, _) = absolute(sized(second, out.len()), b, ty);
        modinv::modinv(out, a, b, inverse).map_err(|error| match error {
            ModInvError::Zero(_) => Why::DivisionByZero,
            ModInvError::NotCoprime => Why::NoInverse,
        })?;
        if a_negative && !cmp::is_zero(out) {
            let positive = sized(divisor, out.len());
            sub::sub(positive, b, out, false);
            out.copy_from_slice(positive);
        }
        Ok(())
    }

    /// `a^e mod |c|`.
    pub(super) fn power(&mut self, ty: IntType, out: &mut [B], [a, e, c]: [&[B]; 3]) -> Result<(), Why> {
        let Self { power, first, second, divisor, .. } = self;
        let (a, a_negative) = absolute(sized(first, out.len()), a, ty);
        let (c, _) = absolute(sized(second, out.len()), c, ty);
        if ty.is_signed() && cmp::is_negative(e, ty.bits()) {
            return Err(Why::NegativeExponent);
        }
        powmod::powmod(out, a, e, c, power).map_err(|_| Why::ZeroModulus)?;
        // An odd power of a negative number is negative.
        if a_negative && bits::bit(e, 0) && !cmp::is_zero(out) {
            let positive = sized(divisor, out.len());
            sub::sub(positive, c, out, false);
            out.copy_from_slice(positive);
        }
        Ok(())
    }

    /// `floor(sqrt(a))`.
    pub(super) fn root(&mut self, ty: IntType, out: &mut [B], a: &[B]) -> Result<(), Why> {
        if ty.is_signed() && cmp::is_negative(a, ty.bits()) {
            return Err(Why::Negative);
        }
        isqrt::isqrt(out, a, &mut self.root);
        Ok(())
    }
}
