//! Refusals of run-time fields, and fields of small and of drawn primes.

use limbforge_field::primality::is_prime;
use limbforge_field::{DynField, FieldError};
use proptest::prelude::*;

#[test]
fn errors_say_what_was_found() {
    assert_eq!(DynField::new(0), Err(FieldError::TooSmall { modulus: 0 }));
    assert_eq!(DynField::new(2), Err(FieldError::TooSmall { modulus: 2 }));
    assert_eq!(DynField::new(3_215_031_751), Err(FieldError::Composite { modulus: 3_215_031_751 }));
    assert_eq!(DynField::new(u64::MAX), Err(FieldError::Composite { modulus: u64::MAX }));
    assert_eq!(DynField::with_root(15, 2), Err(FieldError::Composite { modulus: 15 }));
    assert_eq!(DynField::with_root(17, 17), Err(FieldError::RootRange { root: 17, modulus: 17 }));
    assert_eq!(DynField::with_root(17, 4), Err(FieldError::RootOrder { root: 4, modulus: 17, adicity: 4 }));
    assert_eq!(DynField::from_parts(58, 56, 21), Err(FieldError::Split { k: 58, n: 56 }));
    assert_eq!(DynField::from_parts(29, 60, 21), Err(FieldError::TooLarge { k: 29, n: 60, bits: 64 }));
    assert_eq!(DynField::from_parts(29, 56, 21), Err(FieldError::Composite { modulus: (29 << 56) + 1 }));
    let message = DynField::from_parts(29, 57, 441).unwrap_err().to_string();
    assert!(message.contains("expected an element of order 2^57"), "{message}");
    assert_eq!(DynField::new(17).unwrap().to_string(), "F_17");
}

/// Everything there is to know of a field of less than 100 elements.
#[test]
fn small_fields_exhaustively() {
    for p in (3..100).filter(|&p| is_prime(p)) {
        let field = DynField::new(p).unwrap();
        let residues: Vec<u64> = (0..p).collect();
        let elements: Vec<_> = residues.iter().map(|&a| field.element(a)).collect();
        for (&a, &x) in residues.iter().zip(&elements) {
            let smallest_root = residues.iter().copied().find(|b| b * b % p == a);
            assert_eq!(field.sqrt(x).map(|root| field.value(root)), smallest_root, "sqrt {a} mod {p}");
            let character = match a {
                0 => 0,
                _ => {
                    if smallest_root.is_some() {
                        1
                    } else {
                        -1
                    }
                }
            };
            assert_eq!(field.quadratic_character(x), character);
            for (&b, &y) in residues.iter().zip(&elements) {
                assert_eq!(field.value(field.mul(x, y)), a * b % p);
                assert_eq!(field.value(field.add(x, y)), (a + b) % p);
                assert_eq!(field.value(field.sub(x, y)), (a + p - b) % p);
            }
        }
    }
}

proptest! {
    /// A prime is drawn, and Fermat and the square root must hold.
    #[test]
    fn drawn_primes(start: u64, word: u64) {
        let p = (start.min(u64::MAX - 58)..).find(|&p| p > 2 && is_prime(p)).unwrap();
        let field = DynField::new(p).unwrap();
        let a = field.element(word);
        prop_assert_eq!(field.value(a), word % p);
        prop_assert_eq!(field.pow(a, p), a);
        let square = field.square(a);
        let root = field.sqrt(square).unwrap();
        prop_assert!(root == a || root == field.neg(a));
        prop_assert_eq!(field.sqrt(field.mul(square, field.root())).is_some(), a.is_zero());
    }
}
