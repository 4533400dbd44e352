//! Elements from and to integers and text, their order, and what num-traits promises.

use std::hash::{BuildHasher, RandomState};

use limbforge_field::word::Base;
use limbforge_field::{ParseElementError, PrimeField};
use num_traits::{ConstOne, ConstZero};
use proptest::prelude::*;

use super::{check_field, check_residues, value};

/// Integers mod p, and raw words mod p.
pub fn integers<F: PrimeField>() {
    let p = F::MODULUS;
    check_residues(p, &|[a, b, _]| {
        let element = F::from(a);
        prop_assert_eq!(value(element), a);
        prop_assert_eq!(F::from_raw(element.raw()), element);
        for word in [a, a.saturating_add(p), u64::MAX - a, a.wrapping_mul(b)] {
            prop_assert_eq!(value(F::from(word)), word % p);
            let word: F::Word = Base::from_word(word);
            prop_assert_eq!(F::from_raw(word), F::from_raw(Base::from_word(word.low_word() % p)));
        }
        Ok(())
    });
}

/// Text both ways, in two radices; what is no residue is refused.
pub fn text<F: PrimeField>() {
    let p = F::MODULUS;
    check_residues(p, &|[a, ..]| {
        let element = F::from(a);
        prop_assert_eq!(element.to_string(), a.to_string());
        prop_assert_eq!(format!("{element:?}"), a.to_string());
        prop_assert_eq!(
            format!("{element:#x} {element:08x} {element:>30}"),
            format!("{a:#x} {a:08x} {a:>30}")
        );
        prop_assert_eq!(a.to_string().parse(), Ok(element));
        prop_assert_eq!(format!("{a:#x}").parse(), Ok(element));
        let too_large = format!("{:#x}", u128::from(a) + u128::from(p));
        let expected = ParseElementError::Range { text: too_large.clone(), modulus: p };
        prop_assert_eq!(too_large.parse::<F>(), Err(expected));
        Ok(())
    });
    for text in ["", "0x", "+1", "-1", " 1", "1 ", "1_0", "f", "0xg", "1.0"] {
        assert_eq!(text.parse::<F>(), Err(ParseElementError::Digits { text: text.to_owned() }));
    }
    for text in [p.to_string(), "99999999999999999999999999".to_owned()] {
        assert_eq!(text.parse::<F>(), Err(ParseElementError::Range { text: text.clone(), modulus: p }));
    }
}

/// Equality, order and hash are those of the values.
pub fn order<F: PrimeField>() {
    let hasher = RandomState::new();
    check_field::<F>(|[a, b, _]| {
        prop_assert_eq!(a.cmp(&b), value(a).cmp(&value(b)));
        prop_assert_eq!(a.partial_cmp(&b), Some(a.cmp(&b)));
        prop_assert_eq!(a == b, value(a) == value(b));
        prop_assert_eq!(hasher.hash_one(a + b - b), hasher.hash_one(a));
        Ok(())
    });
}

/// The constants of num-traits.
pub fn traits<F: PrimeField>() {
    assert_eq!((F::zero(), F::one()), (<F as ConstZero>::ZERO, <F as ConstOne>::ONE));
    assert_eq!((value(F::zero()), value(F::one())), (0, 1));
    assert!(F::zero().is_zero() && F::one().is_one() && !F::one().is_zero());
    assert_eq!((F::from(0), F::from(1)), (F::zero(), F::one()));
}
