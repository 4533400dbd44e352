//! Roots and tests for powers, of one instance.

use limbforge_limb::slice::{add, bits, cmp};
use limbforge_limb::{Base, IntType};

use super::Why;
use super::class::Root;
use super::instances::Instances;
use super::rooms::{Magnitudes, is_negative, negate_if, sized, small, write_bool};
use crate::integer::{isqrt, perfect_power, root};

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roots<B> {
    isqrt: isqrt::Scratch,
    root: root::Scratch,
    magnitudes: Magnitudes<B>,
    root_limbs: Vec<B>,
}

impl<B: Base> Roots<B> {
    pub(crate) fn apply(&mut self, op: Root, instances: Instances<'_, B>) {
        let ty = instances.ty;
        match op {
            Root::Isqrt => instances.try_each(|out, [a]| {
                not_negative(ty, a)?;
                isqrt::isqrt(out, a, &mut self.isqrt);
                Ok(())
            }),
            Root::IsqrtRem => instances.try_each(|out, [a]| {
                not_negative(ty, a)?;
                isqrt::isqrt_rem(sized(&mut self.root_limbs, out.len()), out, a, &mut self.isqrt);
                Ok(())
            }),
            Root::IsSquare => instances.each(|out, [a]| {
                write_bool(out, !is_negative(a, ty) && perfect_power::is_square(a, &mut self.root));
            }),
            Root::Root => instances.try_each(|out, operands| self.root(ty, out, operands)),
            Root::IsPerfectPower => instances.each(|out, operands| {
                let [(a, negative)] = self.magnitudes.of(ty, operands);
                write_bool(
                    out,
                    match negative {
                        true => perfect_power::is_odd_perfect_power(a, &mut self.root),
                        false => perfect_power::is_perfect_power(a, &mut self.root),
                    },
                );
            }),
        }
    }

    /// The k-th root of a, rounded down.
    fn root(&mut self, ty: IntType, out: &mut [B], operands: [&[B]; 2]) -> Result<(), Why> {
        let [(a, negative), (k, k_negative)] = self.magnitudes.of(ty, operands);
        if k_negative || cmp::is_zero(k) {
            return Err(Why::NoDegree);
        }
        if negative && !bits::bit(k, 0) {
            return Err(Why::Negative);
        }
        // From the bits of a on, all degrees give the same.
        let degree = small(k, ty).and_then(|k| k.try_into().ok()).unwrap_or(u32::MAX);
        let exact = root::root(out, a, degree, &mut self.root).map_err(|_| Why::NoDegree)?;
        add::increment(out, negative && !exact);
        negate_if(negative, out);
        Ok(())
    }
}

fn not_negative<B: Base>(ty: IntType, a: &[B]) -> Result<(), Why> {
    if is_negative(a, ty) { Err(Why::Negative) } else { Ok(()) }
}
