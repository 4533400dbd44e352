//! Several expressions at once against each of them alone, on every engine of this machine.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge::algos::expr::random::{Size, SplitMix64, expression};
use limbforge::num_bigint::BigUint;
use limbforge::prelude::*;
#[cfg(feature = "gpu")]
use limbforge_needs::needs;

fn parse(texts: &[&str]) -> Vec<Expr> {
    texts.iter().map(|text| Expr::parse(text).unwrap()).collect()
}

/// Integers of all lengths, some of them 0 and some equal.
fn batch<B: Base>(dice: &mut SplitMix64, ty: IntType, layout: Layout, instances: usize) -> Batch<B> {
    let mut value = || {
        let words = dice.below(ty.bits().div_ceil(32) + 1);
        let words = (0..words).map(|_| if dice.below(8) == 0 { u32::MAX } else { dice.below(u32::MAX) });
        BigUint::new(words.collect())
            & ((BigUint::from(1_u8) << (ty.bits() - u32::from(ty.is_signed()))) - 1_u8)
    };
    let values: Vec<BigUint> = (0..instances).map(|_| value()).collect();
    Batch::from_biguints(ty, layout, &values).unwrap()
}

/// All ways to evaluate expressions together are those of each alone, failures and all.
fn check<B: Base>(engine: &Engine, exprs: &[Expr], inputs: &[(&str, &Batch<B>)]) {
    let alone: Vec<Checked<B>> =
        exprs.iter().map(|expr| engine.eval_checked(expr, inputs).unwrap()).collect();
    assert_eq!(engine.eval_all_checked(exprs, inputs).unwrap(), alone, "{exprs:?}");
    let has_all = alone.iter().all(|one| one.failures.is_empty());
    assert_eq!(engine.eval_all(exprs, inputs).is_ok(), has_all);

    let (ty, layout) = (inputs[0].1.ty(), inputs[0].1.layout());
    let mut placement = Placement::new(layout);
    let prepared = engine.prepare_all::<B>(exprs, ty, &placement).unwrap();
    let used: Vec<(&str, &Batch<B>)> =
        inputs.iter().filter(|(name, _)| prepared.operands().any(|other| other == *name)).copied().collect();
    let counted = used.iter().find(|(_, batch)| batch.instances() != 1).map_or(1, |(_, b)| b.instances());
    if used.is_empty() || counted != alone[0].values.instances() {
        return;
    }
    for (name, batch) in used.iter().filter(|(_, batch)| batch.instances() == 1 && counted != 1) {
        assert_eq!(batch.instances(), 1);
        placement = placement.with_broadcast(name);
    }
    let prepared = engine.prepare_all::<B>(exprs, ty, &placement).unwrap();
    assert_eq!(prepared.eval_checked(&used).unwrap(), alone);
    let other = |i: usize| if i.is_multiple_of(2) { Layout::Interleaved } else { Layout::InstanceMajor };
    let zeros = |(i, ty)| Batch::<B>::zeros(ty, other(i), counted).unwrap();
    let mut into: Vec<Batch<B>> = prepared.result_types().enumerate().map(zeros).collect();
    let failures = prepared.eval_into(&used, &mut into.iter_mut().collect::<Vec<_>>()).unwrap();
    for ((values, failures), alone) in into.into_iter().zip(failures).zip(&alone) {
        assert_eq!(&Checked { values: values.into_layout(layout), failures }, alone);
    }
    let resident: Vec<(&str, DeviceBatch<B>)> =
        used.iter().map(|(name, batch)| (*name, engine.upload(batch).unwrap())).collect();
    let resident: Vec<(&str, &DeviceBatch<B>)> =
        resident.iter().map(|(name, batch)| (*name, batch)).collect();
    for (found, alone) in prepared.run(&resident).unwrap().iter().zip(&alone) {
        let mut failing: Vec<usize> = alone.failures.iter().map(|failure| failure.instance).collect();
        failing.dedup();
        assert_eq!(found.download_checked().unwrap(), (alone.values.clone(), failing));
    }
}

