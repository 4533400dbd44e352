//! Several GPUs of this machine together: the CPU's results, also where one of them has no memory left.
#![cfg(feature = "gpu")]

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use limbforge::ProgramRun;
use limbforge::algos::expr::random::SplitMix64;
use limbforge::gpu::{Device, DeviceBuffer};
use limbforge::prelude::*;
use limbforge_needs::needs;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Bytes that are left free on a full GPU: less than the operands of any launch here.
const LEFT: u64 = 1 << 20;

/// Bytes that an evaluation may take, whatever is free.
const PROMISED: u64 = 1 << 30;

/// One test at a time: one of them leaves no memory to the others.
static GPUS: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    GPUS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Integers of which some are 0.
fn batch(ty: IntType, instances: usize, seed: u64) -> Outcome<Batch<u64>> {
    let mut dice = SplitMix64::new(seed);
    let mut batch = Batch::zeros(ty, Layout::InstanceMajor, instances)?;
    let limbs = batch.limbs_per_instance();
    for integer in batch.limbs_mut().chunks_exact_mut(limbs) {
        if dice.below(50) != 0 {
            integer.fill_with(|| dice.next_u64());
        }
    }
    batch.truncate();
    Ok(batch)
}

/// Takes the memory of a GPU but for [`LEFT`].
fn fill(device: &Device) -> Outcome<Vec<DeviceBuffer>> {
    let (mut taken, mut size) = (vec![], device.info().memory);
    while size >= LEFT {
        match device.alloc(size) {
            Ok(buffer) => taken.push(buffer),
            Err(_) => size /= 2,
        }
    }
    Ok(taken)
}

#[needs(gpus)]
#[test]
fn all_gpus_have_the_results_of_the_cpu() -> Outcome {
    let _alone = alone();
    let (all, cpu) = (Engine::all_gpus()?, Engine::cpu());
    let ty = IntType::unsigned(1024)?;
    let [a, b, n] = [1, 2, 3].map(|seed| batch(ty, 50_000, seed));
    let (a, b, n) = (a?, b?, n?);
    let inputs = [("a", &a), ("b", &b), ("n", &n)];
    for text in ["a * b + n", "a / b", "mulmod(a, b, n)", "gcd(a, b) ^ n", "powmod(a, b & 0xffff, n)"] {
        let expr = Expr::parse(text)?;
        let names = expr.to_dag();
        let used: Vec<_> =
            inputs.iter().copied().filter(|(name, _)| names.inputs().any(|input| input == *name)).collect();
        let (found, expected) = (all.eval_checked(&expr, &used)?, cpu.eval_checked(&expr, &used)?);
        assert!(found == expected, "{text}");
    }
    assert!(all.fallback().is_none(), "{:?}", all.fallback());
    let parts = all.scatter(&a)?;
    assert!(parts.len() >= 2 && DeviceBatch::gather(&parts)? == a);
    Ok(())
}

/// Instances that no number of GPUs divides, in whole and in slices, from a state of one GPU and to one.
#[needs(gpus)]
#[test]
fn all_gpus_run_programs() -> Outcome {
    let _alone = alone();
    let text = "in a, n\nvar x = a mod n\nrepeat 40 { x = sqr(x) + 3 }\nout x, inverse = 1 / x";
    let program = Program::parse(text)?;
    let ty = IntType::unsigned(256)?;
    let (a, mut n) = (batch(ty, 10_007, 1)?, batch(ty, 10_007, 2)?);
    n.limbs_mut().iter_mut().step_by(4).for_each(|limb| *limb |= 1);
    let inputs = [("a", &a), ("n", &n)];
    let (all, one, cpu) = (Engine::all_gpus()?, Engine::gpu(0)?, Engine::cpu());
    let same = |found: &ProgramRun<u64>, expected: &ProgramRun<u64>| {
        assert!(found.results().eq(expected.results()) && found.failures() == expected.failures());
    };
    let expected = cpu.run(&program, &inputs)?;
    assert!(!expected.failures().is_empty());
    same(&all.run(&program, &inputs)?, &expected);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("state");
    for (from, to) in [(&all, &one), (&one, &all), (&all, &all)] {
        let mut session = from.start(&program, &inputs)?;
        session.advance(Duration::ZERO)?;
        session.checkpoint(&path)?;
        same(&to.resume::<u64>(&path)?.finish()?, &expected);
    }
    Ok(())
}

/// Memory that others have taken between two evaluations of an expression that is loaded on both GPUs. The
/// evaluation counts on memory that it was promised, and meets the lack of it when it has begun.
#[needs(gpus)]
#[test]
fn a_gpu_whose_memory_is_full_leaves_its_work_to_the_others() -> Outcome {
    let _alone = alone();
    let (both, other) = (Engine::gpus(&[0, 1])?.with_device_memory(PROMISED), Device::open(1)?);
    let ty = IntType::unsigned(8192)?;
    let (a, b) = (batch(ty, 100_000, 1)?, batch(ty, 100_000, 2)?);
    let (expr, inputs) = (Expr::parse("a * b")?, [("a", &a), ("b", &b)]);
    let product = both.prepare::<u64>(&expr, ty, &Placement::default())?;
    let expected = product.eval(&inputs)?;
    assert!(both.fallback().is_none(), "{:?}", both.fallback());
    let few = [("a", &a.slice(0..100)), ("b", &b.slice(0..100))];
    assert!(expected.slice(0..100) == Engine::cpu().eval(&expr, &few)?);

    let taken = fill(&other)?;
    assert!(product.eval(&inputs)? == expected);
    let why = both.fallback().map(|why| why.to_string()).unwrap_or_default();
    assert!(why.contains("GPU 1"), "expected the GPU that has left, found {why:?}");
    drop(taken);
    assert!(product.eval(&inputs)? == expected, "the others compute alone from then on");
    Ok(())
}
