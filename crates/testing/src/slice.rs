//! The kernels on limb slices against num-bigint.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use limbforge_limb::slice::{add, bits, cmp, div, shift, sub};
use limbforge_limb::{Base, DivisionByZero};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use proptest::prelude::*;

use crate::check::check;
use crate::operands::{integer, integer_pair, limb};
use crate::oracle::{limbs, residue, signed_value, value};

pub mod field;
pub mod product;
pub mod quotient;

/// Tests the slice kernels on a limb type: `conformance_slice!(u64);`, or in a module,
/// `conformance_slice!(name: u64);`.
#[macro_export]
macro_rules! conformance_slice {
    ($name:ident: $B:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_slice!($B);
        }
    };
    ($B:ty) => {
        $crate::conformance!($crate::slice, [$B]:
            sums differences unequal_lengths orders shifts bit_operations bit_counts widths limb_operations
            divisions divisions_that_correct);
        $crate::conformance!($crate::slice::field, [$B]: rotations fields);
        $crate::conformance!($crate::slice::product, [$B]: dispatched schoolbook karatsuba short ring);
        $crate::conformance!($crate::slice::quotient, [$B]: by_one_limb of_one_length normalisations);
    };
}

/// `B^len`.
pub(crate) fn modulus<B: Base>(len: usize) -> BigUint {
    BigUint::one() << (len as u32 * B::BITS)
}

fn pair<B: Base>() -> impl Strategy<Value = (Vec<B>, Vec<B>)> {
    (0..70_usize).prop_flat_map(integer_pair)
}

fn one<B: Base>() -> impl Strategy<Value = Vec<B>> {
    (0..20_usize).prop_flat_map(integer)
}

/// `a + b + carry`.
pub fn sums<B: Base>() {
    check((pair::<B>(), any::<bool>()), |((a, b), carry)| {
        let expected = value(&a) + value(&b) + u32::from(carry);
        let mut out = vec![B::HIGHEST; a.len()];
        let carry_out = add::add(&mut out, &a, &b, carry);
        prop_assert_eq!(value(&out) + modulus::<B>(a.len()) * u32::from(carry_out), expected);
        let mut acc = a.clone();
        prop_assert_eq!(add::add_assign(&mut acc, &b, carry), carry_out);
        prop_assert_eq!(acc, out);
        Ok(())
    });
}

/// `a - b - borrow`, `-a` and the forms in place.
pub fn differences<B: Base>() {
    check((pair::<B>(), any::<bool>()), |((a, b), borrow)| {
        let mut out = vec![B::HIGHEST; a.len()];
        let borrow_out = sub::sub(&mut out, &a, &b, borrow);
        let expected = value(&a) + modulus::<B>(a.len()) * u32::from(borrow_out);
        prop_assert_eq!(value(&out) + value(&b) + u32::from(borrow), expected);
        let mut acc = a.clone();
        prop_assert_eq!(sub::sub_assign(&mut acc, &b, borrow), borrow_out);
        prop_assert_eq!(&acc, &out);

        let mut from = b.clone();
        let borrow_from = sub::sub_from(&mut from, &a);
        prop_assert_eq!(borrow_from, value(&a) < value(&b));
        prop_assert_eq!(borrow_from, sub::sub(&mut out, &a, &b, false));
        prop_assert_eq!(&from, &out);

        let mut negated = vec![B::ONE; a.len()];
        prop_assert_eq!(sub::neg(&mut negated, &a), !cmp::is_zero(&a));
        sub::sub(&mut out, &vec![B::ZERO; a.len()], &a, false);
        prop_assert_eq!(&negated, &out);
        acc.clone_from(&a);
        sub::neg_assign(&mut acc);
        prop_assert_eq!(acc, negated);
        Ok(())
    });
}

