//! Number theory on `Uint` and `Int` against num-bigint and definitions, at every limb, and moduli of
//! numbers.

use limbforge_algos::integer::modinv::ModInvError;
use limbforge_algos::integer::modulus::{EvenModulus, Modulus, OddModulus};
use limbforge_algos::integer::root::ZeroDegree;
use limbforge_algos::{NumberTheory, RootError};
use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::typenum::{U1, U2, U3, U5, U9};
use limbforge_limb::{Base, DivisionByZero, FixedInt, I256, Int, U256, U512, Uint};
use limbforge_testing::operands;
use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseResult, TestRunner};

/// Fewer cases than suites of cheap operations have.
#[track_caller]
fn check<S: Strategy>(strategy: S, property: impl Fn(S::Value) -> TestCaseResult) {
    let mut runner = TestRunner::new(Config { failure_persistence: None, cases: 200, ..Config::default() });
    if let Err(error) = runner.run(&strategy, property) {
        panic!("{error}\n{runner}");
    }
}

/// Numbers that are likely to break arithmetic, short ones among them.
fn number<T: FixedInt>() -> impl Strategy<Value = T> {
    let m = T::TYPE.limbs::<T::Limb>();
    (operands::integer(m), prop_oneof![2 => Just(T::TYPE.bits()), 1 => 0..=T::TYPE.bits()], any::<bool>())
        .prop_map(|(limbs, bits, negative): (Vec<T::Limb>, _, _)| {
            let mut magnitude = Uint::<T::Limb, T::Len>::zero();
            magnitude.as_limbs_mut().copy_from_slice(&limbs);
            let short = magnitude >> (T::TYPE.bits() - bits);
            T::from_sign_and_magnitude(negative && T::TYPE.is_signed(), short)
        })
}

fn big(number: &impl FixedInt) -> BigInt {
    let sign = if number.is_negative() { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, number.unsigned_abs().into())
}

/// The residue of a value in the range of a type.
fn wrapped<T: FixedInt>(value: &BigInt) -> BigInt {
    let modulus = BigInt::one() << T::TYPE.bits();
    let residue = ((value % &modulus) + &modulus) % &modulus;
    let is_high = residue.bit(u64::from(T::TYPE.bits()) - 1);
    if T::TYPE.is_signed() && is_high { residue - modulus } else { residue }
}

/// `value mod |m|` in `0..|m|`.
fn residue(value: &BigInt, m: &BigInt) -> BigInt {
    ((value % m) + m.abs()) % m.abs()
}

fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn divisors<T: NumberTheory>() {
    check((number::<T>(), number::<T>(), number::<T>(), 0..3_u8), |(a, b, c, common)| {
        // Often with a common divisor.
        let [a, b] = if common == 0 {
            [T::from_sign_and_magnitude(false, a.unsigned_abs() * c.unsigned_abs()), c]
        } else {
            [a, b]
        };
        let (x, y) = (big(&a), big(&b));
        let divisor = gcd(&x, &y);
        prop_assert_eq!(big(&a.gcd(&b)), wrapped::<T>(&divisor));
        let multiple = if divisor.is_zero() { BigInt::zero() } else { x.abs() / &divisor * y.abs() };
        prop_assert_eq!(big(&a.lcm(&b)), wrapped::<T>(&multiple));
        let fits = wrapped::<T>(&multiple) == multiple;
        prop_assert_eq!(a.checked_lcm(&b).map(|lcm| big(&lcm)), fits.then_some(multiple));
        let found = a.xgcd(&b);
        prop_assert_eq!(big(&found.gcd), wrapped::<T>(&divisor));
        let (u, v) = (big(&found.x), big(&found.y));
        prop_assert_eq!(&u * &x + &v * &y, divisor.clone());
        let two = BigInt::from(2);
        prop_assert!(u.abs() * &two * &divisor <= y.abs().max(&two * &divisor));
        prop_assert!(v.abs() * &two * &divisor <= x.abs().max(&two * &divisor));
        Ok(())
    });
}

