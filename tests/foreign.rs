//! Resident batches in memory of others: kernels of theirs write operands and read results, and nobody waits
//! on the CPU.
#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, unsafe_code, reason = "helpers of tests fail as tests do, and start kernels")]

use std::sync::Arc;

use limbforge::gpu::RawMemory;
use limbforge::gpu::cudarc::driver::{CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr};
use limbforge::gpu::cudarc::driver::{LaunchConfig, PushKernelArg};
use limbforge::gpu::cudarc::nvrtc::Ptx;
use limbforge::prelude::*;
use limbforge_needs::needs;

/// Adds 1 to each of so many words of 64 bits, after 40 million cycles: work that is not ordered behind it is
/// done long before.
const LATE: &str = "
.version 7.0
.target sm_75
.address_size 64
.visible .entry late(.param .u64 words, .param .u32 count)
{
    .reg .pred %p;
    .reg .b32 %r<4>;
    .reg .b64 %d<5>;
    mov.u64 %d1, %clock64;
WAIT:
    mov.u64 %d2, %clock64;
    sub.s64 %d3, %d2, %d1;
    setp.lt.s64 %p, %d3, 40000000;
    @%p bra WAIT;
    mov.u32 %r1, %tid.x;
    ld.param.u32 %r2, [count];
    setp.ge.u32 %p, %r1, %r2;
    @%p bra DONE;
    ld.param.u64 %d1, [words];
    cvta.to.global.u64 %d1, %d1;
    mul.wide.u32 %d2, %r1, 8;
    add.s64 %d1, %d1, %d2;
    ld.global.u64 %d4, [%d1];
    add.s64 %d4, %d4, 1;
    st.global.u64 [%d1], %d4;
DONE:
    ret;
}
";

const N: usize = 256;

struct Other {
    stream: Arc<CudaStream>,
    late: CudaFunction,
}

impl Other {
    fn new() -> Self {
        let context = CudaContext::new(0).unwrap();
        let late = context.load_module(Ptx::from_src(LATE)).unwrap().load_function("late").unwrap();
        Self { stream: context.new_stream().unwrap(), late }
    }

    /// Adds 1 to the words at an address, some time.
    fn start(&self, pointer: u64, words: usize) {
        let count = words as u32;
        let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1024, 1, 1), shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(&self.late);
        launch.arg(&pointer).arg(&count);
        // SAFETY: the parameters are the kernel's, and the caller keeps so many words.
        let _ = unsafe { launch.launch(config) }.unwrap();
    }

    /// A slice of `first, first + 1, ...` after the kernel, which has not run yet.
    fn slice(&self, first: u64, words: usize) -> CudaSlice<u64> {
        let before: Vec<u64> = (0..words as u64).map(|i| first + i - 1).collect();
        let slice = self.stream.clone_htod(&before).unwrap();
        self.start(slice.device_ptr(&self.stream).0, words);
        slice
    }
}

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

/// What a slice holds on the CPU.
fn batch(ty: IntType, layout: Layout, first: u64, words: usize) -> Batch<u64> {
    Batch::from_memory(ty, layout, (first..first + words as u64).collect::<Vec<_>>()).unwrap()
}