/// The shorter operand of a sum or difference in place, and the carry alone.
pub fn unequal_lengths<B: Base>() {
    let operands = (0..12_usize, 0..12_usize)
        .prop_flat_map(|(short, more)| (integer::<B>(short + more), integer::<B>(short)));
    check((operands, any::<bool>()), |((a, b), carry)| {
        let (mut acc, full) = (a.clone(), modulus::<B>(a.len()));
        let carry_out = add::add_assign(&mut acc, &b, carry);
        prop_assert_eq!(value(&acc) + &full * u32::from(carry_out), value(&a) + value(&b) + u32::from(carry));
        let back = sub::sub_assign(&mut acc, &b, carry);
        prop_assert_eq!((&acc, back), (&a, carry_out));
        let carry_out = add::increment(&mut acc, carry);
        prop_assert_eq!(value(&acc) + &full * u32::from(carry_out), value(&a) + u32::from(carry));
        let back = sub::decrement(&mut acc, carry);
        prop_assert_eq!((acc, back), (a, carry_out));
        Ok(())
    });
}

/// Both orders, at every width that ends in the top limb.
pub fn orders<B: Base>() {
    check((pair::<B>(), 0..B::BITS), |((mut a, mut b), unused)| {
        prop_assert_eq!(cmp::cmp(&a, &b), value(&a).cmp(&value(&b)));
        prop_assert_eq!(cmp::is_zero(&a), value(&a).is_zero());
        if a.is_empty() {
            return Ok(());
        }
        let bits = a.len() as u32 * B::BITS - unused;
        bits::truncate(&mut a, bits);
        bits::truncate(&mut b, bits);
        prop_assert_eq!(cmp::is_negative(&a, bits), signed_value(&a, bits) < BigInt::zero());
        prop_assert_eq!(cmp::cmp_signed(&a, &b, bits), signed_value(&a, bits).cmp(&signed_value(&b, bits)));
        Ok(())
    });
}

/// Shifts by less than the width, the width, and more.
pub fn shifts<B: Base>() {
    let operands = one::<B>().prop_flat_map(|a| {
        let bits = a.len() as u32 * B::BITS;
        (Just(a), prop_oneof![8 => 0..=bits, 1 => Just(u32::MAX), 1 => bits..=2 * bits + 1])
    });
    check(operands, |(a, n)| {
        let bits = a.len() as u32 * B::BITS;
        let capped = n.min(bits);
        let mut out = vec![B::HIGHEST; a.len()];
        shift::shl(&mut out, &a, n);
        prop_assert_eq!(value(&out), (value(&a) << capped) % modulus::<B>(a.len()));
        shift::shr(&mut out, &a, n);
        prop_assert_eq!(value(&out), value(&a) >> capped);
        if bits > 0 {
            shift::shr_signed(&mut out, &a, n);
            // num-bigint, too, rounds right shifts down.
            prop_assert_eq!(signed_value(&out, bits), signed_value(&a, bits) >> capped);
        }
        Ok(())
    });
}

/// AND, OR, XOR and NOT.
pub fn bit_operations<B: Base>() {
    check(pair::<B>(), |(a, b)| {
        let mut out = vec![B::HIGHEST; a.len()];
        bits::and(&mut out, &a, &b);
        prop_assert_eq!(value(&out), value(&a) & value(&b));
        bits::or(&mut out, &a, &b);
        prop_assert_eq!(value(&out), value(&a) | value(&b));
        bits::xor(&mut out, &a, &b);
        prop_assert_eq!(value(&out), value(&a) ^ value(&b));
        bits::not(&mut out, &a);
        prop_assert_eq!(value(&out) + value(&a) + 1_u32, modulus::<B>(a.len()));
        Ok(())
    });
}

/// Single bits and counts of them.
pub fn bit_counts<B: Base>() {
    check((one::<B>(), any::<u32>()), |(a, index)| {
        let (expected, bits) = (value(&a), a.len() as u32 * B::BITS);
        for index in [index, index % (bits + 2)] {
            prop_assert_eq!(bits::bit(&a, index), expected.bit(index.into()));
        }
        prop_assert_eq!(u64::from(bits::bit_len(&a)), expected.bits());
        prop_assert_eq!(u64::from(bits::count_ones(&a)), expected.count_ones());
        prop_assert_eq!(
            u64::from(bits::trailing_zeros(&a)),
            expected.trailing_zeros().unwrap_or(bits.into())
        );
        let significant = bits::significant(&a);
        prop_assert!(significant.last().is_none_or(|&top| top != B::ZERO));
        prop_assert_eq!(value(significant), expected);
        Ok(())
    });
}

