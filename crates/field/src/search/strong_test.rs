//! Strong probable prime tests in Montgomery form: fast, because the modulus is known only at run time.

use crate::primality::WITNESSES;
use crate::reduction::{Arithmetic, Montgomery, Reduction};

/// Whether the modulus of `field`, odd and above 1, is prime, with the proof of
/// [`is_prime`](crate::primality::is_prime).
pub(super) fn modulus_is_prime(field: &Montgomery<u64>) -> bool {
    let p = field.modulus();
    WITNESSES.iter().all(|&witness| {
        if p.is_multiple_of(witness) { p == witness } else { passes_strong_test(field, witness) }
    })
}

fn passes_strong_test(field: &Montgomery<u64>, base: u64) -> bool {
    let (p, one) = (field.modulus(), field.one());
    let minus_one = field.neg(one);
    let s = (p - 1).trailing_zeros();
    let mut power = field.pow(field.encode(base), (p - 1) >> s);
    if power == one {
        return true;
    }
    for _ in 1..s {
        if power == minus_one {
            return true;
        }
        power = field.square(power);
    }
    power == minus_one
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
        /// The search and Pollard's rho compute modulo composite numbers, too.
        #[test]
        fn composite_moduli_equal_the_reference(p in moduli(), a: u64, b: u64, exponent: u64) {
            let field = Montgomery::<u64>::new(p);
            let (a, b) = (a % p, b % p);
            let (x, y) = (field.encode(a), field.encode(b));
            prop_assert_eq!(field.mul(x, y), field.encode(mul_mod(a, b, p)));
            prop_assert_eq!(field.pow(x, exponent), field.encode(pow_mod(a, exponent, p)));
            prop_assert_eq!(field.add(x, y), field.encode(((u128::from(a) + u128::from(b)) % u128::from(p)) as u64));
            prop_assert_eq!(field.add(field.neg(field.one()), field.one()), 0);
        }

        #[test]
        fn primality_equals_the_reference(p in moduli()) {
            prop_assert_eq!(modulus_is_prime(&Montgomery::<u64>::new(p)), is_prime(p));
        }
    }

    #[test]
    fn primality_of_small_and_hard_numbers() {
        let hard =
            [2047, 3_215_031_751, 3_825_123_056_546_413_051, 561, 9_746_347_772_161, u64::MAX, u64::MAX - 58];
        for p in (3..20_000).step_by(2).chain(hard) {
            assert_eq!(modulus_is_prime(&Montgomery::<u64>::new(p)), is_prime(p), "{p}");
        }
    }
}
