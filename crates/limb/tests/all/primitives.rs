//! `Uint` and `Int` with primitive integers, constants and powers: against num-bigint.

use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::typenum::{U1, U2, U3, U5};
use limbforge_limb::{Base, FixedInt, I256, Int, IntM, Primitive, U256, U512, Uint, UintM, Width};
use limbforge_testing::check::check;
use limbforge_testing::operands;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use proptest::prelude::*;

fn number<T: FixedInt>() -> impl Strategy<Value = T> {
    operands::integer(T::TYPE.limbs::<T::Limb>()).prop_map(|limbs| {
        let mut number = T::default();
        number.as_limbs_mut().copy_from_slice(&limbs);
        number
    })
}

/// The value of a number, by its text.
fn big(number: &impl FixedInt) -> BigInt {
    number.to_string().parse().unwrap()
}

/// The residue of a value in the range of a type.
fn wrapped<T: FixedInt>(value: &BigInt) -> BigInt {
    let modulus = BigInt::one() << T::TYPE.bits();
    let residue = ((value % &modulus) + &modulus) % &modulus;
    let is_high = residue.bit(u64::from(T::TYPE.bits()) - 1);
    if T::TYPE.is_signed() && is_high { residue - modulus } else { residue }
}

fn edges() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        (0..128_u32, -1..=1_i8).prop_map(|(k, d)| (1_u128 << k).wrapping_add_signed(d.into())),
        any::<u64>().prop_map(u128::from),
        0..9_u128,
    ]
}

macro_rules! mixed {
    ($name:ident: $Type:ident) => {
        /// All operators and comparisons with one primitive type, of any width.
        fn $name<B: Base, N: ArrayLength, P>(new: fn(u128) -> P)
        where
            P: Primitive
                + Into<BigInt>
                + std::ops::Add<$Type<B, N>, Output = $Type<B, N>>
                + std::ops::Sub<$Type<B, N>, Output = $Type<B, N>>
                + for<'a> std::ops::Mul<&'a $Type<B, N>, Output = $Type<B, N>>,
        {
            type T<B, N> = $Type<B, N>;
            check((number::<T<B, N>>(), edges()), move |(a, raw)| {
                let (p, x): (P, BigInt) = (new(raw), big(&a));
                let y: BigInt = p.into();
                let expect = |value: BigInt| wrapped::<T<B, N>>(&value);
                prop_assert_eq!(big(&(&a + p)), expect(&x + &y));
                prop_assert_eq!(big(&(&a - p)), expect(&x - &y));
                prop_assert_eq!(big(&(&a * p)), expect(&x * &y));
                prop_assert_eq!(big(&(p + a.clone())), expect(&x + &y));
                prop_assert_eq!(big(&(p - a.clone())), expect(&y - &x));
                prop_assert_eq!(big(&(p * &a)), expect(&x * &y));
                prop_assert_eq!(big(&(&a & p)), expect(&x & &y));
                prop_assert_eq!(big(&(&a | p)), expect(&x | &y));
                prop_assert_eq!(big(&(&a ^ p)), expect(&x ^ &y));
                if !y.is_zero() {
                    prop_assert_eq!(big(&(&a / p)), expect(&x / &y));
                    prop_assert_eq!(big(&(&a % p)), expect(&x % &y));
                }
                let mut b = a.clone();
                b += p;
                b *= p;
                b -= p;
                prop_assert_eq!(big(&b), expect((&x + &y) * &y - &y));
                prop_assert_eq!(a == p, x == y);
                prop_assert_eq!(a.partial_cmp(&p), Some(x.cmp(&y)));
                let fits = expect(y.clone()) == y;
                prop_assert_eq!(T::<B, N>::from_primitive(p).ok().map(|a| big(&a)), fits.then(|| y.clone()));
                prop_assert_eq!(big(&T::<B, N>::wrapping_from(p)), expect(y));
                Ok(())
            });
        }
    };
}

mixed!(unsigned: Uint);
mixed!(signed: Int);

#[test]
fn uint_with_primitives() {
    unsigned::<u32, U1, _>(|raw| raw as u64);
    unsigned::<u32, U3, _>(|raw| raw as i32);
    unsigned::<u64, U1, _>(|raw| raw as i128);
    unsigned::<u64, U3, _>(|raw| raw);
    unsigned::<u128, U1, _>(|raw| raw as i64);
}

#[test]
fn int_with_primitives() {
    signed::<u32, U1, _>(|raw| raw as i128);
    signed::<u32, U5, _>(|raw| raw as u8);
    signed::<u64, U2, _>(|raw| raw);
    signed::<u64, U3, _>(|raw| raw as i64);
    signed::<u128, U1, _>(|raw| raw as i128);
}

/// Literals need no suffix, `Copy` numbers are not used up, and both orders of operands compile.
#[test]
fn literals_and_copies() {
    let a = U256::from(10_u64);
    let sum: U256 = a + 1 + 2 * a - 3_u8;
    assert_eq!((sum / 4, sum % 4, a), (U256::from(7_u8), U256::zero(), U256::from(10_usize)));
    assert_eq!([a, a].iter().sum::<U256>() + [1_u64, 2].into_iter().sum::<U256>(), 23);
    assert_eq!([a, a].into_iter().product::<U256>(), 100);
    assert!(a > 9 && a < 11 && a != -10 && 1 - a + a == 1);
    let b = -I256::from(7);
    assert!(b == -7 && b / 2 == -3 && b % 2 == -1 && b < 0 && b > i128::MIN);
    assert_eq!(U256::from(u128::MAX).to_words64(), [u64::MAX, u64::MAX, 0, 0]);
    assert_eq!(I256::from(i128::MIN).to_string(), i128::MIN.to_string());
}

