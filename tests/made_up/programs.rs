//! A program on all GPUs: none waits for what the driver does on another one.
#![allow(unsafe_code, reason = "the made-up driver says what it has done at once")]

use std::ffi::c_int;

use limbforge::prelude::*;

use super::ty;

/// The most GPUs that were in a copy to them, a copy from them and a launch at once.
fn at_once() -> [c_int; 3] {
    // SAFETY: the driver is loaded already, and the function has this type in `driver.c`.
    unsafe {
        let driver = libloading::Library::new("libcuda.so").unwrap();
        let most = driver.get::<unsafe extern "C" fn(c_int) -> c_int>(b"made_up_at_once").unwrap();
        [0, 1, 2].map(|call| most(call))
    }
}

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn every_gpu_copies_and_launches_beside_the_others() {
    let engine = Engine::all_gpus().unwrap();
    let count = limbforge::gpu::devices().unwrap().len();
    let program = Program::parse("in a, b\nout c = a + b").unwrap();
    let batch = |first: u64| {
        let values: Vec<u64> = (0..100_000).map(|i| first.wrapping_mul(i + 1)).collect();
        Batch::<u64>::from_u64s(ty("u64"), Layout::InstanceMajor, &values).unwrap()
    };
    let (a, b) = (batch(0x9e37_79b9_7f4a_7c15), batch(0xbf58_476d_1ce4_e5b9));
    let inputs = [("a", &a), ("b", &b)];
    let expected = Engine::cpu().run(&program, &inputs).unwrap();
    let found = engine.run(&program, &inputs).unwrap();
    assert!(engine.fallback().is_none(), "{:?}", engine.fallback());
    assert_eq!(found.result("c"), expected.result("c"));
    assert_eq!(at_once(), [count as c_int; 3]);
}