fn residues<T: NumberTheory>() {
    let exponents = number::<Uint<T::Limb, T::Len>>();
    check((number::<T>(), number::<T>(), number::<T>(), exponents), |(a, b, m, e)| {
        let (x, y, n, k) = (big(&a), big(&b), big(&m), big(&e));
        if n.is_zero() {
            prop_assert_eq!(a.add_mod(&b, &m), Err(DivisionByZero));
            prop_assert_eq!(a.sub_mod(&b, &m), Err(DivisionByZero));
            prop_assert_eq!(a.mul_mod(&b, &m), Err(DivisionByZero));
            prop_assert_eq!(a.pow_mod(&e, &m), Err(DivisionByZero));
            prop_assert_eq!(a.mod_inverse(&m), Err(ModInvError::Zero(DivisionByZero)));
            return Ok(());
        }
        prop_assert_eq!(big(&a.add_mod(&b, &m).unwrap()), residue(&(&x + &y), &n));
        prop_assert_eq!(big(&a.sub_mod(&b, &m).unwrap()), residue(&(&x - &y), &n));
        prop_assert_eq!(big(&a.mul_mod(&b, &m).unwrap()), residue(&(&x * &y), &n));
        prop_assert_eq!(big(&a.pow_mod(&e, &m).unwrap()), x.modpow(&k, &n.abs()));
        match a.mod_inverse(&m) {
            Ok(inverse) => {
                let inverse = big(&inverse);
                prop_assert!(!inverse.is_negative() && inverse < n.abs());
                prop_assert_eq!(residue(&(&inverse * &x), &n), residue(&BigInt::one(), &n));
            }
            Err(error) => prop_assert!(error == ModInvError::NotCoprime && !gcd(&x, &n).is_one()),
        }
        Ok(())
    });
}

fn roots<T: NumberTheory>() {
    check((number::<T>(), 0..9_u32, 0..3_u8), |(a, k, power)| {
        // Often a power.
        let a = match power {
            0 => a,
            _ => {
                let base = a.unsigned_abs() >> (T::TYPE.bits() - T::TYPE.bits() / k.max(1));
                T::from_sign_and_magnitude(a.is_negative() && k % 2 == 1, base.pow(k))
            }
        };
        let x = big(&a);
        let expected = match (k, x.is_negative()) {
            (0, _) => Err(RootError::Degree(ZeroDegree)),
            (_, true) if k % 2 == 0 => Err(RootError::Negative),
            (_, true) => {
                let root = -x.magnitude().nth_root(k).clone().into_signed();
                Ok(if root.pow(k) == x { root } else { root - 1 })
            }
            (_, false) => Ok(x.nth_root(k)),
        };
        prop_assert_eq!(a.root(k).map(|root| big(&root)), expected);
        prop_assert_eq!(a.checked_isqrt().map(|root| big(&root)), (!x.is_negative()).then(|| x.sqrt()));
        prop_assert_eq!(a.is_square(), !x.is_negative() && x.sqrt().pow(2) == x);
        let is_power = (2..=T::TYPE.bits().max(2)).any(|k| {
            let root = x.magnitude().nth_root(k).into_signed();
            let root = if x.is_negative() { -root } else { root };
            (k % 2 == 1 || !x.is_negative()) && root.pow(k) == x
        });
        prop_assert_eq!(a.is_perfect_power(), is_power);
        Ok(())
    });
}

/// num-bigint's unsigned root as a signed number.
trait IntoSigned {
    fn into_signed(self) -> BigInt;
}

impl IntoSigned for num_bigint::BigUint {
    fn into_signed(self) -> BigInt {
        self.into()
    }
}

