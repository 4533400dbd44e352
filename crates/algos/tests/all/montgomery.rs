//! Montgomery's reduction against its definition and num-bigint.

use std::ops::Range;

use limbforge_algos::integer::Schoolbook;
use limbforge_algos::integer::modinv2k;
use limbforge_algos::integer::montgomery::{
    FUSED_MOST, fused_mul, negated_inverse, reduce, reduce_by_products,
};
use limbforge_field::reduction::Montgomery;
use limbforge_field::{Reduction, Word};
use limbforge_limb::Base;
use limbforge_limb::slice::sub;
use limbforge_reference::reduction;
use limbforge_reference::sample::thinned;
use limbforge_reference::toy::Toy;
use limbforge_testing::operands::{integer, samples};
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use proptest::prelude::*;

/// Every rung on x mod m B^n.
fn check<B: Base>(modulus: &[B], x: &BigUint) -> Result<(), TestCaseError> {
    let x = x % (value(modulus) << (modulus.len() as u32 * B::BITS));
    reductions(modulus, &x)?;
    products(modulus, &x)
}

/// The reduction of x below m B^n.
fn reductions<B: Base>(modulus: &[B], x: &BigUint) -> Result<(), TestCaseError> {
    let n = modulus.len();
    let m = value(modulus);
    let r = BigUint::from(1_u32) << (n as u32 * B::BITS);
    let wide = limbs::<B>(x, 2 * n);

    let mut out = vec![B::HIGHEST; n];
    reduce(&mut out, &mut wide.clone(), modulus, negated_inverse(modulus[0]));
    let found = value(&out);
    prop_assert!(found < m && (&found * &r) % &m == x % &m, "{modulus:?} {x}: {found} word by word");

    let mut negated = vec![B::ZERO; n];
    modinv2k::lift(&mut negated, modulus, &mut Schoolbook).expect("odd");
    sub::neg_assign(&mut negated);
    let mut by_products = vec![B::HIGHEST; n];
    reduce_by_products(&mut by_products, &mut wide.clone(), modulus, &negated, &mut Schoolbook);
    prop_assert_eq!(&by_products, &out);
    prop_assert_eq!(reduction::montgomery(&wide, modulus), out);
    Ok(())
}

/// The product of two residues that x is made of, and a square.
fn products<B: Base>(modulus: &[B], x: &BigUint) -> Result<(), TestCaseError> {
    let (n, m) = (modulus.len(), value(modulus));
    let (high, low) = (x / &m, x % &m);
    for (a, b) in [(&high % &m, low.clone()), (low.clone(), low), (&m - 1_u32, &m - 1_u32)] {
        let mut out = vec![B::HIGHEST; n];
        let [factor_a, factor_b] = [&a, &b].map(|factor| limbs::<B>(factor, n));
        let is_short = fused_mul(&mut out, &factor_a, &factor_b, modulus, negated_inverse(modulus[0]));
        prop_assert_eq!(is_short, n <= FUSED_MOST);
        if is_short {
            prop_assert_eq!(reduction::montgomery(&limbs::<B>(&(&a * &b), 2 * n), modulus), out);
        }
    }
    Ok(())
}

fn operands<B: Base>(longest: usize) -> impl Strategy<Value = (Vec<B>, Vec<B>)> {
    (1..longest).prop_flat_map(|n| {
        let odd = integer::<B>(n).prop_map(|mut m| {
            m[0] = m[0] | B::ONE;
            m
        });
        (odd, integer(2 * n))
    })
}

proptest! {
    #[test]
    fn u32_reductions((m, x) in operands::<u32>(20)) {
        check(&m, &value(&x))?;
    }

    #[test]
    fn u64_reductions((m, x) in operands::<u64>(20)) {
        check(&m, &value(&x))?;
    }

    #[test]
    fn u128_reductions((m, x) in operands::<u128>(10)) {
        check(&m, &value(&x))?;
    }
}

/// All odd moduli of up to two limbs and all numbers below `m R`.
fn exhaust<const BITS: u32>() {
    for n in [1, 2] {
        for m in (1..1_u32 << (n * BITS)).step_by(2) {
            let modulus = limbs::<Toy<BITS>>(&m.into(), n as usize);
            for x in 0..m << (n * BITS) {
                check(&modulus, &x.into()).expect("a residue");
            }
        }
    }
}

