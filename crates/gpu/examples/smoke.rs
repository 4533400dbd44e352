//! A first run on a GPU: `cargo run --release -p limbforge-gpu --example smoke`.
//!
//! Compiles one kernel, checks every result it gives (at once, and streamed with a small allowance), measures it, and
//! ends with a line that says PASS or FAIL.

use std::process::ExitCode;
use std::time::Instant;

use limbforge_gpu::{Compiler, Device, DoctorReport, Footprint, GpuError, LoadedProgram, Timings};
use limbforge_kernels_gen::{Geometry, Kernel};

const SOURCE: &str =
    "extern \"C\" __global__ void add(const unsigned* in0, const unsigned* in1, unsigned* out,
                                                       unsigned long long instances) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < instances) out[i] = in0[i] + in1[i];
}";

/// Not a multiple of anything.
const N: usize = (1 << 26) + 17;

fn main() -> ExitCode {
    println!("{}", DoctorReport::collect());
    match run() {
        Ok(0) => {
            println!("PASS");
            ExitCode::SUCCESS
        }
        Ok(wrong) => {
            println!("FAIL: {wrong} wrong results");
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("FAIL: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The number of wrong results.
fn run() -> Result<usize, GpuError> {
    let device = Device::open(0)?;
    let add = load(&device)?;
    let words = |word: fn(u32) -> u32| (0..N as u32).map(word).collect::<Vec<u32>>();
    let operands = [words(|i| i.wrapping_mul(2_654_435_761)), words(|i| !i.rotate_left(7))];
    let wrong = at_once(&device, &add, &operands)? + streamed(&device, &add, &operands)?;
    let error = device.alloc(1 << 50).err();
    println!("too much memory: {error:?}");
    let expected = matches!(error, Some(GpuError::OutOfMemory { .. }));
    Ok(wrong + usize::from(!expected))
}

fn load(device: &Device) -> Result<LoadedProgram, GpuError> {
    let compiler = Compiler::from_environment()?;
    let kernel = Kernel {
        source: SOURCE.to_owned(),
        entry: "add".to_owned(),
        inputs: vec!["a".to_owned(), "b".to_owned()],
        geometry: Geometry { threads: 256, instances: 256, planes: 1, shared_bytes: 0 },
        marks: false,
        outputs: 1,
        zeroed: 0,
    };
    let start = Instant::now();
    let add = device.load_kernel(&compiler, &kernel, Footprint { inputs: vec![4, 4], outputs: vec![4] })?;
    let time = start.elapsed();
    for kernel in add.kernels() {
        let (target, resources, occupancy) = (kernel.target(), kernel.resources(), kernel.occupancy());
        println!("loaded in {time:?}: {target:?}, {resources:?}, occupancy {occupancy:.2}");
        if let Some(warning) = kernel.warning() {
            println!("warning: {warning}");
        }
    }
    Ok(add)
}

fn wrong(result: &[u32], [a, b]: &[Vec<u32>; 2]) -> usize {
    result.iter().zip(a.iter().zip(b)).filter(|(r, (a, b))| **r != a.wrapping_add(**b)).count()
}

fn at_once(device: &Device, add: &LoadedProgram, operands: &[Vec<u32>; 2]) -> Result<usize, GpuError> {
    let [a, b] = operands;
    let (in0, in1) = (device.upload(a)?, device.upload(b)?);
    let mut out = device.alloc(4 * N as u64)?;
    out.fill(0xAA)?;
    let scratch = device.scratch(add, N as u64)?;
    device.run_program(add, &[&in0, &in1], &scratch, &mut out, N as u64)?;
    let mut result = vec![0_u32; N];
    out.copy_to(&mut result)?;
    let wrong = wrong(&result, operands);
    let Timings { median_ms, min_ms, .. } =
        device.time(5, 50, || device.run_program(add, &[&in0, &in1], &scratch, &mut out, N as u64))?;
    let speed = 12.0 * N as f64 / median_ms / 1e6;
    println!("at once: {wrong} of {N} wrong; {median_ms:.4} ms (least {min_ms:.4}), {speed:.0} GB/s");
    Ok(wrong)
}

fn streamed(device: &Device, add: &LoadedProgram, operands: &[Vec<u32>; 2]) -> Result<usize, GpuError> {
    let bytes = |words: &Vec<u32>| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let [a, b] = operands.each_ref().map(bytes);
    let mut all_wrong = 0;
    for allowance in [1 << 20, 48 << 20, 192 << 20] {
        let mut bytes = vec![0xAA; 4 * N];
        let start = Instant::now();
        let plan = device.stream_slices(add, &[&a, &b], &mut bytes, N as u64, allowance)?;
        let time = start.elapsed();
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let wrong = wrong(&words, operands);
        all_wrong += wrong;
        let speed = 12.0 * N as f64 / time.as_secs_f64() / 1e9;
        println!("streamed with {} MiB: {wrong} wrong; {time:?}, {speed:.1} GB/s, {plan:?}", allowance >> 20);
    }
    Ok(all_wrong)
}
