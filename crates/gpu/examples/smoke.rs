//! A first run on a GPU: `cargo run --release -p limbforge-gpu --example smoke`.
//!
//! Compiles one kernel, checks every result it gives (at once, and streamed with a small allowance), measures it, and
//! ends with a line that says PASS or FAIL.

use std::process::ExitCode;
use std::time::Instant;

use limbforge_gpu::{Compiler, Device, DoctorReport, Footprint, GpuError};
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
    let compiler = Compiler::from_environment()?;
    let kernel = Kernel {
        source: SOURCE.to_owned(),
        entry: "add".to_owned(),
        inputs: vec!["a".to_owned(), "b".to_owned()],
        geometry: Geometry { threads: 256, instances: 256, planes: 1, shared_bytes: 0 },
        marks: false,
    };
    let start = Instant::now();
    let add = device.load(&compiler, &kernel, &Footprint { inputs: vec![4, 4], output: 4 })?;
    println!(
        "loaded in {:?}: {:?}, {:?}, occupancy {:.2}",
        start.elapsed(),
        add.target(),
        add.resources(),
        add.occupancy()
    );
    if let Some(warning) = add.warning() {
        println!("warning: {warning}");
    }

    let a: Vec<u32> = (0..N as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let b: Vec<u32> = (0..N as u32).map(|i| !i.rotate_left(7)).collect();
    let wrong = |result: &[u32]| {
        result.iter().zip(a.iter().zip(&b)).filter(|(r, (a, b))| **r != a.wrapping_add(**b)).count()
    };

    let (in0, in1) = (device.upload(&a)?, device.upload(&b)?);
    let mut out = device.alloc(4 * N as u64)?;
    out.fill(0xAA)?;
    device.run(&add, &[&in0, &in1], &mut out, N as u64)?;
    let mut result = vec![0_u32; N];
    out.copy_to(&mut result)?;
    let at_once = wrong(&result);
    let timings = device.time(5, 50, || device.run(&add, &[&in0, &in1], &mut out, N as u64))?;
    let speed = 12.0 * N as f64 / timings.median_ms / 1e6;
    println!(
        "at once: {at_once} of {N} wrong; {:.4} ms (least {:.4}), {speed:.0} GB/s",
        timings.median_ms, timings.min_ms
    );

    let [a_bytes, b_bytes] =
        [&a, &b].map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
    let program = add.into();
    let mut streamed_wrong = 0;
    for allowance in [1 << 20, 48 << 20, 192 << 20] {
        let mut bytes = vec![0xAA; 4 * N];
        let start = Instant::now();
        let plan = device.stream_slices(&program, &[&a_bytes, &b_bytes], &mut bytes, N as u64, allowance)?;
        let time = start.elapsed();
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let now = wrong(&words);
        streamed_wrong += now;
        let speed = 12.0 * N as f64 / time.as_secs_f64() / 1e9;
        println!("streamed with {} MiB: {now} wrong; {time:?}, {speed:.1} GB/s, {plan:?}", allowance >> 20);
    }

    let error = device.alloc(1 << 50).err();
    println!("too much memory: {error:?}");
    let expected = matches!(error, Some(GpuError::OutOfMemory { .. }));
    Ok(at_once + streamed_wrong + usize::from(!expected))
}
