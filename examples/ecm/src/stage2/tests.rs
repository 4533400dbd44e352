#![allow(clippy::unwrap_used, reason = "tests")]

use limbforge::field::primes::lcm_to;
use limbforge::prelude::*;
use limbforge_hunts::Signals;
use num_bigint::BigUint;

use super::{Continuation, PAIRS, PAIRS_ON_CPU, Part};
use crate::batch::Instances;
use crate::reference::Curve;

/// Behind stage 1, whose points have no multiples of order 2, both programs find what curves one by one find.
#[test]
fn both_programs_are_curves_one_by_one() {
    let numbers: Vec<BigUint> =
        [10_007 * 1_000_000_007_u64, 1_000_003 * 1_000_000_007, 100_003 * 999_999_999_989]
            .map(BigUint::from)
            .to_vec();
    let plan = Continuation::new(110, 9000).unwrap().unwrap();
    let all = Instances::new(numbers, 20, 16).unwrap();
    let x_of = |i: usize| {
        let point = (BigUint::from(2_u8), BigUint::from(1_u8));
        let (x, z) = Curve::new(all.number(i), all.sigma(i)).multiple(&point, &lcm_to(110));
        z.modinv(all.number(i)).map(|inverse| (i, x * inverse % all.number(i)))
    };
    let (left, x): (Vec<usize>, Vec<BigUint>) = (0..all.len()).filter_map(x_of).unzip();
    let curves = all.take(&left).unwrap();
    let expected: Vec<Option<BigUint>> = (0..curves.len())
        .map(|i| Curve::new(curves.number(i), curves.sigma(i)))
        .zip(&x)
        .map(|(curve, x)| curve.stage2(x, plan.step, plan.first, plan.giants))
        .map(|factor| (factor != BigUint::from(1_u8)).then_some(factor))
        .collect();
    let found = expected.iter().flatten().count();
    assert!(found >= 5 && found + 5 <= curves.len(), "{found} of {}", curves.len());
    for pairs in [PAIRS, PAIRS_ON_CPU] {
        let part = Part { engine: &Engine::cpu(), curves: &curves, x: &x, plan: &plan, pairs };
        assert_eq!(part.run(&Signals::default()).unwrap().unwrap(), expected, "{pairs}");
    }
}
