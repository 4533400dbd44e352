//! Montgomery's reduction against its definition and num-bigint.

#![allow(clippy::expect_used, reason = "helpers of tests fail as tests do")]

use limbforge_algos::div::Schoolbook;
use limbforge_algos::modinv2k;
use limbforge_algos::montgomery::{fused, naive, negated_inverse, reduce, reduce_by_products};
use limbforge_limb::Base;
use limbforge_limb::slice::sub;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use limbforge_testing::toy::Toy;
use num_bigint::BigUint;
use proptest::prelude::*;

/// Every rung on x mod m B^n.
fn check<B: Base>(modulus: &[B], x: &BigUint) -> Result<(), TestCaseError> {
    let n = modulus.len();
    let m = value(modulus);
    let x = x % (&m << (n as u32 * B::BITS));
    let r = BigUint::from(1_u32) << (n as u32 * B::BITS);
    let wide = limbs::<B>(&x, 2 * n);

    let mut out = vec![B::HIGHEST; n];
    reduce(&mut out, &mut wide.clone(), modulus, negated_inverse(modulus[0]));
    let found = value(&out);
    prop_assert!(found < m && (&found * &r) % &m == &x % &m, "{modulus:?} {x}: {found} word by word");

    let mut negated = vec![B::ZERO; n];
    modinv2k::lift(&mut negated, modulus, &mut Schoolbook).expect("odd");
    sub::neg_assign(&mut negated);
    let mut by_products = vec![B::HIGHEST; n];
    reduce_by_products(&mut by_products, &mut wide.clone(), modulus, &negated, &mut Schoolbook);
    prop_assert_eq!(&by_products, &out);
    prop_assert_eq!(naive::reduce(&wide, modulus), out);
    products(modulus, &x)
}

/// The product of two residues that x is made of, and a square.
fn products<B: Base>(modulus: &[B], x: &BigUint) -> Result<(), TestCaseError> {
    let (n, m) = (modulus.len(), value(modulus));
    let (high, low) = (x / &m, x % &m);
    for (a, b) in [(&high % &m, low.clone()), (low.clone(), low), (&m - 1_u32, &m - 1_u32)] {
        let mut out = vec![B::HIGHEST; n];
        let [factor_a, factor_b] = [&a, &b].map(|factor| limbs::<B>(factor, n));
        let is_short = fused::mul(&mut out, &factor_a, &factor_b, modulus, negated_inverse(modulus[0]));
        prop_assert_eq!(is_short, n <= fused::MOST);
        if is_short {
            prop_assert_eq!(naive::reduce(&limbs::<B>(&(&a * &b), 2 * n), modulus), out);
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
