//! Sequences of products of sums, against the same steps over num-bigint.

use limbforge_algos::modmul_rns::{Plan, Refused};
use limbforge_algos::sequence::{Sequence, Step, Term};
use limbforge_testing::sequence::{ladder, naive, steps};
use num_bigint::BigUint;
use proptest::prelude::*;

use super::{power_of_two, random, structured_moduli};

#[test]
fn a_ladder_of_structured_moduli() {
    let sequence = ladder();
    for bits in [32, 61, 124, 1000] {
        let plan = Plan::for_sequences(bits).unwrap();
        for (i, n) in structured_moduli(&plan).into_iter().enumerate() {
            let Ok(modulus) = plan.modulus(&n) else { continue };
            let numbers =
                [random(bits, 3), 2_u32.into(), 1_u32.into(), &n - 1_u32, power_of_two(bits) - 1_u32];
            let rounds: Vec<bool> = (0..9).map(|round| (round * i) % 3 == 1).collect();
            let expected = naive(&sequence, &n, &numbers, &rounds);
            assert_eq!(modulus.run(&sequence, &numbers, &rounds), Ok(expected), "{bits} bits: {n}");
        }
    }
}

/// `x = (c x)(c x)` with c = 16, and sums of 16 numbers of both signs that are left.
#[test]
fn sums_at_their_bounds() {
    let x = Term::of(0);
    let products = [[16, 16], [-16, 16], [16, -16]].map(|[a, b]| {
        let factors = [vec![x.times(a)], vec![x.times(b)]];
        let steps = vec![Step::Product { to: 0, factors }, Step::Sum { to: 2, terms: vec![x.times(a)] }];
        Sequence::new(1, steps, vec![0]).unwrap()
    });
    for bits in [32, 33, 92, 93, 124, 155, 2048] {
        let plan = Plan::for_sequences(bits).unwrap();
        for n in [power_of_two(bits) - 1_u32, power_of_two(bits) - 3_u32] {
            let modulus = plan.modulus(&n).unwrap();
            for (sequence, number) in products.iter().flat_map(|s| [(s, &n - 1_u32), (s, random(bits, 7))]) {
                let rounds = [false; 3];
                let expected = naive(sequence, &n, core::slice::from_ref(&number), &rounds);
                assert_eq!(modulus.run(sequence, &[number], &rounds), Ok(expected), "{bits} bits: {n}");
            }
        }
    }
}

#[test]
fn refused_plans_and_numbers() {
    let sequence = ladder();
    let numbers = [5_u32; 5].map(BigUint::from);
    let plans = [Plan::each(64).unwrap(), Plan::for_tests(64).unwrap()];
    for plan in plans {
        let modulus = plan.modulus(&7_u32.into()).unwrap();
        assert_eq!(modulus.run(&sequence, &numbers, &[true]), Err(Refused::NoSlack));
    }
    let plan = Plan::for_sequences(64).unwrap();
    let modulus = plan.modulus(&7_u32.into()).unwrap();
    assert_eq!(modulus.run(&sequence, &numbers[1..], &[]), Err(Refused::Numbers { expected: 5, found: 4 }));
    let wide = [power_of_two(64), 1_u32.into(), 1_u32.into(), 1_u32.into(), 1_u32.into()];
    assert_eq!(modulus.run(&sequence, &wide, &[]), Err(Refused::Number { bits: 64, found: 65 }));
    assert_eq!(modulus.run(&sequence, &numbers, &[]), Ok(vec![5_u32.into(); 2]), "no round changes nothing");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn drawn_sequences(steps in steps(), bits in 32_u32..160, seed: u64, rounds: [bool; 4]) {
        if let Ok(sequence) = Sequence::new(3, steps, vec![0, 1, 2]) {
            let plan = Plan::for_sequences(bits).unwrap();
            let n = random(bits, seed) + 1_u32;
            let numbers = [1, 2, 3].map(|i| random(bits, seed.wrapping_add(i)));
            if let Ok(modulus) = plan.modulus(&n) {
                let expected = naive(&sequence, &n, &numbers, &rounds);
                prop_assert_eq!(modulus.run(&sequence, &numbers, &rounds), Ok(expected));
            }
        }
    }
}
