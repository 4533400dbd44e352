//! The prime itself, its roots of unity, and square roots.

use limbforge_field::primality::is_prime;
use limbforge_field::{PrimeField, TwoAdicField};
use num_bigint::BigUint;
use num_traits::One;
use proptest::prelude::*;

use super::{check_field, value};

fn power<F: PrimeField>(a: F, exponent: u64) -> BigUint {
    BigUint::from(value(a)).modpow(&exponent.into(), &F::MODULUS.into())
}

/// The prime is one, and is what its parts say.
pub fn constants<F: TwoAdicField>() {
    assert!(is_prime(F::MODULUS) && F::MODULUS > 2);
    assert_eq!(u128::from(F::MODULUS), (u128::from(F::K) << F::ADICITY) + 1);
    assert!(F::K % 2 == 1 && F::ADICITY >= 1);
    assert_eq!((value(F::ZERO), value(F::ONE), F::default()), (0, 1, F::ZERO));
}

/// Roots of every order that there is, and of no other.
pub fn orders<F: TwoAdicField>() {
    let minus_one = BigUint::from(F::MODULUS - 1);
    for bits in 0..=F::ADICITY {
        let root = F::two_adic_generator(bits).unwrap_or_default();
        assert_eq!(F::root_of_unity(1 << bits), Some(root));
        match bits {
            0 => assert_eq!(root, F::ONE),
            _ => {
                assert_eq!(power(root, 1 << (bits - 1)), minus_one, "order 2^{bits}");
                assert_eq!(F::two_adic_generator(bits - 1), Some(root.square()));
            }
        }
        let mixed = F::root_of_unity(3 << bits);
        assert_eq!(mixed.is_some(), F::MODULUS % 3 == 1);
        let Some(mixed) = mixed else { continue };
        assert!(!power(mixed, 1 << bits).is_one() && power(mixed, 3 << bits).is_one(), "order 3 * 2^{bits}");
        assert_eq!(mixed * mixed.square(), root);
        if bits > 0 {
            assert_eq!(power(mixed, 3 << (bits - 1)), minus_one, "order 3 * 2^{bits}");
            assert_eq!(F::root_of_unity(3 << (bits - 1)), Some(mixed.square()));
        }
    }
    assert_eq!(F::two_adic_generator(F::ADICITY), Some(F::root()));
    assert_eq!((F::two_adic_generator(F::ADICITY + 1), F::two_adic_generator(u32::MAX)), (None, None));
    for order in [0, 5, 9, 1 << (F::ADICITY + 1), 3 << (F::ADICITY + 1)] {
        assert_eq!(F::root_of_unity(order), None, "order {order}");
    }
}

/// Square roots and quadratic characters: of a square, of the same times the root, which is no square, and of
/// 0.
pub fn squares<F: TwoAdicField>() {
    assert_eq!((F::ZERO.sqrt(), F::ZERO.quadratic_character()), (Some(F::ZERO), 0));
    check_field::<F>(|[a, ..]| {
        let square = a.square();
        let expected = a.min(-a);
        prop_assert_eq!(square.sqrt(), Some(expected));
        if a != F::ZERO {
            let other = square * F::root();
            prop_assert_eq!((other.sqrt(), other.quadratic_character()), (None, -1));
            prop_assert_eq!(square.quadratic_character(), 1);
        }
        Ok(())
    });
}
