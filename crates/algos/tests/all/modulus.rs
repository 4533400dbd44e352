//! Moduli with precomputed values against num-bigint.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::modinv::ModInvError;
use limbforge_algos::integer::modulus::{Barrett, EvenModulus, Montgomery};
use limbforge_limb::{Base, DivisionByZero};
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::prelude::*;

/// Numbers a and b of any length, an exponent, and a modulus.
type Case<B> = ([Vec<B>; 3], Vec<B>);

/// The results of `operations` of a modulus on the residues of a and b, as numbers.
fn expected<B: Base>([a, b, e]: &[Vec<B>; 3], m: &BigUint) -> (Vec<BigUint>, Option<BigUint>) {
    let (a, b) = (value(a) % m, value(b) % m);
    let inverse = if m.is_one() { Some(BigUint::zero()) } else { a.modinv(m) };
    let results = vec![
        a.clone(),
        (&a + &b) % m,
        (&a + m - &b) % m,
        (&a * &b) % m,
        (&a * &a) % m,
        a.modpow(&value(e), m),
    ];
    (results, inverse)
}

/// The results of `$modulus` as numbers, and the inverse.
macro_rules! operations {
    ($modulus:expr, $x:expr, $y:expr, $e:expr, $scratch:expr, $number:expr) => {{
        let (modulus, x, y, scratch) = (&$modulus, $x, $y, &mut *$scratch);
        let out = || vec![B::HIGHEST; modulus.limbs()];
        let (mut sum, mut difference, mut product) = (out(), out(), out());
        let (mut square, mut power, mut inverse) = (out(), out(), out());
        modulus.add(&mut sum, x, y);
        modulus.sub(&mut difference, x, y);
        modulus.mul(&mut product, x, y, scratch);
        modulus.sqr(&mut square, x, scratch);
        modulus.pow(&mut power, x, $e, scratch);
        let invertible = modulus.inverse(&mut inverse, x, scratch);
        let all = [x.to_vec(), sum, difference, product, square, power];
        let inverse = match invertible {
            Ok(()) => Some($number(&inverse, scratch)),
            Err(error) => {
                assert_eq!(error, ModInvError::NotCoprime);
                None
            }
        };
        (all.iter().map(|x| $number(x, scratch)).collect::<Vec<_>>(), inverse)
    }};
}

fn check<B: Base>((numbers, m): &Case<B>, scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let [a, b, e] = numbers;
    let (modulus, odd) = (Barrett::new(m), Montgomery::new(m));
    let n = value(m);
    if n.is_zero() {
        prop_assert_eq!(modulus, Err(DivisionByZero));
        prop_assert_eq!(odd, Err(EvenModulus));
        return Ok(());
    }
    let expected = expected(numbers, &n);
    let modulus = modulus.expect("not zero");
    let (mut x, mut y) = (vec![B::HIGHEST; m.len()], vec![B::HIGHEST; m.len()]);
    modulus.reduce(&mut x, a, scratch);
    modulus.reduce(&mut y, b, scratch);
    let found = operations!(modulus, &x, &y, e, scratch, |x: &[B], _: &mut Scratch| value(x));
    prop_assert_eq!(&found, &expected, "Barrett");

    if !n.bit(0) {
        prop_assert_eq!(odd, Err(EvenModulus));
        return Ok(());
    }
    let odd = odd.expect("odd");
    odd.enter(&mut x, a, scratch);
    odd.enter(&mut y, b, scratch);
    let leave = |x: &[B], scratch: &mut Scratch| {
        let mut out = vec![B::HIGHEST; x.len()];
        odd.leave(&mut out, x, scratch);
        value(&out)
    };
    let found = operations!(odd, &x, &y, e, scratch, leave);
    prop_assert_eq!(&found, &expected, "Montgomery");
    odd.one(&mut x);
    prop_assert_eq!(leave(&x, scratch), BigUint::one() % n);
    Ok(())
}

fn operands<B: Base>(longest: usize) -> impl Strategy<Value = Case<B>> {
    (1..longest, 0..longest, 0..2 * longest).prop_flat_map(|(n, e, long)| {
        let modulus = (integer(n), 0..n, 0..3).prop_map(|(mut m, cut, kind): (Vec<B>, _, _)| {
            // As it comes, odd, short.
            if kind > 0 {
                m[0] = m[0] | B::ONE;
            }
            if kind > 1 {
                m[cut + 1..].fill(B::ZERO);
            }
            m
        });
        ((integer(long), integer(n), integer(e.min(3))), modulus).prop_map(|((a, b, e), m)| ([a, b, e], m))
    })
}

proptest! {
    #[test]
    fn u32_equals_num_bigint(case in operands::<u32>(24)) {
        check(&case, &mut Scratch::default())?;
    }

    #[test]
    fn u64_equals_num_bigint(case in operands::<u64>(12)) {
        check(&case, &mut Scratch::default())?;
    }

    #[test]
    fn u128_equals_num_bigint(case in operands::<u128>(6)) {
        check(&case, &mut Scratch::default())?;
    }
}

#[test]
fn all_small_numbers() {
    let mut scratch = Scratch::default();
    for m in 0..24_u32 {
        for a in 0..30 {
            for b in 0..30 {
                check(&([vec![a], vec![b], vec![b]], vec![m]), &mut scratch).expect("residues");
            }
        }
    }
}

/// Lengths whose products are transforms, on both sides of the border to reduction by products.
#[test]
fn long_moduli() {
    let mut scratch = Scratch::default();
    for len in [100, 135, 136, 300] {
        let number = |seed: u64| -> Vec<u64> {
            (1..=len).map(|i: u64| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)).collect()
        };
        let ones = vec![u64::MAX; len as usize];
        for mut modulus in [number(1), ones.clone()] {
            for parity in [0, 1] {
                modulus[0] = modulus[0] & !1 | parity;
                let a = [number(2), number(3)].concat();
                check(&([a, ones.clone(), vec![0b1011]], modulus.clone()), &mut scratch).expect("residues");
            }
        }
    }
}

/// `B^(n-1)`, whose reciprocal has a limb more than all others.
#[test]
fn powers_of_the_base() {
    let mut scratch = Scratch::default();
    for n in 1..6 {
        let modulus = limbs::<u64>(&(BigUint::one() << (64 * n)), n + 2);
        let a = vec![u64::MAX; n + 2];
        check(&([a.clone(), a, vec![5]], modulus), &mut scratch).expect("residues");
    }
}