#[test]
fn all_numbers_of_limbs_of_2_bits() {
    exhaust::<2>();
}

/// With R the power of two above the modulus, the numbers below `m R` and 2^14: every so many, for one in seven moduli, for all in a long run.
fn moduli_as_long_as_r(moduli: Range<u32>, step: usize) {
    for m in thinned(moduli.step_by(2), 7) {
        let n = u32::BITS - m.leading_zeros();
        let modulus = limbs::<Toy<1>>(&m.into(), n as usize);
        for x in (0..(m << n).min(1 << 14)).step_by(step) {
            reductions(&modulus, &x.into()).expect("a residue");
        }
    }
}

#[test]
fn moduli_of_up_to_7_bits_as_long_as_r() {
    moduli_as_long_as_r(3..128, 1);
}

#[test]
fn moduli_of_8_bits_as_long_as_r() {
    moduli_as_long_as_r(129..256, 5);
}

#[test]
fn moduli_of_9_bits_as_long_as_r() {
    moduli_as_long_as_r(257..400, 5);
}

/// With `R > 4m`, products of factors below 2m that are not reduced stay below 2m, however many follow each other.
#[test]
fn chains_of_products_without_subtractions() {
    fn chains<W: Word>(moduli: &[u64], reduction: impl Fn(u64) -> Montgomery<W>) {
        for &m in moduli {
            let (reduction, r) = (reduction(m), BigUint::from(1_u32) << W::BITS);
            let word = |x: u64| W::from_word(x);
            for start in [0, 1, m - 1, m, 2 * m - 1, 0x9e37_79b9_7f4a_7c15 % (2 * m)] {
                let (mut a, mut b) = (start, 2 * m - 1);
                for _ in 0..30 {
                    let product = reduction.mul_lazy(word(a), word(b)).low_word();
                    assert!(product < 2 * m, "{a} {b} modulo {m}");
                    assert_eq!(
                        BigUint::from(product) * &r % m,
                        BigUint::from(a) * b % m,
                        "{a} {b} modulo {m}"
                    );
                    (a, b) = (b, product);
                }
            }
        }
    }
    let below = |top: u64| (top - 200..top).step_by(2).map(|m| m + 1);
    let small = || (3..400).step_by(2);
    let halves: Vec<u64> = small().chain(below(1 << 29)).chain(below(1 << 30)).collect();
    chains::<u32>(&halves, |m| Montgomery::<u32>::new(m as u32));
    let words: Vec<u64> = small().chain(below(1 << 61)).chain(below(1 << 62)).collect();
    chains::<u64>(&words, Montgomery::<u64>::new);
}

/// As above on limbs, where a subtraction follows: a product of factors below 2m is below `m R`.
#[test]
fn factors_that_are_not_reduced() {
    fn check_factors<B: Base>(longest: usize) {
        for [m, a, b] in samples((1..longest).prop_flat_map(|n| [(); 3].map(|()| integer::<B>(n))), 500) {
            let n = m.len();
            let odd = (value(&m) >> 2_u32) | BigUint::from(1_u32);
            let [a, b] = [value(&a), value(&b)].map(|factor| factor % (&odd * 2_u32));
            let most = &odd * 2_u32 - 1_u32;
            for x in [&a * &b, &a * &most, &most * &most] {
                reductions(&limbs::<B>(&odd, n), &x).expect("a residue");
            }
        }
    }
    check_factors::<Toy<3>>(12);
    check_factors::<u32>(12);
    check_factors::<u64>(12);
}

/// The largest product there is, and the modulus for which the sum leaves 2n limbs.
#[test]
fn extremes() {
    for n in 1..20 {
        let mut modulus = vec![u64::MAX; n];
        let m = value(&modulus);
        check(&modulus, &((&m - 1_u32) * (&m - 1_u32))).expect("a residue");
        check(&modulus, &((&m << (64 * n)) - 1_u32)).expect("a residue");
        modulus[0] = 1;
        check(&modulus, &((value(&modulus) << (64 * n)) - 1_u32)).expect("a residue");
    }
}
