//! Everything that needs a GPU and an nvrtc.
//!
//! Without them these tests are ignored, unless `LIMBFORGE_REQUIRE_GPU` is set. `made_up` runs them all
//! again on a driver that is compiled from `gpu/driver.c`, so that they run on every machine with a C
//! compiler and an nvrtc.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "gpu/foreign.rs"]
mod foreign;
#[path = "gpu/made_up.rs"]
mod made_up;
#[path = "gpu/programs.rs"]
mod programs;
#[path = "gpu/streams.rs"]
mod streams;

use limbforge_gpu::{
    Cache, Compiler, Device, DeviceBuffer, Footprint, GpuError, LoadedProgram, Nvrtc, NvrtcError, Target,
};
use limbforge_kernels_gen::{Geometry, Kernel};
use limbforge_needs::needs;

const SOURCE: &str =
    "extern \"C\" __global__ void add(const unsigned* in0, const unsigned* in1, unsigned* out,
                                                       unsigned long long instances) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < instances) out[i] = in0[i] + in1[i];
}";

fn add() -> Kernel {
    Kernel {
        source: SOURCE.to_owned(),
        entry: "add".to_owned(),
        inputs: vec!["a".to_owned(), "b".to_owned()],
        geometry: Geometry { threads: 128, instances: 128, planes: 1, shared_bytes: 0 },
        marks: false,
        outputs: 1,
        zeroed: 0,
    }
}

fn words() -> Footprint {
    Footprint { inputs: vec![4, 4], outputs: vec![4] }
}

fn open() -> Result<(Device, Compiler), GpuError> {
    let device = Device::open(0)?;
    let compiler = Compiler::new(Nvrtc::find(Some(device.info().driver))?, Cache::new(None));
    Ok((device, compiler))
}

fn gpu() -> (Device, Compiler) {
    open().unwrap_or_else(|error| panic!("{error}"))
}

