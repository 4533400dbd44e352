//! The operations over a tile of instances, by the slice kernels of `limbforge_limb`.

use core::cmp::Ordering;

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, bits, cmp, shift, sub};
use limbforge_limb::{Base, IntType};

use super::Why;
use super::bits::BitFields;
use super::division::Division;
use super::modular::Modular;
use super::montgomery::Montgomery;
use super::number_theory::NumberTheory;
use super::product::Product;
use super::roots::Roots;
use crate::invariant::broken_invariant;
use crate::op::{Class, Op};

/// An operand of a tile: M limbs per instance, or one integer for all instances.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a, B> {
    limbs: &'a [B],
    stride: usize,
}

impl<'a, B: Base> Operand<'a, B> {
    /// One integer per instance, instance-major.
    #[must_use]
    pub const fn each(limbs: &'a [B], limbs_per_instance: usize) -> Self {
        Self { limbs, stride: limbs_per_instance }
    }

    /// The same integer for every instance.
    #[must_use]
    pub const fn broadcast(limbs: &'a [B]) -> Self {
        Self { limbs, stride: 0 }
    }

    #[inline(always)]
    pub(super) fn get(self, instance: usize, m: usize) -> &'a [B] {
        &self.limbs[instance * self.stride..][..m]
    }
}

/// A thread's memory for what an operation needs beside its operands.
#[derive(Clone, Debug, Default)]
pub struct Workspace<B> {
    product: Product,
    bit_fields: BitFields<B>,
    division: Division<B>,
    number_theory: NumberTheory<B>,
    modular: Modular<B>,
    montgomery: Montgomery,
    roots: Roots<B>,
    failed: Vec<(usize, Why)>,
    wide: Vec<B>,
    shifted: Vec<B>,
}

