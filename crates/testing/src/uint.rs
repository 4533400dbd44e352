//! [`Uint`] against num-bigint, and the algebra that it must obey.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use core::ops::Add;
use std::hash::{BuildHasher, RandomState};

use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::typenum::Sum;
use limbforge_limb::{Base, DivisionByZero, Uint};
use num_bigint::BigUint;
use num_traits::{One, Pow};
use proptest::prelude::*;

use crate::check::check;
use crate::operands::{integer, integer_pair};
use crate::oracle::value;

pub mod forms;

/// Tests [`Uint`] at one limb and length: `conformance_uint!(u64, typenum::U7);`, or in a module,
/// `conformance_uint!(name: u64, typenum::U7);`.
#[macro_export]
macro_rules! conformance_uint {
    ($name:ident: $B:ty, $N:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_uint!($B, $N);
        }
    };
    ($B:ty, $N:ty) => {
        $crate::conformance!($crate::uint, [$B, $N]:
            sums products wide_products ring divisions shifts bits order powers);
        $crate::conformance!($crate::uint::forms, [$B, $N]: text radices conversions widths);
    };
}

fn number<B: Base, N: ArrayLength>() -> impl Strategy<Value = Uint<B, N>> {
    integer(N::USIZE).prop_map(|limbs| from_slice(&limbs))
}

fn pair<B: Base, N: ArrayLength>() -> impl Strategy<Value = (Uint<B, N>, Uint<B, N>)> {
    integer_pair(N::USIZE).prop_map(|(a, b)| (from_slice(&a), from_slice(&b)))
}

fn from_slice<B: Base, N: ArrayLength>(limbs: &[B]) -> Uint<B, N> {
    let mut number = Uint::zero();
    number.as_limbs_mut().copy_from_slice(limbs);
    number
}

fn big<B: Base, N: ArrayLength>(number: &Uint<B, N>) -> BigUint {
    value(number.as_limbs())
}

fn modulus<B: Base, N: ArrayLength>() -> BigUint {
    BigUint::one() << Uint::<B, N>::BITS
}

/// The value mod `2^BITS` as a number, by the definition of its limbs.
fn reduced<B: Base, N: ArrayLength>(value: &BigUint) -> Uint<B, N> {
    from_slice(&crate::oracle::limbs(value, N::USIZE))
}

/// Sums, differences and negation in every form.
pub fn sums<B: Base, N: ArrayLength>() {
    check((pair::<B, N>(), any::<bool>()), |((a, b), carry)| {
        let (big_a, big_b, modulus) = (big(&a), big(&b), modulus::<B, N>());
        let sum = &big_a + &big_b;
        let fits = sum < modulus;
        prop_assert_eq!(&a + &b, reduced(&sum));
        prop_assert_eq!(a.overflowing_add(&b), (reduced(&sum), !fits));
        prop_assert_eq!(a.checked_add(&b), fits.then(|| reduced(&sum)));
        prop_assert_eq!(a.saturating_add(&b), if fits { reduced(&sum) } else { Uint::max_value() });
        let carried = &sum + u32::from(carry);
        prop_assert_eq!(a.carrying_add(&b, carry), (reduced(&carried), carried >= modulus));

        let difference = &modulus + &big_a - &big_b;
        let fits = big_a >= big_b;
        prop_assert_eq!(&a - &b, reduced(&difference));
        prop_assert_eq!(a.overflowing_sub(&b), (reduced(&difference), !fits));
        prop_assert_eq!(a.checked_sub(&b), fits.then(|| reduced(&difference)));
        prop_assert_eq!(a.saturating_sub(&b), if fits { reduced(&difference) } else { Uint::zero() });
        let borrowed = difference - u32::from(carry);
        prop_assert_eq!(a.borrowing_sub(&b, carry), (reduced(&borrowed), borrowed < modulus));

        prop_assert_eq!(a.wrapping_neg(), reduced(&(modulus - &big_a)));
        prop_assert_eq!(a.overflowing_neg(), (a.wrapping_neg(), !a.is_zero()));
        prop_assert_eq!(a.checked_neg(), a.is_zero().then(Uint::zero));
        Ok(())
    });
}

