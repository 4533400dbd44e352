//! [`Uint`] in other forms: text, num-bigint, bytes, primitives, other widths.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use core::ops::Add;

use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::typenum::Sum;
use limbforge_limb::{Base, Int, Uint};
use num_bigint::BigUint;
use num_traits::{Num, One, Zero};
use proptest::prelude::*;

use super::{big, modulus, number};
use crate::check::check;

/// Decimal and hexadecimal text as num-bigint writes it, and back.
pub fn text<B: Base, N: ArrayLength>() {
    check(number::<B, N>(), |a| {
        let expected = big(&a);
        prop_assert_eq!(a.to_string(), expected.to_string());
        prop_assert_eq!(
            format!("{a:x} {a:#X} {a:b} {a:#o}"),
            format!("{expected:x} {expected:#X} {expected:b} {expected:#o}")
        );
        prop_assert_eq!(
            format!("{a:+} {a:>90} {a:#090x}"),
            format!("{expected:+} {expected:>90} {expected:#090x}")
        );
        prop_assert_eq!(format!("{a:?}"), format!("Uint({expected:#x})"));
        for text in
            [format!("{a}"), format!("+{a}"), format!("{a:#x}"), format!("000{a}"), format!("0X{a:X}")]
        {
            prop_assert_eq!(text.parse(), Ok(a.clone()), "{}", text);
        }
        Ok(())
    });
}

/// Every radix.
pub fn radices<B: Base, N: ArrayLength>() {
    check((number::<B, N>(), 2..=36_u32), |(a, radix)| {
        let text = big(&a).to_str_radix(radix);
        prop_assert_eq!(Num::from_str_radix(&text, radix), Ok(a));
        Ok(())
    });
}

/// num-bigint, bytes and the language's integers.
pub fn conversions<B: Base, N: ArrayLength>() {
    check((number::<B, N>(), 0..4_usize), |(a, more)| {
        let expected = big(&a);
        prop_assert_eq!(BigUint::from(&a), expected.clone());
        prop_assert_eq!(Uint::try_from(&expected), Ok(a.clone()));
        let too_wide = Uint::<B, N>::try_from(&expected + modulus::<B, N>());
        prop_assert_eq!(too_wide.map_err(|error| error.needed), Err(u64::from(Uint::<B, N>::BITS) + 1));

        let mut bytes = a.to_le_bytes();
        prop_assert_eq!(bytes.len(), Uint::<B, N>::TYPE.bytes());
        bytes.resize(bytes.len() + more, 0);
        prop_assert_eq!(Uint::from_le_bytes(&bytes), Ok(a.clone()));
        prop_assert_eq!(Uint::from_be_bytes(&a.to_be_bytes()), Ok(a.clone()));
        bytes.push(1);
        prop_assert_eq!(
            Uint::<B, N>::from_le_bytes(&bytes).map_err(|error| error.needed),
            Err(8 * bytes.len() as u64 - 7)
        );

        prop_assert_eq!(u64::try_from(&a).ok(), u64::try_from(&expected).ok());
        prop_assert_eq!(u128::try_from(&a).ok(), u128::try_from(&expected).ok());
        prop_assert_eq!(i128::try_from(&a).ok(), i128::try_from(&expected).ok());
        let small = u8::try_from(&(&a & Uint::from(0xff_u8)));
        prop_assert_eq!(small.map(Uint::<B, N>::from), Ok(&a & Uint::from(0xff_u8)));
        Ok(())
    });
}

/// Other lengths and the other signedness.
pub fn widths<B: Base, N: ArrayLength + Add<N, Output: ArrayLength>>() {
    check((number::<B, N>(), number::<B, Sum<N, N>>()), |(a, wide)| {
        let bits = Uint::<B, N>::BITS;
        prop_assert_eq!(big(&a.resize::<Sum<N, N>>()), big(&a));
        prop_assert_eq!(big(&wide.resize::<N>()), big(&wide) % modulus::<B, N>());
        let fits = wide.bits() <= bits;
        prop_assert_eq!(Uint::try_from(&wide).ok(), fits.then(|| wide.resize::<N>()));
        prop_assert_eq!(Uint::try_from(&a), Ok(a.resize::<Sum<N, N>>()));
        prop_assert_eq!(a.clone().cast_signed().cast_unsigned(), a.clone());
        let signed = Int::<B, N>::try_from(&a);
        prop_assert_eq!(signed.is_ok(), a.bits() < bits);
        if let Ok(signed) = signed {
            prop_assert_eq!(Uint::try_from(&signed), Ok(a));
        }
        Ok(())
    });
    assert_eq!(Uint::<B, N>::zero(), Uint::default());
    assert!(<Uint<B, N> as Zero>::zero().is_zero() && One::is_one(&Uint::<B, N>::one()));
}
