//! Batches that stay where an engine computes: chains of evaluations on every engine of this machine.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge::num_bigint::BigUint;
use limbforge::prelude::*;
#[cfg(feature = "gpu")]
use limbforge_needs::needs;

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

/// Integers that differ from instance to instance and with the seed.
fn batch<B: Base>(ty: IntType, layout: Layout, instances: usize, seed: u32) -> Batch<B> {
    let word = |i: usize, j: u32| (i as u32 + 7 * j).wrapping_mul(seed) ^ seed.rotate_left(9);
    let value = |i| {
        let words = (0..ty.bits().div_ceil(32)).map(|j| word(i, j)).collect();
        BigUint::new(words) & ((BigUint::from(1_u8) << (ty.bits() - 1)) - 1_u8)
    };
    Batch::from_biguints(ty, layout, &(0..instances).map(value).collect::<Vec<_>>()).unwrap()
}

/// The same chain on resident batches and on others, in a layout: `c = a*b + a`, `d = c*c - b`, thrice.
fn chain<B: Base>(engine: &Engine, ty: IntType, layout: Layout, instances: usize) {
    let placement = Placement::new(layout);
    let prepare = |text: &str| engine.prepare::<B>(&Expr::parse(text).unwrap(), ty, &placement).unwrap();
    let (first, second) = (prepare("a*b + a"), prepare("a*a - b"));
    let (mut a, b) =
        (batch::<B>(ty, layout, instances, 0x9e37_79b9), batch(ty, layout, instances, 0x85eb_ca6b));
    let (mut x, y) = (engine.upload(&a).unwrap(), engine.upload(&b).unwrap());
    for _ in 0..3 {
        x = first.run(&[("a", &x), ("b", &y)]).unwrap();
        x = second.run(&[("a", &x), ("b", &y)]).unwrap();
        a = first.eval(&[("a", &a), ("b", &b)]).unwrap();
        a = second.eval(&[("a", &a), ("b", &b)]).unwrap();
    }
    assert_eq!((x.ty(), x.layout(), x.instances()), (ty, layout, instances));
    x.wait().unwrap();
    assert!(x.download().unwrap() == a, "{} {ty} {layout:?}", engine.device_name());
}

fn chains(engine: &Engine) {
    for layout in [Layout::InstanceMajor, Layout::Interleaved] {
        chain::<u64>(engine, ty("u256"), layout, 1000);
        chain::<u32>(engine, ty("i131"), layout, 77);
        chain::<u64>(engine, ty("u8192"), layout, 1);
    }
    chain::<u64>(engine, ty("u4096"), Layout::InstanceMajor, 50_000);
}

/// Instances without a result have none in what is computed from them.
fn failures(engine: &Engine) {
    let ty = ty("u64");
    let numbers = |values: &[u64]| {
        let values: Vec<BigUint> = values.iter().map(|&value| value.into()).collect();
        engine.upload(&Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &values).unwrap()).unwrap()
    };
    let placement = Placement::default();
    let prepare = |text: &str| engine.prepare::<u64>(&Expr::parse(text).unwrap(), ty, &placement).unwrap();
    let (quotient, sum) = (prepare("a / b"), prepare("a + b"));
    let (a, b) = (numbers(&[7, 8, 9, 10]), numbers(&[2, 0, 3, 5]));
    let first = quotient.run(&[("a", &a), ("b", &b)]).unwrap();
    let second = quotient.run(&[("a", &b), ("b", &numbers(&[1, 1, 1, 0]))]).unwrap();
    assert_eq!((first.failed().unwrap(), second.failed().unwrap()), (vec![1], vec![3]));
    let both = sum.run(&[("a", &first), ("b", &second)]).unwrap();
    assert_eq!(both.failed().unwrap(), [1, 3]);
    let again = quotient.run(&[("a", &both), ("b", &numbers(&[0, 1, 2, 3]))]).unwrap();
    let (values, failed) = again.download_checked().unwrap();
    assert_eq!((values.to_biguints()[2].clone(), failed), (3_u8.into(), vec![0, 1, 3]));
    assert_eq!(values.to_biguints()[1], 0_u8.into());
    for layout in [Layout::InstanceMajor, Layout::Interleaved] {
        let mut into = engine.pinned::<u64>(ty, layout, 4).unwrap();
        into.limbs_mut().fill(99);
        assert_eq!(again.download_into(&mut into).unwrap(), [0, 1, 3]);
        assert_eq!(into, values.clone().into_layout(layout));
    }
    let error = again.download_into(&mut Batch::zeros(ty, Layout::InstanceMajor, 3).unwrap()).unwrap_err();
    assert!(error.to_string().contains("holds 3 instances of u64; expected 4 of u64"), "{error}");
    let error = again.download().unwrap_err();
    assert!(error.to_string().starts_with("instance 0 has no result, the first of 3"), "{error}");

    let shared = Placement::default().with_broadcast("b");
    let shared = engine.prepare::<u64>(&Expr::parse("a + b").unwrap(), ty, &shared).unwrap();
    let none = quotient.run(&[("a", &numbers(&[1])), ("b", &numbers(&[0]))]).unwrap();
    let error = shared.run(&[("a", &a), ("b", &none)]).unwrap_err();
    assert!(error.to_string().starts_with("operand `b`, which all instances share"), "{error}");
    assert!(shared.run(&[("a", &a), ("b", &numbers(&[1]))]).unwrap().failed().unwrap().is_empty());
}