/// Products in every form.
pub fn products<B: Base, N: ArrayLength>() {
    check(pair::<B, N>(), |(a, b)| {
        let product = big(&a) * big(&b);
        let fits = product < modulus::<B, N>();
        prop_assert_eq!(&a * &b, reduced(&product));
        prop_assert_eq!(a.overflowing_mul(&b), (reduced(&product), !fits));
        prop_assert_eq!(a.checked_mul(&b), fits.then(|| reduced(&product)));
        prop_assert_eq!(a.saturating_mul(&b), if fits { reduced(&product) } else { Uint::max_value() });
        let high = reduced(&(&product >> Uint::<B, N>::BITS));
        prop_assert_eq!(a.widening_mul(&b), (reduced(&product), high.clone()));
        prop_assert_eq!(a.mul_high(&b), high);
        prop_assert_eq!(a.wrapping_square(), &a * &a);
        Ok(())
    });
}

/// The products that have room.
pub fn wide_products<B: Base, N: ArrayLength + Add<N, Output: ArrayLength>>() {
    check(pair::<B, N>(), |(a, b)| {
        let wide: Uint<B, Sum<N, N>> = a.wide_mul(&b);
        prop_assert_eq!(big(&wide), big(&a) * big(&b));
        prop_assert_eq!(a.wide_square(), a.wide_mul(&a));
        prop_assert_eq!(wide.resize::<N>(), a * b);
        Ok(())
    });
}

/// The numbers are a commutative ring, by value, by reference and in place.
pub fn ring<B: Base, N: ArrayLength>() {
    check((pair::<B, N>(), number::<B, N>()), |((a, b), c)| {
        prop_assert_eq!((&a + &b) + &c, &a + (&b + &c));
        prop_assert_eq!((&a * &b) * &c, &a * (&b * &c));
        prop_assert_eq!(&a + &b, &b + &a);
        prop_assert_eq!(&a * &b, &b * &a);
        prop_assert_eq!(&a * (&b + &c), &a * &b + &a * &c);
        prop_assert_eq!(&a + Uint::zero(), a.clone());
        prop_assert_eq!(&a * Uint::one(), a.clone());
        prop_assert!((&a - a.clone()).is_zero() && (&a + a.wrapping_neg()).is_zero());
        let mut sum = a.clone();
        sum += &b;
        sum -= a.clone();
        sum *= &c;
        prop_assert_eq!(&sum, &(&b * &c));
        prop_assert_eq!([&a, &b, &c].into_iter().sum::<Uint<B, N>>(), &a + &b + &c);
        prop_assert_eq!([a.clone(), b.clone()].into_iter().product::<Uint<B, N>>(), a * b);
        Ok(())
    });
}

/// `u = q * v + r` with `r < v`; a zero divisor is an error or `None`.
pub fn divisions<B: Base, N: ArrayLength>() {
    check((pair::<B, N>(), 0..Uint::<B, N>::BITS), |((u, v), shift)| {
        for v in [&v >> shift, v, Uint::zero()] {
            if v.is_zero() {
                prop_assert_eq!(u.div_rem(&v), Err(DivisionByZero));
                prop_assert_eq!((u.checked_div(&v), u.checked_rem(&v)), (None, None));
                continue;
            }
            let (quotient, remainder) = (reduced(&(big(&u) / big(&v))), reduced(&(big(&u) % big(&v))));
            prop_assert_eq!((&u / &v, &u % &v), (quotient.clone(), remainder.clone()));
            prop_assert_eq!(
                (u.checked_div(&v), u.checked_rem(&v)),
                (Some(quotient.clone()), Some(remainder.clone()))
            );
            prop_assert!(remainder < v);
            prop_assert_eq!(&quotient * &v + &remainder, u.clone());
            prop_assert_eq!(u.div_rem_floor(&v), u.div_rem(&v));
            prop_assert_eq!(u.div_rem_euclid(&v), Ok((quotient, remainder)));
            let limb = v.as_limbs()[0];
            if limb != B::ZERO {
                let (quotient, rest) =
                    u.div_rem_limb(limb).map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert_eq!(big(&quotient) * value(&[limb]) + value(&[rest]), big(&u));
            }
        }
        Ok(())
    });
}

