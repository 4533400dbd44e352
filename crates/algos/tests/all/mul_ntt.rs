//! The product by number-theoretic transforms against num-bigint.

use limbforge_algos::cpu;
use limbforge_algos::expr::Expr;
use limbforge_algos::transform::mul_ntt::{self, Scratch};
use limbforge_limb::slice::mul::Factors;
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_testing::expr::evaluate;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use proptest::prelude::*;

/// All forms of the product, with the lowest `cut` limbs as the low one and the highest as the high one.
fn check<B: Base>(a: &[B], b: &[B], cut: usize, scratch: &mut Scratch) -> Result<(), TestCaseError> {
    for (factors, b) in [(Factors::Pair(a, b), b), (Factors::Square(a), a)] {
        let (len, expected) = (a.len() + b.len(), value(a) * value(b));
        let mut out = vec![B::HIGHEST; len];
        mul_ntt::wide(&mut out, factors, scratch);
        prop_assert_eq!(&value(&out), &expected);
        let cut = cut.min(len);
        let mut out = vec![B::HIGHEST; cut];
        mul_ntt::low(&mut out, factors, scratch);
        prop_assert_eq!(value(&out), &expected % (BigUint::from(1_u32) << (cut as u32 * B::BITS)));
        mul_ntt::high(&mut out, factors, scratch);
        prop_assert_eq!(value(&out), &expected >> ((len - cut) as u32 * B::BITS));
    }
    Ok(())
}

fn factors<B: Base>() -> impl Strategy<Value = (Vec<B>, Vec<B>, usize)> {
    let length = || prop_oneof![0..12_usize, 0..100_usize, 0..400_usize];
    (length(), length(), 0..800_usize).prop_flat_map(|(a, b, cut)| (integer(a), integer(b), Just(cut)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn u32_equals_num_bigint((a, b, cut) in factors::<u32>()) {
        check(&a, &b, cut, &mut Scratch::default())?;
    }

    #[test]
    fn u64_equals_num_bigint((a, b, cut) in factors::<u64>()) {
        check(&a, &b, cut, &mut Scratch::default())?;
    }

    #[test]
    fn u128_equals_num_bigint((a, b, cut) in factors::<u128>()) {
        check(&a, &b, cut, &mut Scratch::default())?;
    }
}

/// From 2^9 to 2^20 bits: all ones, whose coefficients are the largest, and pseudo-random words, on one scratch.
#[test]
fn all_sizes_are_exact() {
    let mut scratch = Scratch::default();
    for k in 9..=20 {
        let len = (1 << k) / 64;
        let words: Vec<u64> =
            (1..=len as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)).collect();
        check(&vec![u64::MAX; len], &words, len, &mut scratch).unwrap();
    }
}

#[test]
fn unbalanced_factors_and_longer_results() {
    let mut scratch = Scratch::default();
    let long: Vec<u64> = (1..5000).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    check(&long, &[u64::MAX], 3, &mut scratch).unwrap();
    check(&[u64::MAX; 7], &long, 100, &mut scratch).unwrap();
    let mut out = [1_u64; 8];
    mul_ntt::low(&mut out, Factors::Pair(&[u64::MAX], &[u64::MAX, 5]), &mut scratch);
    assert_eq!(value(&out), value(&[u64::MAX]) * value(&[u64::MAX, 5]));
}

#[test]
fn scratch_is_what_it_says() {
    assert!(mul_ntt::scratch_bytes(4096, 4096) < 64 * 4096 * 4);
    assert!(mul_ntt::scratch_bytes(0, 0) > 0);
}

/// Products of the CPU backend at widths where it changes from the ladder to transforms, signed and unsigned.
fn backend<B: Base>() {
    for bits in [5000_u32, 8192, 10_240, 12_289] {
        for signed in [false, true] {
            let ty = IntType::new(bits.into(), signed).unwrap();
            let ones = (BigUint::from(1_u32) << bits) - 1_u32;
            let values = [ones.clone(), &ones / 3_u32, (&ones / 7_u32) << 2_u32];
            let batch = |values: &[BigUint]| {
                let mut batch = Batch::<B>::zeros(ty, Layout::InstanceMajor, values.len()).unwrap();
                for (i, value) in values.iter().enumerate() {
                    batch.set_instance(i, &limbs(&(value & &ones), ty.limbs::<B>()));
                }
                batch
            };
            let (a, b) = (batch(&values), batch(&values[..1]));
            for text in ["a * b", "sqr(a)", "mulhi(a, b)", "mul_wide(a, b)", "sqr_wide(a)"] {
                let dag = Expr::parse(text).unwrap().to_dag();
                let found = cpu::eval(&dag, &[("a", &a), ("b", &b)]).unwrap().to_biguints();
                for (a, found) in a.to_bigints().into_iter().zip(found) {
                    let variables = [("a", a), ("b", b.to_bigints().remove(0))].into();
                    assert_eq!(found, evaluate(&dag, &variables, ty), "{text} of {ty}");
                }
            }
        }
    }
}

#[test]
fn the_cpu_backend_multiplies_on_both_sides_of_the_crossover() {
    backend::<u32>();
    backend::<u64>();
    backend::<u128>();
}
