//! Powers, inverses and square roots, computed from products.

use num_traits::{One, PrimInt, Zero};

use super::Reduction;
use crate::invariant::broken_invariant;
use crate::word::Base;

/// Powers, inverses, square roots and quadratic characters, for every [`Reduction`]. Words are raw and below
/// p.
pub trait Arithmetic: Reduction {
    /// `base^exponent`, with `0^0 = 1`, by left-to-right binary exponentiation.
    #[must_use]
    fn pow(&self, base: Self::Word, exponent: u64) -> Self::Word {
        let bits = (0..u64::BITS - exponent.leading_zeros()).rev();
        bits.fold(self.one(), |power, bit| {
            let square = self.square(power);
            if exponent >> bit & 1 == 1 { self.mul(square, base) } else { square }
        })
    }

    /// The inverse, by Fermat: `a^(p-2)`. `None` for 0.
    #[must_use]
    fn inverse(&self, a: Self::Word) -> Option<Self::Word> {
        (!a.is_zero()).then(|| self.pow(a, self.modulus().low_word() - 2))
    }

    /// Replaces every element by its inverse and keeps zeros: one inversion, and three products for each
    /// element (P. L. Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", Math.
    /// Comp. 48, 1987, section 10.3.1). `raw` gives the word of an element of type T.
    fn batch_inverse<T>(&self, elements: &mut [T], raw: impl Fn(&mut T) -> &mut Self::Word) {
        let mut product = self.one();
        let mut before = Vec::with_capacity(elements.len());
        for element in elements.iter_mut().map(&raw).filter(|element| !element.is_zero()) {
            before.push(product);
            product = self.mul(product, *element);
        }
        let Some(mut inverse) = self.inverse(product) else { broken_invariant("a product of units is one") };
        for element in elements.iter_mut().rev().map(&raw).filter(|element| !element.is_zero()) {
            let Some(prefix) = before.pop() else { broken_invariant("there is a prefix for each element") };
            let next = self.mul(inverse, *element);
            *element = self.mul(inverse, prefix);
            inverse = next;
        }
    }

    /// The quadratic character, by Euler: 0 for 0, 1 for the square of a nonzero element, -1 for any other.
    #[must_use]
    fn quadratic_character(&self, a: Self::Word) -> i8 {
        match self.pow(a, (self.modulus() >> 1).low_word()) {
            power if power.is_zero() => 0,
            power if power == self.one() => 1,
            _ => -1,
        }
    }

    /// The square root with the smaller value, or `None` if `a` is not a square (Tonelli and Shanks; H.
    /// Cohen, "A Course in Computational Algebraic Number Theory", algorithm 1.5.1). `root` must have order
    /// 2^n, where p - 1 = k*2^n with k odd.
    #[must_use]
    fn sqrt(&self, a: Self::Word, root: Self::Word) -> Option<Self::Word> {
        if a.is_zero() {
            return Some(a);
        }
        let group = self.modulus() - Self::Word::one();
        let mut order = group.trailing_zeros();
        let k = (group >> order as usize).low_word();
        // candidate^2 = a * error. The order of the error divides 2^(order - 1) if and only if a is a square.
        let power = self.pow(a, k >> 1);
        let mut candidate = self.mul(power, a);
        let mut error = self.mul(power, candidate);
        let mut root = root;
        while error != self.one() {
            let mut exponent = 0;
            let mut square = error;
            while square != self.one() {
                square = self.square(square);
                exponent += 1;
            }
            if exponent >= order {
                return None;
            }
            let factor = (0..order - exponent - 1).fold(root, |factor, _| self.square(factor));
            candidate = self.mul(candidate, factor);
            root = self.square(factor);
            error = self.mul(error, root);
            order = exponent;
        }
        let other = self.neg(candidate);
        Some(if self.decode(other) < self.decode(candidate) { other } else { candidate })
    }
}

impl<R: Reduction> Arithmetic for R {}
