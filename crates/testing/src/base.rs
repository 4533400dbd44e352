//! The laws of [`Base`], [`Wide`] and the half limb that the algorithms rely on.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use limbforge_limb::{Base, Wide};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::prelude::*;

use crate::check::check;
use crate::operands::limb;
use crate::oracle::value;

/// Tests a limb type: `conformance_base!(u32);`. With a name in front, `conformance_base!(name: u32);`, the
/// tests go into a module of that name, so that one file can test several.
#[macro_export]
macro_rules! conformance_base {
    ($name:ident: $B:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_base!($B);
        }
    };
    ($B:ty) => {
        $crate::conformance!($crate::base, [$B]: constants sums products quotients halves images wides);
    };
}

/// `B`, the number of values of a limb.
fn modulus<B: Base>() -> BigUint {
    BigUint::one() << B::BITS
}

/// `BITS`, `BYTES` and `HIGHEST` belong together.
pub fn constants<B: Base>() {
    assert_eq!((B::BITS as usize, B::BYTES), (8 * size_of::<B>(), size_of::<B>()), "all bits of the memory");
    assert_eq!(value(&[B::HIGHEST]), modulus::<B>() - 1_u32);
    assert_eq!((value(&[B::ZERO]), value(&[B::ONE])), (BigUint::zero(), BigUint::one()));
    assert!(!B::NAME.is_empty());
}

/// Sums and differences with carry.
pub fn sums<B: Base>() {
    check((limb::<B>(), limb::<B>(), any::<bool>()), |(a, b, carry)| {
        let (sum, carry_out) = a.carrying_add(b, carry);
        let expected = value(&[a]) + value(&[b]) + u32::from(carry);
        prop_assert_eq!(value(&[sum]) + modulus::<B>() * u32::from(carry_out), expected);
        let (difference, borrow_out) = a.borrowing_sub(b, carry);
        let expected = value(&[a]) + modulus::<B>() * u32::from(borrow_out);
        prop_assert_eq!(value(&[difference]) + value(&[b]) + u32::from(carry), expected);
        prop_assert_eq!(Base::wrapping_add(a, b), a.carrying_add(b, false).0);
        prop_assert_eq!(Base::wrapping_sub(a, b), a.borrowing_sub(b, false).0);
        Ok(())
    });
}

/// Products, with the addend and the carry that still fit.
pub fn products<B: Base>() {
    let (low, high) = B::HIGHEST.carrying_mul_add(B::HIGHEST, B::HIGHEST, B::HIGHEST);
    assert_eq!((low, high), (B::HIGHEST, B::HIGHEST), "(B-1)^2 + 2(B-1) = B^2 - 1");
    check((limb::<B>(), limb::<B>(), limb::<B>(), limb::<B>()), |(a, b, addend, carry)| {
        let product = a.widening_mul(b);
        let expected = value(&[a]) * value(&[b]);
        prop_assert_eq!(&value(&[product.low(), product.high()]), &expected);
        let (low, high) = a.carrying_mul_add(b, addend, carry);
        prop_assert_eq!(value(&[low, high]), expected + value(&[addend]) + value(&[carry]));
        Ok(())
    });
}

/// Quotients of two limbs by one, refused unless they fit.
pub fn quotients<B: Base>() {
    check((limb::<B>(), limb::<B>(), limb::<B>()), |(lo, hi, divisor)| {
        let Some((quotient, remainder)) = divisor.checked_div_rem_wide(lo, hi) else {
            prop_assert!(hi >= divisor);
            return Ok(());
        };
        prop_assert!(hi < divisor && remainder < divisor);
        prop_assert_eq!(value(&[quotient]) * value(&[divisor]) + value(&[remainder]), value(&[lo, hi]));
        Ok(())
    });
}

/// The halves make up the limb.
pub fn halves<B: Base>() {
    check(limb::<B>(), |a| {
        let (low, high) = a.split();
        prop_assert_eq!(B::join(low, high), a);
        let (low, high): (B, B) = (low.into(), high.into());
        let half_bits = (B::BITS / 2) as usize;
        prop_assert!(low >> half_bits == B::ZERO && high >> half_bits == B::ZERO);
        prop_assert_eq!(low | high << half_bits, a);
        Ok(())
    });
}

/// Byte images of every length, and words.
pub fn images<B: Base>() {
    check((limb::<B>(), 0..=B::BYTES + 2, any::<u64>()), |(a, len, word)| {
        let mut bytes = vec![0; len];
        a.write_le_bytes(&mut bytes);
        let mut expected = value(&[a]).to_bytes_le();
        expected.resize(B::BYTES.max(len), 0);
        prop_assert_eq!(&bytes[..], &expected[..len]);
        let kept = len.min(B::BYTES);
        prop_assert_eq!(value(&[B::from_le_bytes(&bytes)]), BigUint::from_bytes_le(&bytes[..kept]));
        bytes.extend([0xff; 3]);
        if len >= B::BYTES {
            prop_assert_eq!(B::from_le_bytes(&bytes), a);
        }

        let mask = u64::MAX >> 64_u32.saturating_sub(B::BITS);
        prop_assert_eq!(B::from_word(word).low_word(), word & mask);
        prop_assert_eq!(BigUint::from(a.low_word()), value(&[a]) & BigUint::from(u64::MAX));
        if let Some(words) = B::as_words(&[a]) {
            prop_assert_eq!(words, &[a.low_word()][..]);
        }
        let mut written = [B::ZERO];
        if let Some(words) = B::as_words_mut(&mut written) {
            words[0] = word;
            prop_assert_eq!(written[0], B::from_word(word));
        }
        Ok(())
    });
}

/// The double-width word: parts, and sums that say when they reach `B^2`.
pub fn wides<B: Base>() {
    check((limb::<B>(), limb::<B>(), limb::<B>(), limb::<B>()), |(a0, a1, b0, b1)| {
        let (a, b) = (B::Wide::from_parts(a0, a1), B::Wide::from_parts(b0, b1));
        prop_assert_eq!((a.low(), a.high()), (a0, a1));
        prop_assert_eq!(a == b, (a0, a1) == (b0, b1));
        let (sum, carry) = a.overflowing_add(b);
        prop_assert_eq!(
            value(&[sum.low(), sum.high(), if carry { B::ONE } else { B::ZERO }]),
            value(&[a0, a1]) + value(&[b0, b1])
        );
        Ok(())
    });
    assert_eq!(B::Wide::default(), B::Wide::from_parts(B::ZERO, B::ZERO));
    assert_eq!(B::ONE.leading_zeros() + 1, B::BITS);
}