/// Operands and sums of N instances, as words and as bytes.
fn batch(n: usize) -> [Vec<u8>; 3] {
    let a: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let b: Vec<u32> = (0..n as u32).map(|i| !i.rotate_left(7)).collect();
    let sum: Vec<u32> = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
    [a, b, sum].map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn load((device, compiler): &(Device, Compiler)) -> LoadedProgram {
    device.load_kernel(compiler, &add(), words()).unwrap()
}

/// Starts a kernel on buffers.
fn run(
    device: &Device,
    kernel: &LoadedProgram,
    inputs: &[&DeviceBuffer],
    output: &mut DeviceBuffer,
    instances: u64,
) -> Result<(), GpuError> {
    let scratch = device.scratch(kernel, instances)?;
    device.run_program(kernel, inputs, &scratch, output, instances)
}

/// Copies operands to the device, runs a kernel on them, and copies the results back.
fn eval(device: &Device, kernel: &LoadedProgram, inputs: [&[u8]; 2], output: &mut [u8]) {
    let [a, b] = inputs.map(|input| device.upload(input).unwrap());
    let mut result = device.alloc(output.len() as u64).unwrap();
    run(device, kernel, &[&a, &b], &mut result, output.len() as u64 / 4).unwrap();
    result.copy_to(output).unwrap();
}

#[needs(gpu, nvrtc)]
#[test]
fn a_kernel_on_slices() {
    let gpu = gpu();
    let program = load(&gpu);
    let kernel = program.kernels().next().unwrap();
    assert!(matches!(kernel.target(), Target::Cubin(_)) || std::env::var_os("FAKE_REFUSE").is_some());
    assert!(kernel.resources().registers > 0 && kernel.resources().local_bytes == 0);
    assert!(kernel.occupancy() > 0.0 && kernel.occupancy() <= 1.0, "{}", kernel.occupancy());
    for n in [0, 1, 31, 127, 128, 129, 100_003] {
        let [a, b, sum] = batch(n);
        let mut result = vec![0xAA; 4 * n];
        eval(&gpu.0, &program, [&a, &b], &mut result);
        assert!(result == sum, "{n}");
    }
}

#[needs(gpu, nvrtc)]
#[test]
fn a_kernel_on_buffers_writes_its_instances_only() {
    let gpu = gpu();
    let kernel = load(&gpu);
    let device = &gpu.0;
    let (a, b) = (device.upload(&[1_u32, 2, 3, 4]).unwrap(), device.upload(&[10_u64, 20]).unwrap());
    let mut out = device.alloc(16).unwrap();
    out.fill(0xEE).unwrap();
    run(device, &kernel, &[&a, &b], &mut out, 3).unwrap();
    device.synchronize().unwrap();
    let mut result = [0_u32; 4];
    out.copy_to(&mut result).unwrap();
    assert_eq!(result, [11, 2, 23, 0xEEEE_EEEE]);
    assert_eq!(out.bytes(), 16);
}

#[needs(gpu, nvrtc)]
#[test]
fn wrong_buffers_are_errors() {
    let gpu = gpu();
    let kernel = load(&gpu);
    let device = &gpu.0;
    let (a, mut out) = (device.alloc(16).unwrap(), device.alloc(12).unwrap());
    let size = |what: &str, expected, found| Err(GpuError::Size { what: what.to_owned(), expected, found });
    assert_eq!(run(device, &kernel, &[&a, &a], &mut out, 4), size("the result's buffer", 16, 12));
    assert_eq!(run(device, &kernel, &[&a, &a], &mut out, 5), size("input 0", 20, 16));
    assert!(matches!(
        run(device, &kernel, &[&a], &mut out, 1),
        Err(GpuError::Inputs { expected: 2, found: 1, .. })
    ));
    assert!(run(device, &kernel, &[&a, &a], &mut out, u64::MAX).is_err());
    let slices: [&[u8]; 2] = [&[0; 8], &[0; 12]];
    let refused = device.stream_slices(&kernel, &slices, &mut [0; 8], 2, 1 << 20).map(drop);
    assert_eq!(refused, size("input 1", 8, 12));
    assert_eq!(out.copy_from(&[0_u32; 4]), size("the buffer", 16, 12));
    assert_eq!(out.copy_to(&mut [0_u32; 4]), size("the buffer", 16, 12));

    let nothing =
        device.load_kernel(&gpu.1, &add(), Footprint { inputs: vec![0, 0], outputs: vec![0] }).unwrap();
    let error = run(device, &nothing, &[&a, &a], &mut out, 1 << 60).unwrap_err();
    assert!(matches!(error, GpuError::Grid { .. }), "{error}");
}

#[needs(gpu)]
#[test]
fn too_much_memory_is_an_error() {
    let device = Device::open(0).unwrap_or_else(|error| panic!("{error}"));
    for asked in [1 << 50, u64::MAX] {
        let error = device.alloc(asked).unwrap_err();
        let GpuError::OutOfMemory { asked: named, free } = error else { panic!("{error:?}") };
        assert!(named == asked && free > 0 && free <= device.memory().unwrap().total);
    }
    device.alloc(1 << 20).unwrap();
}

#[needs(gpu, nvrtc)]
#[test]
fn kernels_that_do_not_fit_are_errors() {
    let (device, compiler) = gpu();
    let load = |change: fn(&mut Kernel)| {
        let mut kernel = add();
        change(&mut kernel);
        device.load_kernel(&compiler, &kernel, words())
    };
    assert!(matches!(
        load(|kernel| kernel.geometry.shared_bytes = 1 << 20),
        Err(GpuError::SharedMemory { asked: 1_048_576, .. })
    ));
    assert!(matches!(
        load(|kernel| kernel.geometry.threads = 2048),
        Err(GpuError::Threads { asked: 2048, .. })
    ));
    assert!(matches!(load(|kernel| kernel.entry = "sub".to_owned()), Err(GpuError::Entry { .. })));
    assert!(matches!(load(|kernel| kernel.entry = "a\0".to_owned()), Err(GpuError::Entry { .. })));
    assert!(matches!(load(|kernel| drop(kernel.inputs.pop())), Err(GpuError::Inputs { .. })));
    let wrong = load(|kernel| kernel.source.push('?')).unwrap_err();
    assert!(matches!(wrong, GpuError::Nvrtc(NvrtcError::Compile(_))), "{wrong}");
}

#[needs(gpu, nvrtc)]
#[test]
fn a_block_may_have_all_shared_memory_of_the_device() {
    let (device, compiler) = gpu();
    let mut kernel = add();
    kernel.geometry.shared_bytes = device.info().shared_per_block as u32;
    let kernel = device.load_kernel(&compiler, &kernel, words()).unwrap();
    let [a, b, sum] = batch(1000);
    let mut result = vec![0; 4000];
    eval(&device, &kernel, [&a, &b], &mut result);
    assert!(result == sum);
}

#[needs(gpu, nvrtc)]
#[test]
fn the_architectures_own_instructions() {
    let (device, compiler) = gpu();
    let program = device.load_kernel(&compiler, &add(), words()).unwrap();
    let targets = program.kernels().map(|kernel| kernel.target().arch());
    assert!(targets.into_iter().all(|arch| arch.specific == device.info().limits().warpgroups));
}

#[needs(gpu, nvrtc)]
#[test]
fn times() {
    let gpu = gpu();
    let kernel = load(&gpu);
    let device = &gpu.0;
    let (a, mut out) = (device.alloc(4 << 20).unwrap(), device.alloc(4 << 20).unwrap());
    let mut runs = 0;
    let timings = device.time(2, 5, || {
        runs += 1;
        run(device, &kernel, &[&a, &a], &mut out, 1 << 20)
    });
    let timings = timings.unwrap();
    assert_eq!((runs, timings.all.len()), (7, 5));
    assert!(timings.min_ms > 0.0 && timings.min_ms <= timings.median_ms);
}

#[needs(gpu, nvrtc)]
#[test]
fn threads_share_a_device() {
    let gpu = gpu();
    let kernel = load(&gpu);
    std::thread::scope(|scope| {
        for n in [1000, 2000, 3000] {
            let (device, kernel) = (&gpu.0, &kernel);
            scope.spawn(move || {
                let [a, b, sum] = batch(n);
                let mut result = vec![0; 4 * n];
                eval(device, kernel, [&a, &b], &mut result);
                assert!(result == sum);
            });
        }
    });
}

/// Many more than are on their way at once, from memory that is used again.
#[needs(gpu, nvrtc)]
#[test]
fn copies_that_nobody_waits_for() {
    let device = gpu().0;
    let words = |i: u32| [i, !i, i << 16, 7];
    let buffers: Vec<DeviceBuffer> = (0..300).map(|i| device.upload_later(&words(i)).unwrap()).collect();
    for (i, buffer) in (0..).zip(&buffers) {
        let mut found = [0; 4];
        buffer.copy_to(&mut found).unwrap();
        assert_eq!(found, words(i));
    }
    assert_eq!(device.upload_later::<u8>(&[]).unwrap().bytes(), 0);
}
