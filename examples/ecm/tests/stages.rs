//! Both stages on an engine against curves one by one.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use ecm::{Continuation, Curve, Instances, stage2};
use limbforge::field::primes::lcm_to;
use limbforge::prelude::*;
use limbforge_hunts::Signals;
use num_bigint::BigUint;

/// Products of primes: of small ones, of which multiples of a point are neutral without a stage 1, and of larger ones.
fn numbers() -> Vec<BigUint> {
    let primes = [61_u64, 1009, 10_007, 1_000_003, 1_000_000_007, 999_999_999_989].map(BigUint::from);
    let [a, b, c, d, e, f] = &primes;
    vec![a * f, a * b * c * d, b * f, c * d * f, d * e, d.pow(3) * e * f]
}

/// x of a point that a stage 1 leaves, or of (2 : 1) where it finds a factor.
fn after_stage_1(curve: &Curve, n: &BigUint, b1: u32) -> BigUint {
    let (x, z) = curve.multiple(&(2_u8.into(), 1_u8.into()), &lcm_to(b1.into()));
    z.modinv(n).map_or_else(|| 2_u8.into(), |inverse| x * inverse % n)
}

#[test]
fn stage_2_is_that_of_curves_one_by_one() {
    let (mut hits, mut neutral) = (0, 0);
    for (b1, b2) in [(105_u32, 3000_u64), (200, 20_000)] {
        let plan = Continuation::new(b1, b2).unwrap().unwrap();
        let curves = Instances::new(numbers(), 7, 8).unwrap();
        let curve = |i: usize| Curve::new(curves.number(i), curves.sigma(i));
        let point = |i: usize| {
            if i.is_multiple_of(2) { 2_u8.into() } else { after_stage_1(&curve(i), curves.number(i), b1) }
        };
        let x: Vec<BigUint> = (0..curves.len()).map(point).collect();
        let found = stage2(&Engine::cpu(), &curves, &x, &plan, &Signals::default()).unwrap().unwrap();
        for (i, found) in found.iter().enumerate() {
            let expected = curve(i).stage2(&x[i], plan.step, plan.first, plan.giants);
            assert_eq!(found.clone().unwrap_or(1_u8.into()), expected, "curve {i} of B1 = {b1}");
            let step = curve(i).multiple(&(x[i].clone(), 1_u8.into()), &(plan.step * plan.first).into());
            neutral += u32::from(step.1.modinv(curves.number(i)).is_none());
            hits += u32::from(found.is_some());
        }
    }
    assert!(hits >= 20 && neutral >= 1, "{hits} divisors, {neutral} first giant steps without an inverse");
}
