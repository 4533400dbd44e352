//! `Engine::transform`: every engine of this machine against the definition, and what it refuses.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge::algos::transform::ntt::{Direction, NttError, NttPlan, Wrap};
use limbforge::field::presets::{BabyBear, F469762049, Goldilocks};
use limbforge::field::{DynField, TwoAdicField, Word};
use limbforge::limb::num_traits::{NumCast, ToPrimitive};
use limbforge::prelude::*;
use limbforge_testing::ntt::naive;

/// The CPU, what there is of GPUs, and the one with the CPU behind it.
fn engines() -> Vec<Engine> {
    [Engine::cpu(), Engine::auto()].into_iter().chain(Engine::gpu(0).ok()).collect()
}

const KINDS: [Wrap; 2] = [Wrap::Cyclic, Wrap::Negacyclic];

fn word<F: TwoAdicField, W: Word>(x: F) -> W {
    NumCast::from(x.value()).unwrap()
}

/// The worst operand first: p - 1 everywhere.
fn operands<F: TwoAdicField>(points: usize, count: usize) -> Vec<F> {
    let mut x = F::from(3);
    let mut next = || {
        x = x.square() + F::ONE;
        x
    };
    (0..points * count).map(|i| if i < points { -F::ONE } else { next() }).collect()
}

fn check<F: TwoAdicField, W: Word>(engine: &Engine, points: usize, count: usize) {
    let field = DynField::with_root(F::MODULUS, F::root().value().to_u64().unwrap()).unwrap();
    for wrap in KINDS {
        let plan = NttPlan::new(points, wrap).unwrap();
        let x = operands::<F>(points, count);
        let words: Vec<W> = x.iter().copied().map(word).collect();
        let mut found = words.clone();
        engine.transform(&field, &plan, Direction::Forward, &mut found).unwrap();
        let expected: Vec<W> =
            x.chunks(points).flat_map(|x| naive::transform(x, wrap).unwrap()).map(word).collect();
        assert!(found == expected, "{points} points modulo {}, {wrap:?}", F::MODULUS);
        engine.transform(&field, &plan, Direction::Inverse, &mut found).unwrap();
        assert!(found == words, "{points} points modulo {}, {wrap:?}, inverse", F::MODULUS);
    }
}

#[test]
fn every_engine_follows_the_definition() {
    for engine in engines() {
        for (points, count) in [(16, 5), (64, 1), (256, 3), (1024, 2)] {
            check::<F469762049, u32>(&engine, points, count);
            check::<F469762049, u64>(&engine, points, count);
            check::<Goldilocks, u64>(&engine, points, count);
        }
        for (points, count) in [(48, 5), (384, 2), (1536, 2)] {
            check::<BabyBear, u32>(&engine, points, count);
            check::<Goldilocks, u64>(&engine, points, count);
        }
    }
}

#[test]
fn lengths_that_only_the_cpu_has() {
    for engine in [Engine::cpu(), Engine::auto()] {
        for points in [1, 2, 8, 12] {
            check::<Goldilocks, u64>(&engine, points, 3);
        }
    }
}

#[test]
fn chunks_are_transforms_too() {
    let small = 1 << 16;
    for engine in engines().into_iter().map(|engine| engine.with_device_memory(small)) {
        check::<F469762049, u32>(&engine, 256, 50);
    }
}

#[test]
fn no_values_are_no_transforms() {
    let (field, plan) = (DynField::new(97).unwrap(), NttPlan::new(16, Wrap::Cyclic).unwrap());
    for engine in engines() {
        engine.transform::<u32>(&field, &plan, Direction::Forward, &mut []).unwrap();
    }
}

#[test]
fn what_is_refused_leaves_the_values() {
    let field = DynField::new(97).unwrap();
    let refused = |engine: &Engine, points, values: &mut [u32]| {
        let plan = NttPlan::new(points, Wrap::Negacyclic).unwrap();
        match engine.transform(&field, &plan, Direction::Forward, values).unwrap_err() {
            EngineError::Ntt(error) => error,
            other => panic!("{other}"),
        }
    };
    for engine in engines() {
        let mut values = [96_u32; 32];
        let no_root = NttError::NoRoot { order: 64, modulus: 97, adicity: 5 };
        assert_eq!(refused(&engine, 32, &mut values), no_root);
        assert_eq!(refused(&engine, 16, &mut values[..17]), NttError::Values { points: 16, found: 17 });
        (values[20], values[30]) = (97, 98);
        let before = values;
        let residue = NttError::Residue { at: 20, found: 97, modulus: 97 };
        assert_eq!(refused(&engine, 16, &mut values), residue);
        assert_eq!(values, before);
        let goldilocks = DynField::new(u64::MAX - (1 << 32) + 2).unwrap();
        let plan = NttPlan::new(16, Wrap::Cyclic).unwrap();
        let error = engine.transform(&goldilocks, &plan, Direction::Forward, &mut values).unwrap_err();
        assert!(error.to_string().ends_with("in words of 32 bits; expected words of 64 bits"), "{error}");
    }
}