impl<B: Base> Workspace<B> {
    /// Computes `op` for every instance of the tile: `out` is instance-major, M limbs per instance, and holds
    /// residues modulo `2^bits` afterwards, as the operands did; of a wide product the limbs and the residues of
    /// `2 * bits`.
    pub fn apply(&mut self, op: &Op, ty: IntType, out: &mut [B], args: &[Operand<'_, B>]) {
        let m = ty.limbs::<B>();
        let bits = if op.is_wide() { 2 * ty.bits() } else { ty.bits() };
        let out_m = bits::limbs_for::<B>(bits);
        match (op, args) {
            (Op::Input(_) | Op::Literal(_), _) => {}
            (Op::SqrWide, [a]) => for_each(out, out_m, |i, out| self.mul_wide(ty, out, a.get(i, m), None)),
            (Op::MulWide, [a, b]) => {
                for_each(out, out_m, |i, out| self.mul_wide(ty, out, a.get(i, m), Some(b.get(i, m))));
            }
            (Op::Isqrt, [a]) => for_each_checked(out, m, &mut self.failed, |i, out| {
                self.number_theory.root(ty, out, a.get(i, m))
            }),
            (Op::PowMod, [a, e, c]) => for_each_checked(out, m, &mut self.failed, |i, out| {
                self.number_theory.power(ty, out, [a.get(i, m), e.get(i, m), c.get(i, m)])
            }),
            (Op::ModInv, [a, b]) => for_each_checked(out, m, &mut self.failed, |i, out| {
                self.number_theory.inverse(ty, out, a.get(i, m), b.get(i, m))
            }),
            (op, args)
                if op.is_of_bits()
                    || matches!(op.class(), Class::Modular(_) | Class::Root(_) | Class::Primality(_))
                    || matches!(op, Op::XgcdX | Op::XgcdY | Op::Jacobi) =>
            {
                for_each_checked(out, m, &mut self.failed, |i, out| {
                    let operands: Vec<&[B]> = args.iter().map(|arg| arg.get(i, m)).collect();
                    if op.is_of_bits() {
                        self.montgomery.apply(op, ty, out, &operands)
                    } else if matches!(op.class(), Class::Root(_) | Class::Primality(_)) {
                        self.roots.apply(op, ty, out, &operands)
                    } else {
                        self.modular.apply(op, ty, out, &operands)
                    }
                });
            }
            (op @ (Op::Gcd | Op::Lcm), [a, b]) => for_each(out, m, |i, out| {
                self.number_theory.divisor(op, ty, &mut self.product, out, a.get(i, m), b.get(i, m));
            }),
            (op, [a, b]) if op.is_division() => for_each_checked(out, m, &mut self.failed, |i, out| {
                self.division.apply(op, ty, out, a.get(i, m), b.get(i, m))
            }),
            (op, args) if op.is_bit_field() => for_each(out, m, |i, out| {
                let mut limbs: [&[B]; 4] = [&[]; 4];
                limbs.iter_mut().zip(args).for_each(|(limbs, arg)| *limbs = arg.get(i, m));
                self.bit_fields.apply(op, ty, out, &limbs[..args.len().min(4)]);
            }),
            (_, [a]) => for_each(out, m, |i, out| self.unary(op, ty, out, a.get(i, m))),
            (_, [a, b]) => for_each(out, m, |i, out| self.binary(op, ty, out, a.get(i, m), b.get(i, m))),
            (_, [condition, then, otherwise]) => for_each(out, m, |i, out| {
                let chosen = if cmp::is_zero(condition.get(i, m)) { otherwise } else { then };
                out.copy_from_slice(chosen.get(i, m));
            }),
            _ => broken_invariant("an operation has its operands"),
        }
        if !bits.is_multiple_of(B::BITS) {
            for_each(out, out_m, |_, out| bits::truncate(out, bits));
        }
    }

    /// The instances of the tile that have failed since this was asked last; their results are 0.
    pub fn take_failures(&mut self) -> impl Iterator<Item = (usize, Why)> {
        self.failed.drain(..)
    }

    #[inline(always)]
    fn unary(&mut self, op: &Op, ty: IntType, out: &mut [B], a: &[B]) {
        match op {
            Op::Neg => {
                sub::neg(out, a);
            }
            Op::Not => bits::not(out, a),
            Op::Sqr => self.product.low(out, Factors::Square(a)),
            Op::Shl(n) => shift::shl(out, a, *n),
            Op::Shr(n) if ty.is_signed() => {
                let extended = sized(&mut self.shifted, a.len());
                extended.copy_from_slice(a);
                bits::sign_extend(extended, ty.bits());
                shift::shr_signed(out, extended, *n);
            }
            Op::Shr(n) => shift::shr(out, a, *n),
            _ => broken_invariant("an operation of one operand is one of these"),
        }
    }

    #[inline(always)]
    fn binary(&mut self, op: &Op, ty: IntType, out: &mut [B], a: &[B], b: &[B]) {
        let order = |a, b| if ty.is_signed() { cmp::cmp_signed(a, b, ty.bits()) } else { cmp::cmp(a, b) };
        match op {
            Op::Add => {
                add::add(out, a, b, false);
            }
            Op::Sub => {
                sub::sub(out, a, b, false);
            }
            Op::Mul => self.product.low(out, Factors::Pair(a, b)),
            Op::MulHigh => self.mul_high(ty, out, a, b),
            Op::And => bits::and(out, a, b),
            Op::Or => bits::or(out, a, b),
            Op::Xor => bits::xor(out, a, b),
            Op::Min => out.copy_from_slice(if order(b, a) == Ordering::Less { b } else { a }),
            Op::Max => out.copy_from_slice(if order(a, b) == Ordering::Less { b } else { a }),
            Op::Eq => write_bool(out, a == b),
            Op::Ne => write_bool(out, a != b),
            Op::Lt => write_bool(out, order(a, b) == Ordering::Less),
            Op::Le => write_bool(out, order(a, b) != Ordering::Greater),
            _ => broken_invariant("an operation of two operands is one of these"),
        }
    }

    /// `floor(a * b / 2^bits)`. For two's complement, a sign bit counts `-2^bits` more than it does unsigned, so
    /// the other factor is taken off the high half.
    fn mul_high(&mut self, ty: IntType, out: &mut [B], a: &[B], b: &[B]) {
        let wide = sized(&mut self.wide, 2 * out.len());
        self.product.wide(wide, Factors::Pair(a, b));
        let shifted = sized(&mut self.shifted, 2 * out.len());
        shift::shr(shifted, wide, ty.bits());
        out.copy_from_slice(&shifted[..out.len()]);
        if ty.is_signed() {
            for (sign, other) in [(a, b), (b, a)] {
                if cmp::is_negative(sign, ty.bits()) {
                    sub::sub_assign(out, other, false);
                }
            }
        }
    }
}

impl<B: Base> Workspace<B> {
    /// `a * b` or `a * a` in the limbs of `2 * bits`. For two's complement, a sign bit counts `-2^bits` more than it
    /// does unsigned, so the other factor is taken off from bit `bits` on.
    fn mul_wide(&mut self, ty: IntType, out: &mut [B], a: &[B], b: Option<&[B]>) {
        let wide = sized(&mut self.wide, 2 * a.len());
        self.product.wide(wide, b.map_or(Factors::Square(a), |b| Factors::Pair(a, b)));
        // The product is below 2^(2 * bits), so what does not fit is zero.
        out.copy_from_slice(&wide[..out.len()]);
        if ty.is_signed() {
            let b = b.unwrap_or(a);
            for (sign, other) in [(a, b), (b, a)] {
                if cmp::is_negative(sign, ty.bits()) {
                    let moved = sized(&mut self.shifted, out.len());
                    let extended = &mut wide[..out.len()];
                    extended.fill(B::ZERO);
                    extended[..other.len()].copy_from_slice(other);
                    shift::shl(moved, extended, ty.bits());
                    sub::sub_assign(out, moved, false);
                }
            }
        }
    }
}

#[inline(always)]
fn for_each<B: Base>(out: &mut [B], m: usize, mut kernel: impl FnMut(usize, &mut [B])) {
    for (i, out) in out.chunks_exact_mut(m).enumerate() {
        kernel(i, out);
    }
}

/// The same for what may fail: then the result is 0, and the instance is noted with the reason.
#[inline(always)]
fn for_each_checked<B: Base>(
    out: &mut [B],
    m: usize,
    failed: &mut Vec<(usize, Why)>,
    mut kernel: impl FnMut(usize, &mut [B]) -> Result<(), Why>,
) {
    for_each(out, m, |i, out| {
        if let Err(why) = kernel(i, out) {
            out.fill(B::ZERO);
            failed.push((i, why));
        }
    });
}

pub(super) fn sized<B: Base>(buffer: &mut Vec<B>, len: usize) -> &mut [B] {
    if buffer.len() < len {
        buffer.resize(len, B::ZERO);
    }
    &mut buffer[..len]
}

pub(super) fn write_bool<B: Base>(out: &mut [B], value: bool) {
    out.fill(B::ZERO);
    if value {
        out[0] = B::ONE;
    }
}