/// Widths that are no multiple of the limb.
pub fn widths<B: Base>() {
    let operands = (1..9_usize).prop_flat_map(|m| (integer::<B>(m), 0..B::BITS));
    check(operands, |(a, unused)| {
        let bits = a.len() as u32 * B::BITS - unused;
        prop_assert_eq!(bits::limbs_for::<B>(bits), a.len());
        let mut cut = a.clone();
        bits::truncate(&mut cut, bits);
        prop_assert_eq!(value(&cut), value(&a) % (BigUint::one() << bits));
        let signed = signed_value(&cut, bits);
        let mut extended = cut.clone();
        bits::sign_extend(&mut extended, bits);
        prop_assert_eq!(value(&extended), residue(&signed, a.len() as u32 * B::BITS));
        bits::truncate(&mut extended, bits);
        prop_assert_eq!(extended, cut);
        Ok(())
    });
}

/// Products and quotients by one limb.
pub fn limb_operations<B: Base>() {
    check((one::<B>(), limb::<B>(), limb::<B>()), |(a, factor, addend)| {
        let mut acc = a.clone();
        let top = add::mul_add_limb(&mut acc, factor, addend);
        let expected = value(&a) * value(&[factor]) + value(&[addend]);
        prop_assert_eq!(value(&acc) + value(&[top]) * modulus::<B>(a.len()), expected);

        acc.clone_from(&a);
        match div::div_rem_limb(&mut acc, factor) {
            Ok(remainder) => {
                prop_assert!(factor == B::ZERO && a.is_empty() || remainder < factor);
                prop_assert_eq!(value(&acc) * value(&[factor]) + value(&[remainder]), value(&a));
            }
            Err(DivisionByZero) => {
                prop_assert_eq!(factor, B::ZERO);
                prop_assert_eq!(acc, a);
            }
        }
        Ok(())
    });
}

/// `u = q * v + r` with `r < v`, for lengths of every relation; zero divisors are refused.
pub fn divisions<B: Base>() {
    let operands = (0..30_usize, 0..20_usize).prop_flat_map(|(m, n)| (integer::<B>(m), integer::<B>(n)));
    check(operands, |(u, v)| division(&u, &v));
    let related = (1..12_usize).prop_flat_map(|m| integer_pair::<B>(m));
    check(related, |(u, v)| division(&u, &v));
}

/// Divisions in which a quotient digit is estimated too large (Knuth's steps D3 and D6), or at its limit.
pub fn divisions_that_correct<B: Base>() {
    let half = B::ONE << (B::BITS - 1) as usize;
    let (zero, one) = (B::ZERO, B::ONE);
    for len in [3, 4, 6, 7] {
        let ones = vec![B::HIGHEST; len];
        for v in [vec![one, zero, half], vec![one, zero, zero, one], vec![B::HIGHEST, half], vec![zero, half]]
        {
            exact_division(&ones, &v);
        }
    }
    // With 32-bit limbs, 2^192 - 1 by 0x100000000040000000010000000004000 adds back.
    let v = BigUint::new(vec![0x4000, 0x10_0000, 0x400_0000, 0, 1]);
    for v in [v.clone(), v + 1_u32] {
        let u = (BigUint::one() << 192_u32) - 1_u32;
        let len = 256_u32.div_ceil(B::BITS) as usize;
        exact_division::<B>(&limbs(&u, len), &limbs(&v, len));
    }
}

#[track_caller]
fn exact_division<B: Base>(u: &[B], v: &[B]) {
    if let Err(error) = division(u, v) {
        panic!("{u:x?} by {v:x?}: {error}");
    }
}

fn division<B: Base>(u: &[B], v: &[B]) -> Result<(), TestCaseError> {
    let (mut quotient, mut remainder) = (vec![B::HIGHEST; u.len()], vec![B::HIGHEST; v.len()]);
    let result = div::div_rem(&mut quotient, &mut remainder, u, v);
    if value(v).is_zero() {
        prop_assert_eq!(result, Err(DivisionByZero));
        prop_assert!(quotient.iter().chain(&remainder).all(|&limb| limb == B::HIGHEST));
        return Ok(());
    }
    prop_assert_eq!(result, Ok(()));
    prop_assert_eq!(value(&quotient), value(u) / value(v));
    prop_assert_eq!(value(&remainder), value(u) % value(v));
    Ok(())
}
