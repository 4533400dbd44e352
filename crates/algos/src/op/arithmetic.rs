//! Sums and products.

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, cmp, shift, sub};
use limbforge_limb::{Base, IntType};

use super::class::{Product as Op, Sum};
use super::instances::Instances;
use super::product::Product;
use super::rooms::sized;

/// Sums and differences, modulo `2^N`.
pub(crate) fn sums<B: Base>(op: Sum, instances: Instances<'_, B>) {
    match op {
        Sum::Add => instances.each(|out, [a, b]| _ = add::add(out, a, b, false)),
        Sum::Sub => instances.each(|out, [a, b]| _ = sub::sub(out, a, b, false)),
        Sum::Neg => instances.each(|out, [a]| _ = sub::neg(out, a)),
    }
}

/// A thread's memory for products.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products<B> {
    product: Product,
    wide: Vec<B>,
    shifted: Vec<B>,
}

impl<B: Base> Products<B> {
    pub(crate) fn apply(&mut self, op: Op, instances: Instances<'_, B>) {
        let ty = instances.ty;
        match op {
            Op::Mul => instances.each(|out, [a, b]| self.product.low(out, Factors::Pair(a, b))),
            Op::Sqr => instances.each(|out, [a]| self.product.low(out, Factors::Square(a))),
            Op::MulHigh => instances.each(|out, [a, b]| self.high(ty, out, a, b)),
            Op::MulWide => instances.each(|out, [a, b]| self.wide(ty, out, a, b, Factors::Pair(a, b))),
            Op::SqrWide => instances.each(|out, [a]| self.wide(ty, out, a, a, Factors::Square(a))),
        }
    }

    /// `floor(a * b / 2^N)`. For two's complement, a sign bit counts `-2^N` more than it does unsigned, so
    /// the other factor is taken off the high half.
    fn high(&mut self, ty: IntType, out: &mut [B], a: &[B], b: &[B]) {
        let wide = sized(&mut self.wide, 2 * out.len());
        self.product.wide(wide, Factors::Pair(a, b));
        let shifted = sized(&mut self.shifted, 2 * out.len());
        shift::shr(shifted, wide, ty.bits());
        out.copy_from_slice(&shifted[..out.len()]);
        for other in after_signs(ty, a, b) {
            sub::sub_assign(out, other, false);
        }
    }

    /// `a * b` in the limbs of 2N bits. The other factor of a negative one is taken off from bit N on.
    fn wide(&mut self, ty: IntType, out: &mut [B], a: &[B], b: &[B], factors: Factors<'_, B>) {
        let wide = sized(&mut self.wide, 2 * a.len());
        self.product.wide(wide, factors);
        // The product is below 2^(2N), so what does not fit is zero.
        out.copy_from_slice(&wide[..out.len()]);
        for other in after_signs(ty, a, b) {
            let moved = sized(&mut self.shifted, out.len());
            let extended = &mut wide[..out.len()];
            extended.fill(B::ZERO);
            extended[..other.len()].copy_from_slice(other);
            shift::shl(moved, extended, ty.bits());
            sub::sub_assign(out, moved, false);
        }
    }
}

/// For each negative factor, the other one.
fn after_signs<'a, B: Base>(ty: IntType, a: &'a [B], b: &'a [B]) -> impl Iterator<Item = &'a [B]> {
    let negative = move |x: &[B]| ty.is_signed() && cmp::is_negative(x, ty.bits());
    [(a, b), (b, a)].into_iter().filter(move |(sign, _)| negative(sign)).map(|(_, other)| other)
}
