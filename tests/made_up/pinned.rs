//! Pinned batches, with as much of this memory as one likes, or little.

use limbforge::gpu::{Device, GpuError};
use limbforge::limb::bytemuck;
use limbforge::prelude::*;

use super::{sum, ty, words};

const N: usize = 1 << 20;

fn is_pinned(batch: &Batch<u32>) -> bool {
    Device::open(0).unwrap().is_pinned(bytemuck::cast_slice(batch.limbs()))
}

/// Numbers in pinned memory.
fn pinned(engine: &Engine, seed: u32) -> Result<Batch<u32>, EngineError> {
    let mut batch = engine.pinned(ty("u32"), Layout::InstanceMajor, N)?;
    assert!(is_pinned(&batch) && batch.instances() == N);
    (0..).zip(batch.limbs_mut()).for_each(|(i, limb)| *limb = seed.wrapping_mul(i));
    assert!(is_pinned(&batch));
    Ok(batch)
}

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn results_are_pinned_where_all_large_operands_are() {
    let engine = Engine::gpu(0).unwrap();
    let (a, b) = (pinned(&engine, 3).unwrap(), pinned(&engine, 5).unwrap());
    let ordinary = words(b.limbs());
    assert!(!is_pinned(&ordinary));
    let expr = Expr::parse("a + b").unwrap();
    let expected = words(&(0..N as u32).map(|i| i.wrapping_mul(8)).collect::<Vec<_>>());
    for (b, expects_pinned) in [(&b, true), (&ordinary, false)] {
        let inputs = [("a", &a), ("b", b)];
        for found in [engine.eval(&expr, &inputs).unwrap(), sum(&engine).eval(&inputs).unwrap()] {
            assert!(found == expected);
            assert_eq!(is_pinned(&found), expects_pinned);
        }
    }
    // Small batches are not worth it.
    let few = [("a", &a.slice(0..1000)), ("b", &b.slice(0..1000))];
    assert!(is_pinned(few[0].1) && !is_pinned(&engine.eval(&expr, &few).unwrap()));
    let mut into = pinned(&engine, 1).unwrap();
    engine.eval_into(&expr, &[("a", &a), ("b", &b)], &mut into).unwrap();
    assert!(into == expected && is_pinned(&into));

    // From the device to pinned memory, of the same layout and of another.
    let resident = engine.upload(&into).unwrap();
    let mut copy = pinned(&engine, 1).unwrap();
    assert_eq!(resident.download_into(&mut copy).unwrap(), [0_usize; 0]);
    assert!(copy == expected && is_pinned(&copy));
    let mut other = copy.clone().into_layout(Layout::Interleaved);
    other.limbs_mut().fill(0);
    assert!(resident.download_into(&mut other).unwrap().is_empty());
    assert!(other.into_layout(Layout::InstanceMajor) == expected);
}

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn memory_is_used_again_and_its_content_with_it() {
    let engine = Engine::gpu(0).unwrap();
    let batch = pinned(&engine, 7).unwrap();
    let place = batch.limbs().as_ptr();
    let (mut clone, part) = (batch.clone(), batch.slice(5..6));
    drop(batch);
    clone.set_instance(0, &[9]);
    assert!(!is_pinned(&clone), "it was shared with a part");
    assert_eq!((part.limbs()[0], part.limbs().as_ptr()), (35, place.wrapping_add(5)));
    drop(part);
    // What is left has bits above the width of the next batch, which does not.
    let next = engine.pinned::<u32>(ty("u65"), Layout::InstanceMajor, N / 3).unwrap();
    assert_eq!(next.limbs().as_ptr(), place);
    assert_eq!(next.limbs()[..6], [0, 7, 0, 21, 28, 1]);
    // It works without its engine.
    drop(engine);
    assert!(is_pinned(&next) && next.resize(ty("u65")).is_ok());
}

/// With `FAKE_PINNED` there are 22 MiB: for two batches, and the 4 MiB that one thread copies through.
#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn too_little_memory_is_an_error_that_says_so() {
    let engine = Engine::gpu(0).unwrap().with_device_memory(9 << 20);
    let pinned = |bytes: usize| engine.pinned::<u32>(ty("u32"), Layout::InstanceMajor, bytes / 4);
    let asked = |result: Result<Batch<u32>, EngineError>| match result {
        Err(EngineError::Gpu(error)) => match *error {
            GpuError::PinnedMemory { asked } => asked,
            other => panic!("{other}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(asked(pinned(1 << 42)), 1 << 42);
    if std::env::var_os("FAKE_PINNED").is_none() {
        return;
    }
    let (mut a, mut b) = (pinned(8 << 20).unwrap(), pinned(8 << 20).unwrap());
    (0..).zip(a.limbs_mut()).for_each(|(i, limb)| *limb = i);
    b.limbs_mut().fill(7);
    let third = pinned(8 << 20);
    let advice = "use smaller batches, batches in ordinary memory";
    assert!(third.as_ref().unwrap_err().to_string().contains(advice), "{third:?}");
    assert_eq!(asked(third), 8 << 20);
    // Results are ordinary then.
    let found = sum(&engine).eval(&[("a", &a), ("b", &b)]).unwrap();
    assert!(!is_pinned(&found) && (7..).zip(found.limbs()).all(|(sum, &limb)| limb == sum));
    // What is kept for other sizes is given up for this one.
    drop((a, b));
    assert!(is_pinned(&pinned(16 << 20).unwrap()));
}