#[test]
#[should_panic(expected = "division by zero")]
fn dividing_by_a_primitive_zero_panics_as_std_does() {
    let _ = U256::one() % 0;
}

/// Constants are what `parse` reads at run time.
#[test]
fn constants_are_their_texts() {
    const DECIMAL: &str = "115792089237316195423570985008687907853269984665640564039457584007908834671663";
    const PRIME: U256 = U256::from_str_const(DECIMAL);
    const HEX: U256 =
        U256::from_str_const("0xffffffff_ffffffff_ffffffff_ffffffff_ffffffff_ffffffff_fffffffe_fffffc2f");
    const LOWEST: IntM<u32, 3> = IntM::<u32, 3>::from_str_const("-39614081257132168796771975168");
    const WIDE: UintM<u128, 2> = UintM::<u128, 2>::from_str_const("0x1_0000000000000000_0000000000000000");
    assert_eq!((PRIME, PRIME), (DECIMAL.parse().unwrap(), HEX));
    assert_eq!(LOWEST, Int::min_value());
    assert_eq!(WIDE, Uint::one() << 128);
    assert_eq!((U512::ZERO, U512::ONE, U512::MAX), (Uint::zero(), Uint::one(), Uint::max_value()));
    assert_eq!(I256::from_str_const("-0"), I256::ZERO);
    assert_eq!((I256::MIN, I256::MAX), (Int::min_value(), Int::max_value()));
    assert_eq!((IntM::<u128, 3>::MIN, IntM::<u32, 1>::MAX), (Int::min_value(), Int::max_value()));
}

macro_rules! refuse {
    ($($name:ident: $value:expr, $message:literal;)*) => {$(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            let _ = $value;
        }
    )*};
}

refuse! {
    no_digits: U256::from_str_const("0x"), "no digits";
    empty_text: I256::from_str_const("-"), "no digits";
    sign_of_unsigned: U256::from_str_const("-1"), "expected a decimal number";
    hex_without_prefix: U256::from_str_const("ff"), "expected a decimal number";
    misplaced_underscore: U256::from_str_const("1__0"), "between digits";
    trailing_underscore: U256::from_str_const("1_"), "between digits";
    too_wide: UintM::<u32, 1>::from_str_const("4294967296"), "does not fit";
    too_large: IntM::<u32, 1>::from_str_const("2147483648"), "does not fit";
    too_small: IntM::<u32, 1>::from_str_const("-2147483649"), "does not fit";
}

macro_rules! forms {
    ($name:ident: $Type:ident) => {
        fn $name<B: Base, N: ArrayLength>() {
            type T<B, N> = $Type<B, N>;
            let bits = T::<B, N>::BITS;
            check(
                (number::<T<B, N>>(), number::<T<B, N>>(), any::<u8>(), 2..=36_u32),
                move |(a, b, e, radix)| {
                    let (x, y) = (big(&a), big(&b));
                    let power = x.pow(e.into());
                    prop_assert_eq!(big(&a.pow(e.into())), wrapped::<T<B, N>>(&power));
                    let small = T::<B, N>::wrapping_from(e % 11) - 5;
                    let power = big(&small).pow(u32::from(40 + e % 100));
                    let fits = wrapped::<T<B, N>>(&power) == power;
                    prop_assert_eq!(
                        small.checked_pow(u32::from(40 + e % 100)).map(|p| big(&p)),
                        fits.then_some(power)
                    );
                    prop_assert_eq!(
                        BigInt::from(BigUint::from(a.abs_diff(&b))),
                        BigInt::from((&x - &y).magnitude().clone())
                    );
                    prop_assert_eq!((a.is_even(), a.is_odd()), (!x.bit(0), x.bit(0)));
                    let digits = a.to_string_radix(radix).unwrap();
                    prop_assert_eq!(&digits, &x.to_str_radix(radix));
                    prop_assert_eq!(T::from_str_radix(&digits, radix), Ok(a.clone()));
                    prop_assert_eq!(T::from_words64(&a.to_words64()).ok(), Some(a.clone()));
                    let index = u32::from(e) % (bits + 5);
                    let mut c = a.clone();
                    c.set_bit(index, !a.bit(index));
                    let flipped = if index < bits { (T::<B, N>::one() << index) ^ &a } else { a.clone() };
                    prop_assert_eq!(c, flipped);
                    Ok(())
                },
            );
        }
    };
}

forms!(forms_of_uint: Uint);
forms!(forms_of_int: Int);

#[test]
fn forms_of_both_types() {
    forms_of_uint::<u32, U3>();
    forms_of_uint::<u64, U2>();
    forms_of_int::<u32, U2>();
    forms_of_int::<u128, U1>();
}

#[test]
fn words_beyond_the_number_must_be_its_sign() {
    assert_eq!(UintM::<u32, 1>::from_words64(&[7, 0]), Ok(7_u8.into()));
    assert_eq!(UintM::<u32, 1>::from_words64(&[1 << 32]).unwrap_err().needed, 33);
    assert_eq!(IntM::<u32, 1>::from_words64(&[u64::MAX - 1]), Ok((-2).into()));
    assert!(IntM::<u32, 1>::from_words64(&[u64::MAX - 1, 0]).is_err());
}

/// One bound is enough for generic code with full products.
#[test]
fn width_is_the_one_bound() {
    fn dot<B: Base, N: Width>(a: &[Uint<B, N>], b: &[Uint<B, N>]) -> Uint<B, N::Double> {
        a.iter().zip(b).map(|(a, b)| a.wide_mul(b)).sum()
    }
    let a = [U256::MAX, U256::from(3_u8)];
    assert_eq!(dot(&a, &[1, 2].map(U256::wrapping_from)), U512::one().wrapping_shl(256) + 5);
}
