//! Arithmetic modulo one prime of a base, as a kernel has it: words of 32 bits, `R = 2^32`.

use limbforge_field::primality::is_prime;

use crate::invariant::broken_invariant;

/// All primes of the bases are below this bound: `2 p + 2^20 < 2^32`.
pub const TOP: u32 = (1 << 31) - (1 << 20);

/// A prime of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prime {
    /// p, below [`TOP`], 3 mod 4.
    pub value: u32,
    /// `1/p mod 2^32`.
    pub inverse: u32,
}

impl Prime {
    pub(crate) fn new(value: u32) -> Self {
        // Newton's iteration doubles the correct bits; an odd number is its own inverse mod 8.
        let step = |x: u32, _| x.wrapping_mul(2_u32.wrapping_sub(value.wrapping_mul(x)));
        Self { value, inverse: (0..4).fold(value, step) }
    }

    /// The `count` largest primes below [`TOP`] that are 3 mod 4. Modulo these -1 is not a square, so that
    /// one of c and -c is.
    pub(crate) fn largest(count: usize) -> Vec<Self> {
        let candidates = (3..TOP).rev().step_by(4);
        debug_assert_eq!(TOP % 4, 0, "the first candidate is 3 mod 4");
        candidates.filter(|&n| is_prime(n.into())).take(count).map(Self::new).collect()
    }

    /// `a b mod p`.
    pub(crate) fn mul(self, a: u32, b: u32) -> u32 {
        (u64::from(a) * u64::from(b) % u64::from(self.value)) as u32
    }

    /// `-a mod p`.
    pub(crate) fn neg(self, a: u32) -> u32 {
        (self.value - a % self.value) % self.value
    }

    /// The product of these numbers mod p.
    pub(crate) fn product(self, factors: impl IntoIterator<Item = u32>) -> u32 {
        factors.into_iter().fold(1, |product, factor| self.mul(product, factor))
    }

    /// `R mod p`, for `R = 2^32`.
    pub(crate) fn r(self) -> u32 {
        ((1_u64 << 32) % u64::from(self.value)) as u32
    }

    fn pow(self, base: u32, exponent: u32) -> u32 {
        (0..32).rev().fold(1, |power, bit| {
            let square = self.mul(power, power);
            if exponent >> bit & 1 == 1 { self.mul(square, base) } else { square }
        })
    }

    /// `1/a mod p`, for a that p does not divide.
    pub(crate) fn invert(self, a: u32) -> u32 {
        if a.is_multiple_of(self.value) {
            broken_invariant("an inverse of a multiple of the prime");
        }
        self.pow(a, self.value - 2)
    }

    /// `factor/a mod p` of each number a, of which p divides none: one inverse, and five products a number
    /// (Montgomery 1987), by reductions.
    pub(crate) fn quotients(self, factor: u32, numbers: &[u32]) -> Vec<u32> {
        let times = |a: u32, b: u32| self.subtract_once(self.reduce(u64::from(a) * u64::from(b)));
        let r = self.r();
        let square = self.mul(r, r);
        // Products of the numbers before each, times 2^32.
        let mut quotients: Vec<u32> = Vec::with_capacity(numbers.len());
        let mut product = r;
        for &number in numbers {
            quotients.push(product);
            product = times(product, times(number, square));
        }
        // 2^32 over the product of all.
        let mut inverse = self.mul(self.invert(product), square);
        for (before, &number) in quotients.iter_mut().zip(numbers).rev() {
            *before = times(times(*before, inverse), factor);
            inverse = times(inverse, times(number, square));
        }
        quotients
    }

    /// `256 a mod p`, for a below p. The quotient with `2^31` in place of p, which is less by `2^23` at most, is
    /// the right one or one less.
    pub(crate) const fn times_256(self, a: u32) -> u32 {
        debug_assert!(self.value > (1 << 31) - (1 << 23) && a < self.value, "a residue of a prime of a base");
        let rest = ((a as u64) << 8) - (a >> 23) as u64 * self.value as u64;
        self.subtract_once(rest as u32)
    }

    /// (s, negative) with `s^2 = -c mod p` if `negative`, else `s^2 = c mod p`.
    pub(crate) fn signed_root(self, c: u32) -> (u32, bool) {
        let root = |c| self.pow(c, (self.value + 1) / 4);
        let (positive, negative) = (root(c), root(self.neg(c)));
        if self.mul(positive, positive) == c % self.value { (positive, false) } else { (negative, true) }
    }

    /// `v / R mod p`, from 1 to `(v >> 32) + p`. The sum must fit 32 bits, which the bounds of a plan prove.
    pub(crate) fn reduce(self, v: u64) -> u32 {
        let quotient = (v as u32).wrapping_mul(self.inverse);
        let multiple = (u64::from(quotient) * u64::from(self.value)) >> 32;
        word((v >> 32) + u64::from(self.value) - multiple)
    }

    /// r, less p if it is not below p.
    pub(crate) const fn subtract_once(self, r: u32) -> u32 {
        if r < self.value { r } else { r - self.value }
    }
}

/// A value that was proved to have at most 32 bits.
pub(crate) fn word(v: u64) -> u32 {
    u32::try_from(v).unwrap_or_else(|_| broken_invariant("a value of a residue number system has 32 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_the_largest_and_3_mod_4() {
        let primes = Prime::largest(40);
        let values: Vec<u32> = primes.iter().map(|prime| prime.value).collect();
        let expected: Vec<u32> =
            (1..TOP).rev().filter(|&n| n % 4 == 3 && is_prime(n.into())).take(40).collect();
        assert_eq!(values, expected);
        assert!(primes.iter().all(|prime| prime.value.wrapping_mul(prime.inverse) == 1));
    }

    #[test]
    fn reductions_are_exact_at_both_ends() {
        for prime in Prime::largest(3) {
            let p = u64::from(prime.value);
            for v in [0, 1, p - 1, p, p * p, p << 32, (1 << 32) - 1, 1 << 32, (1 << 63) - 1] {
                let found = u64::from(prime.reduce(v));
                assert!((1..=(v >> 32) + p).contains(&found), "{v} {found}");
                assert_eq!((found << 32) % p, v % p);
            }
        }
    }

    #[test]
    fn inverses_and_roots() {
        let prime = Prime::largest(1)[0];
        let numbers = [1, 2, 77, prime.value - 1, 1 << 30];
        for (&number, inverse) in numbers.iter().zip(prime.quotients(1, &numbers)) {
            assert_eq!((prime.mul(number, inverse), prime.invert(number)), (1, inverse));
            let quotient = prime.quotients(prime.value - 3, &[number])[0];
            assert_eq!(prime.mul(number, quotient), prime.value - 3);
            assert_eq!(prime.times_256(number), prime.mul(number, 256));
            let (root, negative) = prime.signed_root(number);
            let square = prime.mul(root, root);
            assert_eq!(if negative { prime.neg(square) } else { square }, number);
        }
    }
}
