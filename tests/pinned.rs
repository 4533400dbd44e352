//! Batches in memory that GPUs copy from and to by themselves: on every engine of this machine they are
//! batches like all others.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge::prelude::*;
#[cfg(feature = "gpu")]
use limbforge_needs::needs;

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

/// Writes numbers that differ from instance to instance and with the seed, and fewer than `2^31`.
fn fill(batch: &mut Batch<u64>, seed: usize) {
    let mut limbs = vec![0; batch.limbs_per_instance()];
    for i in 0..batch.instances() {
        limbs[0] = ((i + 1) * seed % 0x7fff_ffed) as u64;
        batch.set_instance(i, &limbs);
    }
}

/// A sum, a checked quotient, and results in a given batch.
fn evaluations(engine: &Engine, ty: IntType, layout: Layout, instances: usize) {
    let pinned = |seed| {
        let mut batch = engine.pinned::<u64>(ty, layout, instances).unwrap();
        let shape = (batch.ty(), batch.layout(), batch.instances(), batch.limbs().len());
        assert_eq!(shape, (ty, layout, instances, instances * batch.limbs_per_instance()));
        // What an earlier batch has left is a batch, too.
        batch.clone().into_layout(Layout::InstanceMajor).resize(ty).unwrap();
        fill(&mut batch, seed);
        batch
    };
    let (a, b, mut result) = (pinned(3), pinned(5), pinned(7));
    let inputs = [("a", &a), ("b", &b)];
    for text in ["a + b", "a * b - a"] {
        let expr = Expr::parse(text).unwrap();
        let ordinary =
            inputs.map(|(_, batch)| Batch::from_limbs(ty, layout, batch.limbs().to_vec()).unwrap());
        let expected = Engine::cpu().eval(&expr, &[("a", &ordinary[0]), ("b", &ordinary[1])]).unwrap();
        let found = engine.eval(&expr, &inputs).unwrap();
        assert!(found == expected, "{text} of {ty} {layout:?} on {}", engine.device_name());
        engine.eval_into(&expr, &inputs, &mut result).unwrap();
        assert!(result == expected);
        let prepared = engine.prepare::<u64>(&expr, ty, &Placement::new(layout)).unwrap();
        assert!(prepared.eval(&inputs).unwrap() == expected);
    }
    let mut zero = b.clone();
    zero.set_instance(instances / 2, &vec![0; b.limbs_per_instance()]);
    let found = engine.eval_checked(&Expr::parse("a / b").unwrap(), &[("a", &a), ("b", &zero)]).unwrap();
    let failed: Vec<usize> = found.failures.iter().map(|failure| failure.instance).collect();
    assert_eq!(failed, [instances / 2]);
    assert_eq!(b.instance(instances / 2)[0], (((instances / 2) + 1) * 5 % 0x7fff_ffed) as u64);
}

fn all(engine: &Engine) {
    for layout in [Layout::InstanceMajor, Layout::Interleaved] {
        evaluations(engine, ty("u128"), layout, 1);
        evaluations(engine, ty("u200"), layout, 1000);
        evaluations(engine, ty("i65"), layout, 77);
    }
    assert_eq!(engine.pinned::<u32>(ty("u96"), Layout::InstanceMajor, 0).unwrap().instances(), 0);
    let error = engine.pinned::<u64>(ty("u1024"), Layout::InstanceMajor, usize::MAX / 8).unwrap_err();
    assert!(error.to_string().ends_with("this machine can address: use smaller batches"), "{error}");
}

#[test]
fn they_are_batches_on_every_machine() {
    all(&Engine::cpu());
    all(&Engine::auto());
}

/// Batches of several chunks, whose results are pinned, too, and lie where wider integers lay before.
#[cfg(feature = "gpu")]
#[needs(gpu, nvrtc)]
#[test]
fn they_are_batches_on_a_gpu() {
    let engine = Engine::gpu(0).unwrap();
    all(&engine);
    for layout in [Layout::InstanceMajor, Layout::Interleaved] {
        evaluations(&engine, ty("u512"), layout, 300_001);
        evaluations(&engine, ty("u200"), layout, 300_001);
        evaluations(&engine, ty("i449"), layout, 300_001);
    }
    let device = limbforge::gpu::Device::open(0).unwrap();
    let a = engine.pinned::<u64>(ty("u512"), Layout::InstanceMajor, 300_001).unwrap();
    let sum = engine.eval(&Expr::parse("a + a").unwrap(), &[("a", &a)]).unwrap();
    for batch in [&a, &sum] {
        assert!(device.is_pinned(limbforge::limb::bytemuck::cast_slice(batch.limbs())));
    }
}
