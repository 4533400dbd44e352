//! Resident batches in slices of cudarc's and in memory of others.
#![allow(unsafe_code, reason = "the tests vouch for their memory")]

use std::sync::Arc;

use limbforge::gpu::RawMemory;
use limbforge::gpu::cudarc::driver::{CudaContext, DevicePtr};
use limbforge::prelude::*;

use super::{sum, ty, words};

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn slices_go_in_and_out_without_a_copy_and_nothing_has_failed() {
    let (engine, stream) = (Engine::gpu(0).unwrap(), CudaContext::new(0).unwrap().new_stream().unwrap());
    let slice = stream.clone_htod(&[1_u32, 2, 3, u32::MAX, 99]).unwrap();
    let place = slice.device_ptr(&stream).0;
    // The last word is no instance.
    let a = DeviceBatch::from_cuda_slice(&engine, slice, ty("u32"), Layout::InstanceMajor, 4).unwrap();
    assert_eq!((a.ty(), a.layout(), a.instances()), (ty("u32"), Layout::InstanceMajor, 4));
    assert_eq!((a.failed().unwrap(), a.as_raw().unwrap().pointer), (vec![], place));
    let b = engine.upload(&words(&[10, 20, 30, 40])).unwrap();
    let found = sum(&engine).run(&[("a", &a), ("b", &b)]).unwrap();
    assert!(found.failed().unwrap().is_empty());
    assert_eq!(found.download().unwrap(), words(&[11, 22, 33, 39]));

    // Out of the hands of one batch alone it is the same memory, else a copy.
    let raw = found.as_raw().unwrap();
    assert_eq!((raw.ordinal, raw.bytes), (0, 16));
    assert_eq!(raw.stream, Some(found.stream().unwrap().cu_stream() as usize));
    let shared = found.clone();
    let copy = found.into_cuda_slice().unwrap();
    assert_ne!(copy.device_ptr(&stream).0, raw.pointer);
    let own = shared.into_cuda_slice().unwrap();
    assert_eq!(own.device_ptr(&stream).0, raw.pointer);
    let expected = [11, 22, 33, 39];
    assert_eq!([stream.clone_dtoh(&copy).unwrap(), stream.clone_dtoh(&own).unwrap()], [expected, expected]);
    let back = a.into_cuda_slice().unwrap();
    assert_eq!((back.device_ptr(&stream).0, back.len()), (place, 5));
    let again = DeviceBatch::from_cuda_slice(&engine, own, ty("u128"), Layout::InstanceMajor, 1).unwrap();
    assert_eq!(again.download().unwrap().instance(0), expected);
    let none = DeviceBatch::from_cuda_slice(
        &engine,
        again.into_cuda_slice().unwrap(),
        ty("u32"),
        Layout::Interleaved,
        0,
    );
    assert_eq!(none.unwrap().download().unwrap().instances(), 0);
}

#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn raw_memory_is_kept_as_long_as_the_batch_and_its_clones() {
    let (engine, stream) = (Engine::gpu(0).unwrap(), CudaContext::new(0).unwrap().new_stream().unwrap());
    let owner = Arc::new(stream.clone_htod(&[5_u32, 6, 7, 8]).unwrap());
    let pointer = owner.device_ptr(&stream).0;
    let memory = RawMemory { ordinal: 0, pointer, bytes: 16, stream: Some(stream.cu_stream() as usize) };
    // SAFETY: the slice is the keeper, and only read.
    let batch = unsafe {
        DeviceBatch::<u32>::from_raw(&engine, memory, owner.clone(), ty("u32"), Layout::InstanceMajor, 4)
    };
    let batch = batch.unwrap();
    let (clone, found) = (batch.clone(), sum(&engine).run(&[("a", &batch), ("b", &batch)]).unwrap());
    drop(batch);
    assert_eq!(Arc::strong_count(&owner), 2);
    assert_eq!((clone.failed().unwrap(), clone.download().unwrap()), (vec![], words(&[5, 6, 7, 8])));
    drop(clone);
    assert_eq!(Arc::strong_count(&owner), 1);
    drop(owner);
    assert_eq!(found.download().unwrap(), words(&[10, 12, 14, 16]));
    // Others order their work by the stream.
    let event = found.stream().unwrap().record_event(None).unwrap();
    stream.wait(&event).unwrap();
    found.stream().unwrap().join(&stream).unwrap();
}
