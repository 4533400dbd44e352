//! Greatest common divisors, least common multiples, Bezout coefficients and Jacobi symbols of one instance.

use limbforge_limb::slice::{bits, mul::Factors};
use limbforge_limb::{Base, IntType};

use super::euclid::{Wanted, pairs};
use super::memory::{Memory, negate_if, sized, write_bool};
use super::{Why, class::Gcd, instances::Instances};
use crate::integer::gcd::{gcd, of_word};
use crate::integer::{div::div_rem, jacobi::jacobi, xgcd::xgcd};

pub(super) fn divisors<B: Base>(op: Gcd, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let ty = instances.ty;
    match op {
        Gcd::Gcd => pairs(Wanted::Divisor, instances, memory),
        Gcd::Lcm => multiples(instances, memory),
        Gcd::XgcdX | Gcd::XgcdY => instances.each(|out, operands| {
            let [(a, a_negative), (b, b_negative)] = memory.magnitudes.of(ty, operands);
            let [divisor, other, _] = memory.rooms.each_mut().map(|room| sized(room, a.len()));
            let is_x = op == Gcd::XgcdX;
            let (x, y) = if is_x { (&mut *out, other) } else { (other, &mut *out) };
            let signs = xgcd(divisor, x, y, a, b, &mut memory.scratch);
            negate_if(if is_x { signs.x != a_negative } else { signs.y != b_negative }, out);
        }),
        Gcd::Jacobi => instances.try_each(|out, operands| {
            let [(a, negative), (n, _)] = memory.magnitudes.of(ty, operands);
            let symbol = jacobi(a, n, &mut memory.scratch).map_err(|_| Why::EvenModulus)?;
            write_bool(out, symbol != 0);
            // (-1 / n) = -1 for n = 3 mod 4.
            negate_if((symbol < 0) != (negative && bits::bit(n, 1)), out);
            Ok(())
        }),
    }
}

/// `gcd(|a|, |b|)` of one instance.
pub(super) fn divisor<B: Base>(ty: IntType, out: &mut [B], operands: [&[B]; 2], memory: &mut Memory<B>) {
    let [(a, _), (b, _)] = memory.magnitudes.of(ty, operands);
    gcd(out, a, b, &mut memory.scratch);
}

/// [`divisor`], if one number is 0 or a word times a power of two; otherwise returns false.
pub(super) fn divisor_of_word<B: Base>(
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    memory: &mut Memory<B>,
) -> bool {
    let [(a, _), (b, _)] = memory.magnitudes.of(ty, operands);
    of_word(out, a, b)
}

/// `lcm(|a|, |b|) mod B^M` of every instance: first the greatest common divisors of all.
fn multiples<B: Base>(instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let Instances { ty, out, fail, .. } = instances;
    pairs(Wanted::Divisor, Instances { out: &mut *out, fail: &mut *fail, ..instances }, memory);
    Instances { out, fail, ..instances }.each(|out, operands| lcm(memory, ty, out, operands));
}

/// Replaces the greatest common divisor of a and b by `|a| / gcd(|a|, |b|) * |b|`.
fn lcm<B: Base>(memory: &mut Memory<B>, ty: IntType, out: &mut [B], operands: [&[B]; 2]) {
    let [(a, _), (b, _)] = memory.magnitudes.of(ty, operands);
    let [quotient, remainder, _] = memory.rooms.each_mut().map(|room| sized(room, a.len()));
    let divisor = &*out;
    // lcm(0, 0) = 0, where the divisor is 0.
    match div_rem(quotient, remainder, a, divisor, &mut memory.scratch) {
        Ok(()) => memory.scratch.product.low(out, Factors::Pair(quotient, b)),
        Err(_) => out.fill(B::ZERO),
    }
}