/// `(a / n)` for odd n, by Euler's criterion over the factors of a small n.
fn jacobi_by_definition(a: i64, n: i64) -> i8 {
    let (mut symbol, mut rest, mut p) = (1, n, 3);
    while rest > 1 {
        if rest % p == 0 {
            let residue = a.rem_euclid(p);
            symbol *= match residue {
                0 => 0,
                _ if (1..p).any(|x| x * x % p == residue) => 1,
                _ => -1,
            };
            rest /= p;
        } else {
            p += 2;
        }
    }
    symbol
}

/// Whether n is a strong probable prime to the base, by the definition.
fn is_strong(n: i64, base: i64) -> bool {
    if n < 2 || n % 2 == 0 {
        return n == 2;
    }
    let (n, base) = (i128::from(n), i128::from(base).rem_euclid(n.into()));
    let s = (n - 1).trailing_zeros();
    let pow = |e: i128| BigInt::from(base).modpow(&BigInt::from(e), &BigInt::from(n));
    let d = (n - 1) >> s;
    base == 0 || pow(d).is_one() || (0..s).any(|r| pow(d << r) == BigInt::from(n - 1))
}

fn tests<T: NumberTheory>() {
    let new = |value: i64| T::from_sign_and_magnitude(value < 0, Uint::wrapping_from(value.unsigned_abs()));
    let low = if T::TYPE.is_signed() { -400 } else { 0 };
    check((low..4000_i64, low..400_i64), |(n, a)| {
        let is_prime = n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0);
        prop_assert_eq!(new(n).is_prime(), is_prime);
        prop_assert_eq!(new(n).is_strong_probable_prime(&new(a)), is_strong(n, a));
        let symbol = new(a).jacobi(&new(n));
        prop_assert_eq!(symbol.ok(), (n % 2 != 0).then(|| jacobi_by_definition(a, n.abs())));
        Ok(())
    });
}

fn moduli<B: Base, N: ArrayLength>() {
    type T<B, N> = Uint<B, N>;
    let wide = number::<Int<B, U9>>();
    check((number::<T<B, N>>(), number::<T<B, N>>(), number::<T<B, N>>(), wide), |(a, b, m, w)| {
        let (x, y, n, z) = (big(&a), big(&b), big(&m), big(&w));
        let Ok(modulus) = Modulus::new(&m) else {
            prop_assert!(m.is_zero());
            return Ok(());
        };
        let exponent = w.unsigned_abs();
        let inverse = modulus.inv(&a).map(|inverse| big(&inverse));
        prop_assert_eq!(modulus.modulus(), &m);
        prop_assert_eq!(big(&modulus.reduce(&w)), residue(&z, &n));
        prop_assert_eq!(big(&modulus.add(&a, &b)), residue(&(&x + &y), &n));
        prop_assert_eq!(big(&modulus.sub(&a, &b)), residue(&(&x - &y), &n));
        prop_assert_eq!(big(&modulus.neg(&a)), residue(&-&x, &n));
        prop_assert_eq!(big(&modulus.mul(&a, &b)), residue(&(&x * &y), &n));
        prop_assert_eq!(big(&modulus.sqr(&a)), residue(&(&x * &x), &n));
        prop_assert_eq!(big(&modulus.pow(&a, &exponent)), x.modpow(&z.abs(), &n));
        prop_assert_eq!(inverse.clone().ok(), a.mod_inverse(&m).ok().map(|inverse| big(&inverse)));

        let Ok(odd) = OddModulus::new(&m) else {
            prop_assert!(m.is_even());
            return Ok(());
        };
        let (r, s) = (odd.enter(&a), odd.enter(&b));
        prop_assert_eq!(big(&odd.leave(&odd.enter(&w))), residue(&z, &n));
        prop_assert_eq!(big(&odd.leave(&odd.one())), residue(&BigInt::one(), &n));
        prop_assert_eq!(big(&odd.leave(&odd.add(&r, &s))), residue(&(&x + &y), &n));
        prop_assert_eq!(big(&odd.leave(&odd.sub(&r, &s))), residue(&(&x - &y), &n));
        prop_assert_eq!(big(&odd.leave(&odd.neg(&r))), residue(&-&x, &n));
        prop_assert_eq!(big(&odd.leave(&odd.mul(&r, &s))), residue(&(&x * &y), &n));
        prop_assert_eq!(odd.sqr(&r), odd.mul(&r, &r));
        prop_assert_eq!(big(&odd.leave(&odd.pow(&r, &exponent))), x.modpow(&z.abs(), &n));
        prop_assert_eq!(odd.inv(&r).map(|inverse| big(&odd.leave(&inverse))), inverse);
        Ok(())
    });
}