/// Named sets over two layouts and several widths.
fn named<B: Base>(engine: &Engine) {
    let mut dice = SplitMix64::new(21);
    for (texts, bits) in [
        (&["a / b", "a % b"][..], &[131, 256, 2048, 8192][..]),
        (&["a / b", "a + b", "a % b", "a / b", "b"], &[64, 1000]),
        (&["a + b", "a - b", "a * b"], &[96, 512, 4096, 32_768]),
        (&["mul_wide(a, b)", "a < b", "a * b", "mul_wide(a, b)"], &[100, 1024]),
        (&["gcd(a, b)", "modinv(a, b)", "div_exact(a, b)", "a ^ b"], &[128, 700]),
        (&["mulmod(a, b, c)", "mulmod(a, b, c) + a", "(a % c) * b", "a / c"], &[512, 640]),
        (&["5", "a"], &[64]),
    ] {
        let exprs = parse(texts);
        for &bits in bits {
            for (layout, signed) in [(Layout::InstanceMajor, false), (Layout::Interleaved, true)] {
                let ty = IntType::new(bits, signed).unwrap();
                let [a, b, c] = [97; 3].map(|n| batch::<B>(&mut dice, ty, layout, n));
                check(engine, &exprs, &[("a", &a), ("b", &b), ("c", &c)]);
                let one = batch::<B>(&mut dice, ty, layout, 1);
                check(engine, &exprs, &[("a", &a), ("b", &one), ("c", &one)]);
            }
        }
    }
}

/// Random sets of expressions of all operations.
fn random<B: Base>(engine: &Engine, sets: u32) {
    let mut dice = SplitMix64::new(u64::from(B::BITS));
    for _ in 0..sets {
        let ty = IntType::new(u64::from(1 + dice.below(400)), dice.below(2) == 0).unwrap();
        let size = Size { operations: 6, slow: u32::from(ty.bits() < 200), ..Size::default() };
        let exprs: Vec<Expr> =
            (0..2 + dice.below(3)).map(|_| expression(ty, size, &mut |n| dice.below(n))).collect();
        let layout = if dice.below(3) == 0 { Layout::Interleaved } else { Layout::InstanceMajor };
        let [a, b, c] = [40; 3].map(|n| batch::<B>(&mut dice, ty, layout, n));
        check(engine, &exprs, &[("a", &a), ("b", &b), ("c", &c)]);
    }
}

/// Failures of operands that were computed before are those of every result.
fn chains(engine: &Engine) {
    let ty: IntType = "u64".parse().unwrap();
    let upload = |values: &[u64]| {
        let values: Vec<BigUint> = values.iter().map(|&value| value.into()).collect();
        engine.upload(&Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &values).unwrap()).unwrap()
    };
    let prepare =
        |texts: &[&str]| engine.prepare_all::<u64>(&parse(texts), ty, &Placement::default()).unwrap();
    let (a, b) = (upload(&[7, 8, 9, 10]), upload(&[2, 0, 3, 5]));
    let found = prepare(&["a / b", "a + b", "div_exact(a, b)"]).run(&[("a", &a), ("b", &b)]).unwrap();
    let failed: Vec<Vec<usize>> = found.iter().map(|batch| batch.failed().unwrap()).collect();
    assert_eq!(failed, [vec![1], vec![], vec![0, 1]]);
    let next = prepare(&["a % b", "a - b", "modinv(b, a)"]);
    let found = next.run(&[("a", &found[0]), ("b", &found[1])]).unwrap();
    let failed: Vec<Vec<usize>> = found.iter().map(|batch| batch.failed().unwrap()).collect();
    // 9 and 12 have no inverse modulo 3, 15 has one modulo 2.
    assert_eq!(failed, [vec![1], vec![1], vec![0, 1, 2]]);
    assert_eq!(found[1].download_checked().unwrap().0.to_biguints()[3], (2_u64.wrapping_sub(15)).into());
}

