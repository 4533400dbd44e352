//! Memory of a device that others have allocated, and memory that is given to others.
#![allow(unsafe_code)]

use std::any::Any;
use std::sync::Arc;

use limbforge_gpu::cudarc::driver::{CudaContext, CudaSlice, DevicePtr};
use limbforge_gpu::{Device, DeviceBuffer, GpuError, RawMemory, devices};
use limbforge_needs::needs;

use super::{gpu, load, run};

const WORDS: [u32; 4] = [1, 2, 3, u32::MAX];

fn words(buffer: &DeviceBuffer) -> [u32; 4] {
    let mut words = [0; 4];
    buffer.copy_to(&mut words).unwrap();
    words
}

#[needs(gpu, nvrtc)]
#[test]
fn slices_go_in_and_out() {
    let gpu = gpu();
    let (device, kernel) = (&gpu.0, load(&gpu));
    // A context of its own: it is the primary one, too.
    let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
    let slice: CudaSlice<u32> = stream.clone_htod(&WORDS).unwrap();
    let place = slice.device_ptr(&stream).0;
    assert!(device.has(&slice));
    let a = device.adopt(slice).unwrap();
    assert_eq!((a.as_raw().pointer, a.bytes(), words(&a)), (place, 16, WORDS));
    let mut sum = device.alloc(16).unwrap();
    run(device, &kernel, &[&a, &a], &mut sum, 4).unwrap();
    // A slice comes out as it went in, and is the stream's again.
    let a: CudaSlice<u32> = a.into_cuda_slice().unwrap();
    assert_eq!((a.device_ptr(&stream).0, a.stream().cu_stream()), (place, stream.cu_stream()));
    assert_eq!(stream.clone_dtoh(&a).unwrap(), WORDS);
    // The device's own memory, read by another stream; no copy either.
    let place = sum.as_raw();
    assert_eq!(place.stream, Some(device.stream().cu_stream() as usize));
    let sum: CudaSlice<u64> = sum.into_cuda_slice().unwrap();
    assert_eq!((sum.len(), sum.device_ptr(&stream).0), (2, place.pointer));
    assert_eq!(stream.clone_dtoh(&sum).unwrap(), [2 | 4 << 32, 6 | (u64::from(u32::MAX) - 1) << 32]);
    // Other elements are a copy.
    let sum: CudaSlice<u8> = device.adopt(sum).unwrap().into_cuda_slice().unwrap();
    assert_eq!(stream.clone_dtoh(&sum).unwrap()[..8], [2, 0, 0, 0, 4, 0, 0, 0]);
    assert_ne!(sum.device_ptr(&stream).0, place.pointer);
    let nothing: CudaSlice<u32> = device.alloc(0).unwrap().into_cuda_slice().unwrap();
    assert!(nothing.is_empty());
}

#[needs(gpu, nvrtc)]
#[test]
fn raw_memory_is_kept_until_its_buffer_is_dropped() {
    let gpu = gpu();
    let device = &gpu.0;
    let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
    let slice = Arc::new(stream.clone_htod(&WORDS).unwrap());
    let pointer = slice.device_ptr(&stream).0;
    for stream in [Some(stream.cu_stream() as usize), Some(0), None] {
        let memory = RawMemory { ordinal: 0, pointer, bytes: 16, stream };
        // SAFETY: the slice is the keeper, and only read.
        let buffer = unsafe { device.adopt_raw(memory, slice.clone()) }.unwrap();
        assert_eq!((Arc::strong_count(&slice), words(&buffer)), (2, WORDS));
        let copy = buffer.try_clone().unwrap();
        // The keeper's memory is not given away.
        let given: CudaSlice<u32> = buffer.into_cuda_slice().unwrap();
        assert_eq!((Arc::strong_count(&slice), given.len()), (1, 4));
        assert_ne!(given.device_ptr(device.stream()).0, pointer);
        assert_eq!((device.stream().clone_dtoh(&given).unwrap(), words(&copy)), (WORDS.to_vec(), WORDS));
    }
}

/// Every memory that is refused, by its message.
#[needs(gpu, nvrtc)]
#[test]
fn foreign_memory_that_does_not_fit_is_an_error() {
    let device = gpu().0;
    let own = device.upload(&WORDS).unwrap();
    let ordinary = Box::new(WORDS);
    let pinned = device.pinned::<u32>(4).unwrap();
    let keeper: Arc<dyn Any + Send + Sync> = Arc::new(());
    let at = |pointer, bytes| RawMemory { ordinal: 0, pointer, bytes, stream: None };
    let place = own.as_raw();
    for (memory, expected) in [
        (at(place.pointer + 8, 8), "at a multiple of 16 bytes"),
        (at(&raw const *ordinary as u64 / 16 * 16, 16), "the memory is not known to the driver at address"),
        (at(pinned.as_slice().as_ptr() as u64, 16), "the memory is pinned memory of the machine; expected"),
        (at(place.pointer, 1 << 50), "the memory is not known to the driver at address"),
        (at(0, 16), "the memory is not known to the driver at address 0x0; expected memory of the primary"),
        (RawMemory { ordinal: 7, ..place }, "the memory is of GPU 7; expected memory of the primary context"),
    ] {
        // SAFETY: it is refused.
        let error = unsafe { device.adopt_raw(memory, keeper.clone()) }.unwrap_err();
        assert!(matches!(error, GpuError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().ends_with("copy it there first"), "{error}");
    }
    assert_eq!(Arc::strong_count(&keeper), 1);

    let apart = CudaContext::new_non_primary(0, 0).unwrap();
    let slice = apart.default_stream().clone_htod(&WORDS).unwrap();
    let error = device.adopt(slice).unwrap_err().to_string();
    assert!(error.starts_with("the memory is of another context of GPU 0; expected"), "{error}");
}

#[needs(gpu, nvrtc)]
#[test]
fn memory_of_several_devices_is_told_apart() {
    if devices().unwrap().len() < 2 {
        return;
    }
    let [first, second] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap());
    let slice = second.stream().clone_htod(&WORDS).unwrap();
    assert!(second.has(&slice) && !first.has(&slice));
    let pointer = slice.device_ptr(second.stream()).0;
    let memory = RawMemory { ordinal: 0, pointer, bytes: 16, stream: None };
    // SAFETY: it is refused.
    let error = unsafe { first.adopt_raw(memory, Arc::new(())) }.unwrap_err().to_string();
    assert!(
        error.starts_with("the memory is of GPU 1; expected memory of the primary context of GPU 0"),
        "{error}"
    );
    let error = first.adopt(slice).unwrap_err().to_string();
    assert!(error.starts_with("the memory is of GPU 1; expected"), "{error}");
}
