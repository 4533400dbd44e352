//! What is done wrong with resident and foreign batches: each is an error that says what to do. There are two
//! GPUs.
#![allow(unsafe_code, reason = "the memory is refused")]

use std::sync::Arc;

use limbforge::gpu::RawMemory;
use limbforge::gpu::cudarc::driver::{CudaContext, CudaSlice};
use limbforge::prelude::*;

use super::{sum, ty, words};

fn expect<T>(result: Result<T, EngineError>, parts: &[&str]) {
    let error = result.map(drop).unwrap_err().to_string();
    assert!(parts.iter().all(|part| error.contains(part)), "{error}\nexpected {parts:?}");
}

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn operands_that_do_not_go_together() {
    let (both, first, second) =
        (Engine::gpus(&[0, 1]).unwrap(), Engine::gpu(0).unwrap(), Engine::gpu(1).unwrap());
    let batch = words(&[1, 2, 3, 4]);
    let run = |prepared: &Prepared<u32>, a: &_, b: &_| prepared.run(&[("a", a), ("b", b)]);
    let parts = both.scatter(&batch).unwrap();
    let of_both = sum(&both);
    let beside = run(&of_both, &parts[1], &parts[1]).unwrap();
    assert_eq!(beside.download().unwrap(), words(&[6, 8]));
    let here = first.upload(&batch).unwrap();
    let cpu = Engine::cpu().upload(&batch).unwrap();
    let gpu = |ordinal: usize| format!("GPU {ordinal} (made-up GPU)");

    // Other devices and engines.
    let lies = |found: String, expected: String| format!("operand `b` lies on {found}; expected {expected}");
    let advice = "download it and upload it";
    expect(run(&of_both, &parts[0], &parts[1]), &[&lies(gpu(1), gpu(0)), advice]);
    expect(run(&sum(&first), &here, &second.upload(&batch).unwrap()), &[&lies(gpu(1), gpu(0)), advice]);
    expect(run(&sum(&first), &here, &cpu), &[&lies("CPU".to_owned(), gpu(0)), advice]);
    expect(run(&sum(&Engine::cpu()), &here, &here), &["lies on GPU 0 (made-up GPU); expected CPU", advice]);
    expect(run(&sum(&second), &here, &here), &["operand `a` lies on GPU 0 (made-up GPU); expected", advice]);
    let again = Engine::gpu(0).unwrap();
    expect(run(&sum(&again), &here, &here), &["of another engine", "clone an engine"]);

    // A dropped engine: its batches and expressions go on, another engine does not take them.
    let prepared = sum(&first);
    drop(first);
    assert_eq!(run(&prepared, &here, &here).unwrap().download().unwrap(), words(&[2, 4, 6, 8]));
    drop(prepared);
    assert_eq!(here.download().unwrap(), batch);
    expect(run(&sum(&again), &here, &here), &["of another engine", "clone an engine"]);

    // Another type, layout and number.
    let upload = |ty, layout, limbs: &[u32]| {
        again.upload(&Batch::from_limbs(ty, layout, limbs.to_vec()).unwrap()).unwrap()
    };
    let a = upload(ty("u32"), Layout::InstanceMajor, &[1, 2, 3, 4]);
    let sum = sum(&again);
    expect(run(&sum, &a, &upload(ty("u64"), Layout::InstanceMajor, &[1; 8])), &["`b`", "u64", "u32"]);
    let interleaved = upload(ty("u32"), Layout::Interleaved, &[1; 4]);
    expect(run(&sum, &a, &interleaved), &["operand `b` lies interleaved", "prepare the expression for it"]);
    let three = upload(ty("u32"), Layout::InstanceMajor, &[1; 3]);
    expect(run(&sum, &a, &three), &["operand `b` has 3 instances; expected 4", "with_broadcast"]);
    let mut wrong = Batch::zeros(ty("u64"), Layout::InstanceMajor, 4).unwrap();
    expect(a.download_into(&mut wrong), &["holds 4 instances of u64; expected 4 of u32"]);
}

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn foreign_memory_that_does_not_fit() {
    let engine = Engine::gpu(0).unwrap();
    let stream = |ordinal| CudaContext::new(ordinal).unwrap().new_stream().unwrap();
    let slice = |ordinal| stream(ordinal).clone_htod(&[1_u32; 8]).unwrap();
    let adopt = |engine: &Engine, slice: CudaSlice<u32>, instances| {
        DeviceBatch::from_cuda_slice(engine, slice, ty("u64"), Layout::InstanceMajor, instances)
    };
    expect(adopt(&engine, slice(0), 5), &["the CudaSlice has 32 bytes and 40 are needed"]);
    expect(adopt(&engine, slice(0), usize::MAX / 4), &["use smaller batches"]);
    let elsewhere = ["the memory is of GPU 1; expected memory of the primary context of GPU 0", "copy it"];
    expect(adopt(&engine, slice(1), 4), &elsewhere);
    let apart = CudaContext::new_non_primary(0, 0).unwrap().default_stream();
    let foreign = apart.clone_htod(&[1_u32; 8]).unwrap();
    expect(adopt(&engine, foreign, 4), &["of another context of GPU 0", "copy it"]);
    let cpu = ["the engine is on the CPU; expected one of a GPU, as from `Engine::gpu`"];
    expect(adopt(&Engine::cpu(), slice(0), 4), &cpu);
    // An engine with both GPUs takes both.
    let both = Engine::gpus(&[0, 1]).unwrap();
    for ordinal in [0, 1] {
        let batch = adopt(&both, slice(ordinal), 4).unwrap();
        assert_eq!(batch.as_raw().unwrap().ordinal, ordinal);
        assert!(batch.download().unwrap().limbs() == [1; 8]);
    }

    let own = engine.upload(&words(&[1; 8])).unwrap();
    let here = own.as_raw().unwrap();
    for (memory, instances, expected) in [
        (RawMemory { bytes: 31, ..here }, 8, "the memory has 31 bytes and 32 are needed"),
        (
            RawMemory { pointer: here.pointer + 4, bytes: 4, ..here },
            1,
            "at a multiple of 16 bytes: copy it there first",
        ),
        (
            RawMemory { ordinal: 1, ..here },
            8,
            "the memory is of GPU 1; expected memory of the primary context",
        ),
    ] {
        let keeper = Arc::new(());
        // SAFETY: it is refused.
        let batch = unsafe {
            DeviceBatch::<u32>::from_raw(
                &engine,
                memory,
                keeper.clone(),
                ty("u32"),
                Layout::InstanceMajor,
                instances,
            )
        };
        expect(batch, &[expected]);
        assert_eq!(Arc::strong_count(&keeper), 1);
    }
    let cpu = Engine::cpu().upload(&words(&[1])).unwrap();
    let refused = ["the batch is on the CPU; expected one of a GPU"];
    expect(cpu.as_raw(), &refused);
    expect(cpu.stream().map(drop), &refused);
    expect(cpu.into_cuda_slice(), &refused);
}

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn engines_that_there_are_not() {
    expect(Engine::gpu(2), &["there is no GPU 2: expected a number below 2"]);
    expect(Engine::gpus(&[0, 1, 0]), &["GPU 0 is given twice"]);
    expect(Engine::gpus(&[]), &["GPU"]);
}
