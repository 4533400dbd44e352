//! The memory floor: a plain addition of vectors, which reads two streams and writes one.

use limbforge_cli::error::CliError;
use limbforge_cli::gpu::{batch::WARMUP, kernels::Gpu};
use limbforge_gpu::{DeviceBuffer, Footprint, GpuError, LoadedProgram};
use limbforge_kernels_gen::{Geometry, Kernel};

use super::row::Floor;

/// Bytes of a vector.
const VECTOR_BYTES: u64 = 16;

const THREADS: u32 = 256;

const SOURCE: &str = r#"
extern "C" __global__ void __launch_bounds__(256) vector_add(
    const uint4* __restrict__ a, const uint4* __restrict__ b, uint4* __restrict__ out, unsigned long long vectors) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= vectors) return;
  const uint4 x = a[i], y = b[i];
  out[i] = make_uint4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
"#;

/// Loads the kernel, of which an instance is a vector of four 32-bit words, and validates full blocks and a
/// part of one.
pub(super) fn load(gpu: &Gpu) -> Result<LoadedProgram, CliError> {
    let footprint = Footprint { inputs: vec![VECTOR_BYTES; 2], outputs: vec![VECTOR_BYTES] };
    let kernel = Kernel {
        source: SOURCE.to_owned(),
        entry: "vector_add".to_owned(),
        inputs: vec!["a".to_owned(), "b".to_owned()],
        geometry: Geometry { threads: THREADS, instances: THREADS, planes: 1, shared_bytes: 0 },
        marks: false,
        outputs: 1,
        zeroed: 0,
    };
    let kernel = gpu.device.load_kernel(&gpu.compiler, &kernel, footprint)?;
    let vectors = 1000 * THREADS + 77;
    let a: Vec<u32> = (0..4 * vectors).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let b: Vec<u32> = (0..4 * vectors).map(|i| !i.wrapping_mul(0x85eb_ca6b)).collect();
    let (x, y) = (gpu.device.upload(&a)?, gpu.device.upload(&b)?);
    let mut out = gpu.device.alloc(u64::from(vectors) * VECTOR_BYTES)?;
    let scratch = gpu.device.scratch(&kernel, vectors.into())?;
    gpu.device.run_program(&kernel, &[&x, &y], &scratch, &mut out, vectors.into())?;
    let mut found = vec![0_u32; a.len()];
    out.copy_to(&mut found)?;
    let expected = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b));
    match found.iter().zip(expected).position(|(found, expected)| *found != expected) {
        None => Ok(kernel),
        Some(word) => Err(CliError::BenchDiffers { spec: "vector-add".to_owned(), instance: word / 4 }),
    }
}

/// Times the kernel on buffers of other kernels.
pub(super) fn floor(
    gpu: &Gpu,
    kernel: &LoadedProgram,
    inputs: [&DeviceBuffer; 2],
    output: &mut DeviceBuffer,
    repeats: u32,
) -> Result<Floor, GpuError> {
    let vectors = inputs[0].bytes() / VECTOR_BYTES;
    let scratch = gpu.device.scratch(kernel, vectors)?;
    let run = || gpu.device.run_program(kernel, &inputs, &scratch, output, vectors);
    let median_ms = gpu.device.time(WARMUP, repeats as usize, run)?.median_ms;
    Ok(Floor { bytes: 3 * vectors * VECTOR_BYTES, median_ms })
}
