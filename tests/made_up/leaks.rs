//! What is left behind by thousands of evaluations.
#![allow(unsafe_code, reason = "the made-up driver says what is allocated")]

use std::ffi::{c_int, c_long};

use limbforge::prelude::*;

use super::{sum, ty};

/// Memory of the device, pinned memory, streams, events and modules, and then frees of anything else.
fn live() -> [c_long; 6] {
    // SAFETY: the driver is loaded already, and the function has this type in `driver.c`.
    unsafe {
        let driver = libloading::Library::new("libcuda.so").unwrap();
        let live = driver.get::<unsafe extern "C" fn(c_int) -> c_long>(b"made_up_live").unwrap();
        [0, 1, 2, 3, 4, 5].map(|kind| live(kind))
    }
}

/// One evaluation of every kind: pinned, ordinary, resident, of one chunk and of several.
fn evaluate(engine: &Engine, sum: &Prepared<u32>, i: usize) {
    let n = [1, 1000, 300_000, 1_000_000][if i.is_multiple_of(50) { i / 50 % 4 } else { i % 2 }];
    let mut a = engine.pinned::<u32>(ty("u32"), Layout::InstanceMajor, n).unwrap();
    a.limbs_mut().fill(i as u32);
    let b = Batch::from_limbs(ty("u32"), Layout::InstanceMajor, vec![2; n]).unwrap();
    let is_sum = |batch: &Batch<u32>| batch.instances() == n && batch.limbs()[n - 1] == i as u32 + 2;
    assert!(is_sum(&sum.eval(&[("a", &a), ("b", &b)]).unwrap()));
    let both = sum.eval(&[("a", &a), ("b", &a)]).unwrap();
    assert_eq!(both.limbs()[n / 2], 2 * i as u32);
    let (x, y) = (engine.upload(&a).unwrap(), engine.upload(&b).unwrap());
    let found = sum.run(&[("a", &x), ("b", &y)]).unwrap();
    assert!(is_sum(&found.download().unwrap()));
    let slice = found.into_cuda_slice().unwrap();
    let back = DeviceBatch::from_cuda_slice(engine, slice, ty("u32"), Layout::InstanceMajor, n).unwrap();
    assert!(is_sum(&back.download().unwrap()));
}

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn thousands_of_batches_leave_nothing_behind() {
    let engine = Engine::gpu(0).unwrap();
    let nothing = {
        let sum = sum(&engine);
        (0..200).for_each(|i| evaluate(&engine, &sum, i));
        let early = live();
        (200..3000).for_each(|i| evaluate(&engine, &sum, i));
        let [device, pinned, streams, events, modules, wrong] = live();
        assert_eq!(([device, pinned, streams, events, modules], wrong), (early[..5].try_into().unwrap(), 0));
        assert!(device < 10 && pinned < 100 && modules == 1, "{early:?}");
        live()
    };
    assert_eq!(nothing[5], 0);
    drop(engine);
    assert_eq!(live(), [0; 6], "after the engine");
}
