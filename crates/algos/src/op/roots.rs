//! Roots and tests for powers, of one instance.

use limbforge_limb::slice::{add, bits, cmp};
use limbforge_limb::{Base, IntType};

use super::memory::{Memory, is_negative, negate_if, sized, small, write_bool};
use super::{Why, class::Root, instances::Instances};
use crate::integer::isqrt::{isqrt, isqrt_rem};
use crate::integer::perfect_power::{is_odd_perfect_power, is_perfect_power, is_square};
use crate::integer::{Scratch, root};
use crate::vector::path_of_roots;

mod together;

pub(super) fn roots<B: Base>(op: Root, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    if op == Root::Isqrt
        && let Some((path, fewest)) = path_of_roots(instances.ty.bits())
    {
        return together::in_vectors(path, fewest, instances, memory);
    }
    let (ty, Memory { scratch, magnitudes, rooms, .. }) = (instances.ty, memory);
    match op {
        Root::Isqrt => instances.try_each(|out, [a]| root_of_one(ty, out, a, scratch)),
        Root::IsqrtRem => instances.try_each(|out, [a]| {
            not_negative(ty, a)?;
            isqrt_rem(sized(&mut rooms[0], out.len()), out, a, scratch);
            Ok(())
        }),
        Root::IsSquare => {
            instances.each(|out, [a]| write_bool(out, !is_negative(a, ty) && is_square(a, scratch)));
        }
        Root::Root => instances.try_each(|out, operands| {
            let [(a, negative), (k, k_negative)] = magnitudes.of(ty, operands);
            if k_negative || cmp::is_zero(k) {
                return Err(Why::NoDegree);
            }
            if negative && !bits::bit(k, 0) {
                return Err(Why::Negative);
            }
            // From the bits of a on, all degrees give the same.
            let degree = small(k, ty).and_then(|k| k.try_into().ok()).unwrap_or(u32::MAX);
            let exact = root::root(out, a, degree, scratch).map_err(|_| Why::NoDegree)?;
            add::increment(out, negative && !exact);
            negate_if(negative, out);
            Ok(())
        }),
        Root::IsPerfectPower => instances.each(|out, operands| {
            let [(a, negative)] = magnitudes.of(ty, operands);
            let test = if negative { is_odd_perfect_power } else { is_perfect_power };
            write_bool(out, test(a, scratch));
        }),
    }
}

fn root_of_one<B: Base>(ty: IntType, out: &mut [B], a: &[B], scratch: &mut Scratch) -> Result<(), Why> {
    not_negative(ty, a)?;
    isqrt(out, a, scratch);
    Ok(())
}

fn not_negative<B: Base>(ty: IntType, a: &[B]) -> Result<(), Why> {
    if is_negative(a, ty) { Err(Why::Negative) } else { Ok(()) }
}
