//! Batches that are computed from nothing, on every engine of this machine: equal to those of the CPU.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge::num_bigint::BigInt;
use limbforge::prelude::*;
#[cfg(feature = "gpu")]
use limbforge_needs::needs;

limbforge::limb::limb_newtype! { struct Short(u16); }

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

fn fills() -> Vec<Fill> {
    let wide: BigInt = (BigInt::from(1) << 120) - 5;
    vec![
        Fill::ZERO,
        Fill::Constant(77.into()),
        Fill::counter(1, 2),
        Fill::counter(100, -3),
        Fill::counter(0, wide),
        Fill::Random { seed: u64::MAX - 8, stream: 5 },
    ]
}

fn equal_those_of_the_cpu<B: Base>(engine: &Engine, text: &str, instances: u64) {
    for fill in fills() {
        let expected: Batch<B> = fill.batch(ty(text), Layout::InstanceMajor, 0..instances).unwrap();
        for layout in [Layout::InstanceMajor, Layout::Interleaved] {
            let found = engine.fill::<B>(&fill, ty(text), layout, 0..instances).unwrap();
            assert_eq!((found.ty(), found.layout()), (ty(text), layout));
            assert_eq!(found.instances(), instances as usize);
            let found = found.download().unwrap().into_layout(Layout::InstanceMajor);
            assert!(found == expected, "{fill:?} {text} {layout:?} in {}", engine.device_name());
        }
        let parts = engine.scatter_fill::<B>(&fill, ty(text), Layout::InstanceMajor, 0..instances).unwrap();
        assert!(DeviceBatch::gather(&parts).unwrap() == expected, "parts of {fill:?} {text}");
        let (middle, rest) = (instances / 3, instances / 3..instances);
        let part = engine.fill::<B>(&fill, ty(text), Layout::InstanceMajor, rest).unwrap();
        assert!(part.download().unwrap() == expected.slice(middle as usize..instances as usize));
    }
}

fn all(engine: &Engine) {
    for instances in [0, 1, 5, 6_001] {
        equal_those_of_the_cpu::<u32>(engine, "u32", instances);
        equal_those_of_the_cpu::<u64>(engine, "i131", instances);
        equal_those_of_the_cpu::<u128>(engine, "u1000", instances);
        equal_those_of_the_cpu::<u32>(engine, "u2048", instances);
    }
    equal_those_of_the_cpu::<u64>(engine, "u200000", 33);
    // No kernel reads these limbs.
    if engine.device_name() == "CPU" {
        equal_those_of_the_cpu::<Short>(engine, "u99", 100);
    }
}

/// Operands that were born beside each other, in evaluations that follow each other.
fn chain(engine: &Engine) -> Batch<u64> {
    let (ty, lies, count) = (ty("u512"), Layout::InstanceMajor, 3000);
    let prepare =
        |text| engine.prepare::<u64>(&Expr::parse(text).unwrap(), ty, &Placement::default()).unwrap();
    let (odd, step) = (prepare("n | 1"), prepare("mulmod(x, x + i, n)"));
    let modulus = odd.run(&[("n", &engine.random(ty, lies, count, 1).unwrap())]).unwrap();
    let mut x = engine.constant(ty, lies, count, 3).unwrap();
    for i in 0..20 {
        let counter = engine.counter(ty, lies, count, i, 7).unwrap();
        x = step.run(&[("x", &x), ("i", &counter), ("n", &modulus)]).unwrap();
    }
    x.download().unwrap()
}

/// What is refused, by its message.
fn refusals(engine: &Engine) {
    let refused = |fill: &Fill, text: &str, numbers| {
        engine.fill::<u64>(fill, ty(text), Layout::InstanceMajor, numbers).unwrap_err().to_string()
    };
    let error = refused(&Fill::Constant(256.into()), "u8", 0..3);
    assert!(error.starts_with("the number does not fit u8: it needs 9 bits"), "{error}");
    let error = refused(&Fill::counter(-1, 1), "u8", 0..3);
    assert!(error.contains("is negative"), "{error}");
    let error = refused(&Fill::random(1), "u128", 0..u64::MAX);
    assert!(error.contains("more than this machine can address"), "{error}");
}

#[test]
fn engines_of_this_machine() {
    for engine in [Engine::cpu(), Engine::auto()] {
        all(&engine);
        refusals(&engine);
        assert_eq!(chain(&engine), chain(&Engine::cpu()));
    }
}

#[cfg(feature = "gpu")]
#[needs(gpu, nvrtc)]
#[test]
fn batches_born_on_a_gpu() {
    let engine = Engine::gpu(0).unwrap();
    all(&engine);
    refusals(&engine);
    assert_eq!(chain(&engine), chain(&Engine::cpu()));
    let error = engine.random::<Short>(ty("u99"), Layout::InstanceMajor, 3, 1).unwrap_err().to_string();
    assert!(error.contains("kernels do not read limbs of type Short"), "{error}");
    // An engine that may choose computes them on the CPU, and they lie beside all others.
    let auto = Engine::auto();
    let found = auto.random::<Short>(ty("u99"), Layout::InstanceMajor, 3, 1).unwrap();
    assert_eq!(found.download().unwrap().to_biguints(), {
        let expected: Batch<u64> = Fill::random(1).batch(ty("u99"), Layout::InstanceMajor, 0..3).unwrap();
        expected.to_biguints()
    });
    assert!(found.device_name().starts_with("GPU") && auto.fallback().is_some());
}
