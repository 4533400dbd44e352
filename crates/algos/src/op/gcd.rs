//! Greatest common divisors, least common multiples, Bezout coefficients and Jacobi symbols of one instance.

use limbforge_limb::slice::bits;
use limbforge_limb::slice::mul::Factors;
use limbforge_limb::{Base, IntType};

use super::Why;
use super::class::Gcd;
use super::instances::Instances;
use super::product::Product;
use super::rooms::{Magnitudes, negate_if, sized, write_bool};
use crate::integer::div::{self, div_rem};
use crate::integer::{gcd, jacobi, xgcd};

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Divisors<B> {
    gcd: gcd::Scratch,
    xgcd: xgcd::Scratch,
    jacobi: jacobi::Scratch,
    division: div::Scratch,
    product: Product,
    magnitudes: Magnitudes<B>,
    rooms: [Vec<B>; 3],
}

impl<B: Base> Divisors<B> {
    pub(crate) fn apply(&mut self, op: Gcd, instances: Instances<'_, B>) {
        let ty = instances.ty;
        match op {
            Gcd::Gcd => instances.each(|out, operands| {
                let [(a, _), (b, _)] = self.magnitudes.of(ty, operands);
                gcd::gcd(out, a, b, &mut self.gcd);
            }),
            Gcd::Lcm => instances.each(|out, operands| self.lcm(ty, out, operands)),
            Gcd::XgcdX => instances.each(|out, operands| {
                let [(x, negative), _] = self.coefficients(ty, operands);
                out.copy_from_slice(x);
                negate_if(negative, out);
            }),
            Gcd::XgcdY => instances.each(|out, operands| {
                let [_, (y, negative)] = self.coefficients(ty, operands);
                out.copy_from_slice(y);
                negate_if(negative, out);
            }),
            Gcd::Jacobi => instances.try_each(|out, operands| self.jacobi(ty, out, operands)),
        }
    }

    /// `lcm(|a|, |b|) mod B^M`, as `|a| / gcd(|a|, |b|) * |b|`.
    fn lcm(&mut self, ty: IntType, out: &mut [B], operands: [&[B]; 2]) {
        let m = out.len();
        let [(a, _), (b, _)] = self.magnitudes.of(ty, operands);
        let [divisor, quotient, remainder] = self.rooms.each_mut().map(|room| sized(room, m));
        gcd::gcd(divisor, a, b, &mut self.gcd);
        // gcd(0, 0) = 0, and lcm(0, 0) = 0.
        match div_rem(quotient, remainder, a, divisor, &mut self.division) {
            Ok(()) => self.product.low(out, Factors::Pair(quotient, b)),
            Err(_) => out.fill(B::ZERO),
        }
    }

    /// Absolute values and signs of x and y of `x a + y b = gcd(a, b)`.
    fn coefficients(&mut self, ty: IntType, operands: [&[B]; 2]) -> [(&[B], bool); 2] {
        let m = operands[0].len();
        let [(a, a_negative), (b, b_negative)] = self.magnitudes.of(ty, operands);
        let [divisor, x, y] = self.rooms.each_mut().map(|room| sized(room, m));
        let signs = xgcd::xgcd(divisor, x, y, a, b, &mut self.xgcd);
        [(x, signs.x != a_negative), (y, signs.y != b_negative)]
    }

    fn jacobi(&mut self, ty: IntType, out: &mut [B], operands: [&[B]; 2]) -> Result<(), Why> {
        let [(a, negative), (n, _)] = self.magnitudes.of(ty, operands);
        let symbol = jacobi::jacobi(a, n, &mut self.jacobi).map_err(|_| Why::EvenModulus)?;
        // (-1 / n) = -1 for n = 3 mod 4.
        let flips = negative && bits::bit(n, 0) && bits::bit(n, 1);
        write_bool(out, symbol != 0);
        negate_if((symbol < 0) != flips, out);
        Ok(())
    }
}