/// Shifts below, at and beyond the width.
pub fn shifts<B: Base, N: ArrayLength>() {
    let bits = Uint::<B, N>::BITS;
    check((number::<B, N>(), 0..2 * bits), |(a, n)| {
        let (left, right) = (reduced(&(big(&a) << n)), reduced(&(big(&a) >> n)));
        prop_assert_eq!((&a << n, &a >> n), (left.clone(), right.clone()));
        prop_assert_eq!(a.checked_shl(n), (n < bits).then_some(left));
        prop_assert_eq!(a.checked_shr(n), (n < bits).then_some(right));
        prop_assert_eq!(a.wrapping_shl(n), &a << (n % bits));
        prop_assert_eq!(a.wrapping_shr(n), &a >> (n % bits) as usize);
        prop_assert!((&a << -1).is_zero() && (&a >> usize::MAX).is_zero());
        Ok(())
    });
}

/// Bit operations and counts.
pub fn bits<B: Base, N: ArrayLength>() {
    let width = Uint::<B, N>::BITS;
    check((pair::<B, N>(), 0..width + 3), |((a, b), index)| {
        prop_assert_eq!(big(&(&a & &b)), big(&a) & big(&b));
        prop_assert_eq!(big(&(&a | &b)), big(&a) | big(&b));
        prop_assert_eq!(&a ^ &b, (&a | &b) & !(&a & &b));
        prop_assert_eq!(!&a, Uint::max_value() - &a);
        prop_assert_eq!(a.bit(index), big(&a).bit(index.into()));
        prop_assert_eq!(u64::from(a.bits()), big(&a).bits());
        prop_assert_eq!(a.leading_zeros(), width - a.bits());
        prop_assert_eq!(u64::from(a.trailing_zeros()), big(&a).trailing_zeros().unwrap_or(width.into()));
        prop_assert_eq!(u64::from(a.count_ones()), big(&a).count_ones());
        prop_assert_eq!(a.count_zeros(), width - a.count_ones());
        prop_assert_eq!(a.leading_ones(), (!&a).leading_zeros());
        prop_assert_eq!(u64::from(a.trailing_ones()), big(&a).trailing_ones());
        let rotated = &a << (index % width) | &a >> (width - index % width);
        prop_assert_eq!(a.rotate_left(index), rotated.clone());
        prop_assert_eq!(rotated.rotate_right(index), a);
        Ok(())
    });
}

/// The numeric order, and hashes of equal numbers.
pub fn order<B: Base, N: ArrayLength>() {
    let hasher = RandomState::new();
    check(pair::<B, N>(), |(a, b)| {
        prop_assert_eq!(a.cmp(&b), big(&a).cmp(&big(&b)));
        prop_assert_eq!(a == b, big(&a) == big(&b));
        prop_assert!(Uint::min_value() <= a && a <= Uint::max_value());
        prop_assert!(a != b || hasher.hash_one(&a) == hasher.hash_one(&b));
        Ok(())
    });
}

/// Powers, by two ways to compute them.
pub fn powers<B: Base, N: ArrayLength>() {
    check((number::<B, N>(), 0..40_u32), |(a, exponent)| {
        prop_assert_eq!(Pow::pow(a.clone(), exponent), num_traits::pow(a.clone(), exponent as usize));
        prop_assert_eq!(
            big(&Pow::pow(a.clone(), exponent)),
            big(&a).modpow(&exponent.into(), &modulus::<B, N>())
        );
        Ok(())
    });
}