#[needs(gpu, nvrtc)]
#[test]
fn work_is_ordered_behind_that_of_others_and_before_it() {
    let (engine, other) = (Engine::gpu(0).unwrap(), Other::new());
    // The width of whole limbs, and one with bits to clear.
    for (ty, layout) in [
        (ty("u256"), Layout::InstanceMajor),
        (ty("u256"), Layout::Interleaved),
        (ty("u197"), Layout::InstanceMajor),
        (ty("i193"), Layout::Interleaved),
    ] {
        let expr = Expr::parse("a*b + a").unwrap();
        let prepared = engine.prepare::<u64>(&expr, ty, &Placement::new(layout)).unwrap();
        let (first, second) = (u64::MAX / 3, u64::MAX / 5);
        let [a, b] = [first, second].map(|first| {
            DeviceBatch::from_cuda_slice(&engine, other.slice(first, 4 * N), ty, layout, N).unwrap()
        });
        let found = prepared.run(&[("a", &a), ("b", &b)]).unwrap();
        let [x, y] = [first, second].map(|first| batch(ty, layout, first, 4 * N));
        let expected = Engine::cpu().eval(&expr, &[("a", &x), ("b", &y)]).unwrap();

        // Read by another stream; the result has memory of its own, so it is given away.
        let given = found.clone();
        let copy = other.stream.clone_dtoh(&found.into_cuda_slice().unwrap()).unwrap();
        assert!(copy == expected.limbs(), "{ty} {layout:?}");
        let pointer = given.as_raw().unwrap().pointer;
        let slice = given.into_cuda_slice().unwrap();
        assert_eq!(slice.device_ptr(&other.stream).0, pointer);
        // Written by another stream, and taken again.
        other.start(pointer, 4 * N);
        other.stream.synchronize().unwrap();
        let words: Vec<u64> = expected.limbs().iter().map(|limb| limb.wrapping_add(1)).collect();
        assert!(other.stream.clone_dtoh(&slice).unwrap() == words);
        drop(slice);
        // Operands come back as they were; those whose bits were cleared are copies.
        let whole = ty.bits() % 64 == 0;
        let back = a.into_cuda_slice().unwrap();
        assert_eq!(back.stream().cu_stream() == other.stream.cu_stream(), whole);
        assert!(other.stream.clone_dtoh(&back).unwrap() == x.limbs());
    }
}

#[needs(gpu, nvrtc)]
#[test]
fn raw_memory_is_read_after_its_stream_and_freed_after_its_batch() {
    let (engine, other) = (Engine::gpu(0).unwrap(), Other::new());
    let ty = ty("u256");
    let square = engine.prepare::<u64>(&Expr::parse("a*a").unwrap(), ty, &Placement::default()).unwrap();
    for _ in 0..5 {
        let slice = Arc::new(other.slice(1000, 4 * N));
        let (pointer, bytes) = (slice.device_ptr(&other.stream).0, slice.num_bytes() as u64);
        let stream = Some(other.stream.cu_stream() as usize);
        let memory = RawMemory { ordinal: 0, pointer, bytes, stream };
        // SAFETY: the slice is the keeper; its kernel was started before, in the stream.
        let a = unsafe { DeviceBatch::<u64>::from_raw(&engine, memory, slice, ty, Layout::InstanceMajor, N) };
        let found = square.run(&[("a", &a.unwrap())]).unwrap();
        // The slice is freed here, and new memory is written to.
        let _noise: Vec<_> = (0..4).map(|_| other.slice(7, 4 * N)).collect();
        let x = batch(ty, Layout::InstanceMajor, 1000, 4 * N);
        let expected = Engine::cpu().eval(&Expr::parse("a*a").unwrap(), &[("a", &x)]).unwrap();
        // Read through the address, in the other stream.
        other.stream.join(found.stream().unwrap()).unwrap();
        other.start(found.as_raw().unwrap().pointer, 4 * N);
        found.stream().unwrap().join(&other.stream).unwrap();
        let words: Vec<u64> = expected.limbs().iter().map(|limb| limb.wrapping_add(1)).collect();
        assert!(found.download().unwrap().limbs() == words);
    }
}

#[needs(gpu, nvrtc)]
#[test]
fn instances_without_a_result_do_not_leave_as_integers() {
    let (engine, other) = (Engine::gpu(0).unwrap(), Other::new());
    let ty = ty("u64");
    let adopt = |words: &[u64]| {
        let slice = other.stream.clone_htod(words).unwrap();
        DeviceBatch::from_cuda_slice(&engine, slice, ty, Layout::InstanceMajor, words.len()).unwrap()
    };
    let quotient = engine.prepare::<u64>(&Expr::parse("a / b").unwrap(), ty, &Placement::default()).unwrap();
    let (a, b) = (adopt(&[7, 8, 9]), adopt(&[2, 0, 3]));
    assert!(a.failed().unwrap().is_empty() && b.failed().unwrap().is_empty());
    let found = quotient.run(&[("a", &a), ("b", &b)]).unwrap();
    assert_eq!(found.failed().unwrap(), [1]);
    assert!(matches!(found.into_cuda_slice(), Err(EngineError::Failed { first: 1, count: 1 })));
    let found = quotient.run(&[("a", &b), ("b", &a)]).unwrap().into_cuda_slice().unwrap();
    assert_eq!(other.stream.clone_dtoh(&found).unwrap(), [0, 0, 0]);
}