macro_rules! of {
    ($($name:ident: $suite:ident<$($ty:ty),+>;)*) => {$(
        #[test]
        fn $name() {
            $suite::<$($ty),+>();
        }
    )*};
}

of! {
    divisors_of_u96: divisors<Uint<u32, U3>>;
    divisors_of_u64: divisors<Uint<u64, U1>>;
    divisors_of_i192: divisors<Int<u64, U3>>;
    divisors_of_i256: divisors<Int<u128, U2>>;
    residues_of_u160: residues<Uint<u32, U5>>;
    residues_of_u192: residues<Uint<u64, U3>>;
    residues_of_u128: residues<Uint<u128, U1>>;
    residues_of_i32: residues<Int<u32, U1>>;
    residues_of_i128: residues<Int<u64, U2>>;
    roots_of_u96: roots<Uint<u32, U3>>;
    roots_of_u128: roots<Uint<u128, U1>>;
    roots_of_i64: roots<Int<u64, U1>>;
    roots_of_i160: roots<Int<u32, U5>>;
    tests_of_u96: tests<Uint<u32, U3>>;
    tests_of_i32: tests<Int<u32, U1>>;
    tests_of_i128: tests<Int<u128, U1>>;
    moduli_of_u96: moduli<u32, U3>;
    moduli_of_u128: moduli<u64, U2>;
    moduli_of_u256: moduli<u128, U2>;
}

/// The corners that no random operands find.
#[test]
fn smallest_signed_numbers_wrap_as_expressions_do() {
    let min = I256::min_value();
    assert_eq!((min.gcd(&min), min.gcd(&I256::ZERO)), (min, min));
    assert_eq!((min.lcm(&I256::ONE), min.checked_lcm(&I256::ONE)), (min, None));
    let found = min.xgcd(&min);
    assert_eq!((found.gcd, found.x * min + found.y * min), (min, min));
    assert_eq!(I256::from(-1).add_mod(&I256::ZERO, &min).unwrap(), I256::max_value());
    assert_eq!(I256::from(-3).pow_mod(&U256::ONE, &min).unwrap(), I256::max_value() - 2);
    assert_eq!(min.checked_isqrt(), None);
    assert!(min.is_perfect_power() && !min.is_prime());
    assert_eq!(U256::ZERO.xgcd(&U256::ZERO).gcd, 0);
    assert_eq!(U256::ONE.mod_inverse(&U256::ONE), Ok(U256::ZERO));
    assert_eq!(OddModulus::new(&U256::ZERO), Err(EvenModulus));
}

#[test]
#[should_panic(expected = "square root of a negative number")]
fn the_square_root_of_a_negative_number_panics_as_std_does() {
    let _ = I256::from(-1).isqrt();
}

/// The last modulus is kept between calls: another one in between must not change results.
#[test]
fn powers_by_turns_modulo_several_numbers() {
    let moduli = [U512::MAX, U512::MAX - 1, U512::from(97_u8), U512::MAX >> 256];
    let (a, e) = (U512::MAX / 3, U512::from(65537_u32));
    for m in moduli.iter().cycle().take(12) {
        assert_eq!(big(&a.pow_mod(&e, m).unwrap()), big(&a).modpow(&big(&e), &big(m)));
    }
}