/// More results than a program has, none, and calls that fit nothing.
fn limits(engine: &Engine) {
    let ty: IntType = "u96".parse().unwrap();
    let mut dice = SplitMix64::new(4);
    let [a, b] = [9; 2].map(|n| batch::<u32>(&mut dice, ty, Layout::InstanceMajor, n));
    let exprs: Vec<Expr> = (0..70_u64)
        .map(|i| Expr::input(if i % 2 == 0 { "a" } else { "b" }) / Expr::literal(i % 50))
        .collect();
    check(engine, &exprs, &[("a", &a), ("b", &b)]);
    let inputs = [("a", &a), ("b", &b)];
    assert_eq!(engine.eval_all(&[], &inputs).unwrap(), []);
    let none = engine.eval_all(&exprs[1..3], &[("a", &a.slice(0..0)), ("b", &b.slice(0..0))]).unwrap();
    assert_eq!(none.iter().map(Batch::instances).collect::<Vec<_>>(), [0, 0]);

    let two = engine.prepare_all::<u32>(&parse(&["a / b", "a"]), ty, &Placement::default()).unwrap();
    assert_eq!(two.operands().collect::<Vec<_>>(), ["a", "b"]);
    let error = two.eval_into(&inputs, &mut [&mut a.clone()]).unwrap_err();
    assert_eq!(error.to_string(), "1 batches for the results; expected 2, one for each expression");
    let error = two.eval_into(&inputs, &mut [&mut a.clone(), &mut a.slice(0..3)]).unwrap_err();
    assert!(error.to_string().contains("expected 9 of u96"), "{error}");
    let error = two.eval(&[("a", &a), ("b", &b), ("c", &b)]).unwrap_err();
    assert!(error.to_string().contains("no operand `c`"), "{error}");
    let wrong = engine.prepare_all::<u32>(&parse(&["a"]), ty, &Placement::default().with_broadcast("b"));
    assert!(matches!(wrong, Err(EngineError::Placement(_))));
    let long = engine.prepare_all::<u32>(&parse(&["a", "a + 2**200"]), ty, &Placement::default());
    assert!(matches!(long, Err(EngineError::Eval(_))));
}

#[test]
fn together_as_alone_on_the_cpu() {
    let engine = Engine::cpu();
    named::<u32>(&engine);
    named::<u128>(&engine);
    random::<u32>(&engine, 20);
    random::<u64>(&engine, 20);
    random::<u128>(&engine, 20);
    chains(&engine);
    limits(&engine);
}

/// In parts, which compile their kernels side by side.
#[cfg(feature = "gpu")]
mod on_a_gpu {
    use super::*;

    fn engine() -> Engine {
        Engine::gpu(0).unwrap()
    }

    #[needs(gpu, nvrtc)]
    #[test]
    fn named_sets_of_short_limbs() {
        named::<u32>(&engine());
    }

    #[needs(gpu, nvrtc)]
    #[test]
    fn named_sets_of_long_limbs() {
        named::<u64>(&engine());
    }

    #[needs(gpu, nvrtc)]
    #[test]
    fn random_sets_of_short_limbs() {
        random::<u32>(&engine(), 6);
    }

    #[needs(gpu, nvrtc)]
    #[test]
    fn random_sets_of_long_limbs() {
        random::<u64>(&engine(), 6);
    }

    #[needs(gpu, nvrtc)]
    #[test]
    fn random_sets_of_two_words() {
        random::<u128>(&engine(), 6);
    }

    #[needs(gpu, nvrtc)]
    #[test]
    fn chains_and_limits() {
        chains(&engine());
        limits(&engine());
    }

    #[needs(gpu, nvrtc)]
    #[test]
    fn chunks_share_a_little_memory() {
        let engine = engine();
        let ty: IntType = "u2048".parse().unwrap();
        let mut dice = SplitMix64::new(9);
        let [a, b] = [5000; 2].map(|n| batch::<u64>(&mut dice, ty, Layout::InstanceMajor, n));
        let exprs = parse(&["a / b", "a % b", "a + b"]);
        let expected = engine.eval_all_checked(&exprs, &[("a", &a), ("b", &b)]).unwrap();
        let short = engine.clone().with_device_memory(1 << 20);
        assert_eq!(short.eval_all_checked(&exprs, &[("a", &a), ("b", &b)]).unwrap(), expected);
        assert!(engine.fallback().is_none());
    }
}
