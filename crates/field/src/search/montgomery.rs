//! Montgomery arithmetic modulo an odd number that is known only at run time: what searching and factoring spend
//! their time in.

use crate::modular::inv_mod_word;
use crate::primality::WITNESSES;

/// An odd modulus p of up to 64 bits. Values are residues a*R mod p, R = 2^64, below p.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Montgomery {
    p: u64,
    /// p^-1 mod R.
    inverse: u64,
    /// R mod p: the residue of 1.
    one: u64,
}

impl Montgomery {
    /// For an odd p above 1.
    #[inline]
    pub(crate) const fn new(p: u64) -> Self {
        debug_assert!(p % 2 == 1 && p > 1);
        Self { p, inverse: inv_mod_word(p), one: p.wrapping_neg() % p }
    }

    pub(crate) const fn one(&self) -> u64 {
        self.one
    }

    /// The residue of -1.
    pub(crate) const fn minus_one(&self) -> u64 {
        self.p - self.one
    }

    /// Montgomery's product a*b/R mod p of residues.
    #[inline]
    pub(crate) const fn mul(&self, a: u64, b: u64) -> u64 {
        let product = a as u128 * b as u128;
        let quotient = (product as u64).wrapping_mul(self.inverse);
        let multiple = ((quotient as u128 * self.p as u128) >> 64) as u64;
        // Both low halves are equal, so the difference of the high halves is exact.
        let (difference, borrow) = ((product >> 64) as u64).overflowing_sub(multiple);
        if borrow { difference.wrapping_add(self.p) } else { difference }
    }

    #[inline]
    pub(crate) const fn add(&self, a: u64, b: u64) -> u64 {
        // a - (p - b), and p more if that is negative.
        let (difference, borrow) = a.overflowing_sub(self.p - b);
        if borrow { difference.wrapping_add(self.p) } else { difference }
    }

    /// The residue of any number, by doubling and adding: cheap for small ones, and without a division.
    #[inline]
    pub(crate) const fn residue(&self, number: u64) -> u64 {
        let mut result = 0;
        let mut bit = u64::BITS - number.leading_zeros();
        while bit > 0 {
            bit -= 1;
            result = self.add(result, result);
            // Masked, because a branch on the bits of a base would be guessed wrong half the time.
            result = self.add(result, self.one & ((number >> bit) & 1).wrapping_neg());
        }
        result
    }

    /// The residue of base^exponent, for the residue of base.
    pub(crate) fn pow(&self, base: u64, exponent: u64) -> u64 {
        let (mut result, mut power, mut rest) = (self.one, base, exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                result = self.mul(result, power);
            }
            power = self.mul(power, power);
            rest >>= 1;
        }
        result
    }

    /// Whether p is prime, with the proof of [`is_prime`](crate::primality::is_prime).
    pub(crate) fn modulus_is_prime(&self) -> bool {
        WITNESSES.iter().all(|&witness| {
            if self.p.is_multiple_of(witness) {
                return self.p == witness;
            }
            self.passes_strong_test(witness)
        })
    }

    fn passes_strong_test(&self, base: u64) -> bool {
        let s = (self.p - 1).trailing_zeros();
        let mut power = self.pow(self.residue(base), (self.p - 1) >> s);
        if power == self.one {
            return true;
        }
        for _ in 1..s {
            if power == self.minus_one() {
                return true;
            }
            power = self.mul(power, power);
        }
        power == self.minus_one()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::modular::{mul_mod, pow_mod};
    use crate::primality::is_prime;

    /// Odd numbers above 1, often at the ends of the range.
    fn moduli() -> impl Strategy<Value = u64> {
        prop_oneof![
            (1..=u64::MAX / 2).prop_map(|h| 2 * h + 1),
            (1..50_u64).prop_map(|h| 2 * h + 1),
            (0..50_u64).prop_map(|h| u64::MAX - 2 * h)
        ]
    }

    proptest! {
        #[test]
        fn equals_the_reference(p in moduli(), a: u64, b: u64, exponent: u64) {
            let field = Montgomery::new(p);
            let (a, b) = (a % p, b % p);
            let (x, y) = (field.residue(a), field.residue(b));
            prop_assert_eq!(field.mul(x, y), field.residue(mul_mod(a, b, p)));
            prop_assert_eq!(field.pow(x, exponent), field.residue(pow_mod(a, exponent, p)));
            prop_assert_eq!(field.add(x, y), field.residue(((u128::from(a) + u128::from(b)) % u128::from(p)) as u64));
            prop_assert_eq!(field.add(field.minus_one(), field.one()), 0);
        }

        #[test]
        fn primality_equals_the_reference(p in moduli()) {
            prop_assert_eq!(Montgomery::new(p).modulus_is_prime(), is_prime(p));
        }
    }

    #[test]
    fn primality_of_small_and_hard_numbers() {
        let hard =
            [2047, 3_215_031_751, 3_825_123_056_546_413_051, 561, 9_746_347_772_161, u64::MAX, u64::MAX - 58];
        for p in (3..20_000).step_by(2).chain(hard) {
            assert_eq!(Montgomery::new(p).modulus_is_prime(), is_prime(p), "{p}");
        }
    }
}