/// Parts on all devices of an engine, and back.
fn parts(engine: &Engine) {
    let ty = ty("u512");
    let prepared =
        engine.prepare::<u32>(&Expr::parse("a*a + 1").unwrap(), ty, &Placement::default()).unwrap();
    for instances in [1, 2, 1001] {
        let a = batch::<u32>(ty, Layout::InstanceMajor, instances, 77);
        let parts = engine.scatter(&a).unwrap();
        let found: Vec<_> = parts.iter().map(|part| prepared.run(&[("a", part)]).unwrap()).collect();
        assert_eq!(DeviceBatch::gather(&found).unwrap(), prepared.eval(&[("a", &a)]).unwrap());
    }
}

/// What is refused, by its message.
fn refusals(engine: &Engine) {
    let ty = ty("u256");
    let sum = engine.prepare::<u64>(&Expr::parse("a + b").unwrap(), ty, &Placement::default()).unwrap();
    let upload = |ty, layout, instances| engine.upload(&batch::<u64>(ty, layout, instances, 5)).unwrap();
    let a = upload(ty, Layout::InstanceMajor, 3);
    for (b, expected) in [
        (upload("u128".parse().unwrap(), Layout::InstanceMajor, 3), "u128"),
        (upload(ty, Layout::Interleaved, 3), "operand `b` lies interleaved"),
        (upload(ty, Layout::InstanceMajor, 4), "operand `b` has 4 instances; expected 3"),
    ] {
        let error = sum.run(&[("a", &a), ("b", &b)]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error = sum.run(&[("a", &a)]).unwrap_err().to_string();
    assert!(error.contains("`b`"), "{error}");
}

#[test]
fn the_cpu_keeps_batches_too() {
    for engine in [Engine::cpu(), Engine::auto()] {
        chains(&engine);
        failures(&engine);
        parts(&engine);
        refusals(&engine);
    }
}

#[cfg(feature = "gpu")]
#[needs(gpu, nvrtc)]
#[test]
fn chains_on_a_gpu() {
    let engine = Engine::gpu(0).unwrap();
    chains(&engine);
    failures(&engine);
    parts(&engine);
    refusals(&engine);
    assert!(engine.fallback().is_none());
}

#[cfg(feature = "gpu")]
#[needs(gpu, nvrtc)]
#[test]
fn operands_apart_are_refused() {
    let (engine, other) = (Engine::gpu(0).unwrap(), Engine::gpu(0).unwrap());
    let ty = ty("u256");
    let a = batch::<u64>(ty, Layout::InstanceMajor, 3, 5);
    let sum = engine.prepare::<u64>(&Expr::parse("a + b").unwrap(), ty, &Placement::default()).unwrap();
    let (here, there, host) =
        (engine.upload(&a).unwrap(), other.upload(&a).unwrap(), Engine::cpu().upload(&a).unwrap());
    for b in [&there, &host] {
        let error = sum.run(&[("a", &here), ("b", b)]).unwrap_err().to_string();
        assert!(error.starts_with("operand `b` lies on"), "{error}");
    }
    assert!(sum.run(&[("a", &there), ("b", &there)]).is_err());
    let on_cpu = Engine::cpu().prepare::<u64>(&Expr::parse("a + b").unwrap(), ty, &Placement::default());
    let error = on_cpu.unwrap().run(&[("a", &here), ("b", &here)]).unwrap_err().to_string();
    assert!(error.contains("expected CPU"), "{error}");
}

/// Memory is given back in the order of the work, so that long chains need no more of it than short ones.
#[cfg(feature = "gpu")]
#[needs(gpu, nvrtc)]
#[test]
fn ten_thousand_evaluations_in_constant_memory() {
    let engine = Engine::gpu(0).unwrap();
    let free = || limbforge::gpu::Device::open(0).unwrap().memory().unwrap().free;
    let ty = ty("u2048");
    let square = engine.prepare::<u64>(&Expr::parse("a*a + 1").unwrap(), ty, &Placement::default()).unwrap();
    let mut x = engine.upload(&batch::<u64>(ty, Layout::InstanceMajor, 1 << 14, 3)).unwrap();
    let mut least = u64::MAX;
    for i in 0..10_000 {
        x = square.run(&[("a", &x)]).unwrap();
        if i == 1000 {
            x.wait().unwrap();
            least = free();
        }
    }
    x.wait().unwrap();
    assert!(free() + (64 << 20) >= least, "{} of {least} bytes", free());
}
