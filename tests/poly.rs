//! `Engine::poly_*`: every engine of this machine against code of its own, and what they refuse.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge::EngineError;
use limbforge::algos::transform::context::Context;
use limbforge::field::DynField;
use limbforge::field::presets::{BabyBear, Goldilocks};
use limbforge::prelude::*;
use limbforge_testing::poly::schoolbook;

/// The CPU, what there is of GPUs, and the one with the CPU behind it.
fn engines() -> Vec<Engine> {
    [Engine::cpu(), Engine::auto()].into_iter().chain(Engine::gpu(0).ok()).collect()
}

/// Lengths of pairs: 0, shorter than the other, equal, and long enough for every algorithm.
const LENGTHS: [(usize, usize); 9] =
    [(0, 0), (0, 3), (1, 1), (5, 9), (40, 17), (300, 257), (257, 257), (1500, 3), (1400, 700)];

fn residues(len: usize, p: u64, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.rotate_right(21) % p
    };
    schoolbook::trimmed((0..len).map(next).collect())
}

/// Pairs with a common factor now and then.
fn pairs(p: u64) -> Vec<[Vec<u64>; 2]> {
    let common = residues(6, p, 1);
    let pair = |(i, (n, m)): (usize, (usize, usize))| {
        let pair = [residues(n, p, 2 + i as u64), residues(m, p, 20 + i as u64)];
        if i % 2 == 0 { pair } else { pair.map(|a| schoolbook::product(&a, &common, p)) }
    };
    LENGTHS.into_iter().enumerate().map(pair).collect()
}

#[test]
fn every_engine_computes_what_the_schoolbook_does() {
    for p in [3, 97, 2_013_265_921, 4_294_967_291, 0xffff_ffff_0000_0001, 18_446_744_073_709_551_557] {
        let ring = PolyRing::new(DynField::new(p).unwrap());
        let pairs = pairs(p);
        let [a, b] =
            [0, 1].map(|i| pairs.iter().map(|pair| ring.from_integers(&pair[i])).collect::<Vec<_>>());
        for engine in engines() {
            let text = |i: usize| format!("pair {i} modulo {p} on {}", engine.device_name());
            for (i, product) in engine.poly_mul(&ring, &a, &b).unwrap().iter().enumerate() {
                let expected = schoolbook::product(&pairs[i][0], &pairs[i][1], p);
                assert_eq!(ring.to_integers(product), expected, "{}", text(i));
            }
            for (i, divisor) in engine.poly_gcd(&ring, &a, &b).unwrap().iter().enumerate() {
                let expected = schoolbook::gcd(&pairs[i][0], &pairs[i][1], p);
                assert_eq!(ring.to_integers(divisor), expected, "{}", text(i));
            }
            let divisible: Vec<usize> = (0..pairs.len()).filter(|&i| !pairs[i][1].is_empty()).collect();
            let of = |all: &[Vec<_>]| divisible.iter().map(|&i| all[i].clone()).collect::<Vec<_>>();
            let quotients = engine.poly_div_rem(&ring, &of(&a), &of(&b)).unwrap();
            for (&i, (quotient, remainder)) in divisible.iter().zip(&quotients) {
                let expected = schoolbook::div_rem(&pairs[i][0], &pairs[i][1], p).unwrap();
                let found = (ring.to_integers(quotient), ring.to_integers(remainder));
                assert_eq!(found, expected, "{}", text(i));
            }
        }
    }
}

fn one_for_all<F: limbforge::field::TwoAdicField>() {
    let ring = Poly::<F>::ring();
    let many: Vec<Poly<F>> =
        (1..40).map(|i| Poly::from_integers(&residues(7 * i, 1 << 30, i as u64))).collect();
    let one = [Poly::from_integers(&residues(90, 1 << 30, 99))];
    for engine in engines() {
        let products = engine.poly_mul(&ring, &many, &one).unwrap();
        assert!(products.iter().zip(&many).all(|(product, a)| *product == a * &one[0]));
        assert_eq!(engine.poly_mul(&ring, &one, &many).unwrap(), products);
        let quotients = engine.poly_div_rem(&ring, &products, &one).unwrap();
        assert!(quotients.iter().zip(&many).all(|((q, r), a)| q == a && r.degree().is_none()));
        assert_eq!(engine.poly_gcd(&ring, &products, &one).unwrap(), vec![one[0].monic(); many.len()]);
        assert_eq!(engine.poly_mul(&ring, &one, &one).unwrap(), [&one[0] * &one[0]]);
        let none: [Poly<F>; 0] = [];
        assert_eq!(engine.poly_mul(&ring, &none, &one).unwrap(), []);
    }
}

#[test]
fn one_polynomial_is_used_for_all() {
    one_for_all::<BabyBear>();
    one_for_all::<Goldilocks>();
}

#[test]
fn refusals_name_the_pair() {
    let ring = PolyRing::new(DynField::new(97).unwrap());
    let (x, zero) = (ring.from_integers(&[0, 1]), vec![ring.field().zero(); 3]);
    for engine in engines() {
        let all = [x.clone(), x.clone(), x.clone()];
        let error = engine.poly_div_rem(&ring, &all, &[x.clone(), zero.clone(), x.clone()]).unwrap_err();
        let expected =
            "pair 1: division by the zero polynomial; expected a divisor with a nonzero coefficient";
        assert_eq!(error.to_string(), expected);
        let error = engine.poly_gcd(&ring, &all, &all[..2]).unwrap_err();
        assert!(matches!(error, EngineError::PolyCounts { a: 3, b: 2 }), "{error}");
        assert_eq!(error.to_string(), "3 polynomials and 2: expected as many of both, or one of either");
    }
}
