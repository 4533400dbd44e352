//! What a user times: batches in the machine's memory and on the GPU, from call to result.
//!
//! `cargo run --release -p limbforge-benches --bin reach -- [BITS]`: a product of 2^32 bits an operand, medians of 5.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use limbforge::gpu::{Compiler, Device};
use limbforge::prelude::*;

fn median(mut run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut times = vec![];
    for _ in 0..7 {
        let start = Instant::now();
        run()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(times)
}

fn show(what: &str, times: &[f64]) {
    let mut sorted = times[2..].to_vec();
    sorted.sort_by(f64::total_cmp);
    let all: Vec<String> = times.iter().map(|time| format!("{time:.1}")).collect();
    println!("{what}: {:.2} ms; all {}", sorted[sorted.len() / 2], all.join(" "));
}

fn main() -> Result<(), Box<dyn Error>> {
    let bits: u64 = std::env::args().nth(1).map_or(Ok(8192), |bits| bits.parse())?;
    let ty = IntType::unsigned(bits)?;
    let (m, n) = ((bits / 64) as usize, (1_u64 << 32) as usize / bits as usize);
    let words = |seed: u64| {
        (0..(n * m) as u64).map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect::<Vec<u64>>()
    };
    let start = Instant::now();
    let engine = Engine::gpu(0)?;
    println!("engine {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let a = Batch::from_limbs(ty, Layout::InstanceMajor, words(1))?;
    let b = Batch::from_limbs(ty, Layout::InstanceMajor, words(2))?;
    let expr = Expr::parse("a * b")?;
    let start = Instant::now();
    let prepared = engine.prepare::<u64>(&expr, ty, &Placement::default())?;
    println!("prepare {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let inputs = [("a", &a), ("b", &b)];
    let first = prepared.eval(&inputs)?;
    show("eval, ordinary memory", &median(|| Ok(drop(prepared.eval(&inputs)?)))?);
    let mut result = first.clone();
    let _ = result.limbs_mut();
    show(
        "eval_into, ordinary memory, result warm",
        &median(|| Ok(prepared.eval_into(&inputs, &mut result)?))?,
    );
    assert!(result == first);
    let device = Device::open(0)?;
    let pin = |batch: &Batch<u64>| -> Result<Batch<u64>, Box<dyn Error>> {
        let mut pinned = device.pinned::<u64>(batch.limbs().len())?;
        pinned.as_mut_slice().copy_from_slice(batch.limbs());
        Ok(Batch::from_shared(ty, Layout::InstanceMajor, Arc::new(pinned))?)
    };
    let start = Instant::now();
    let (x, y) = (pin(&a)?, pin(&b)?);
    println!("pinning two {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let pinned = [("a", &x), ("b", &y)];
    show(
        "eval_into, operands pinned, result warm",
        &median(|| Ok(prepared.eval_into(&pinned, &mut result)?))?,
    );
    assert!(result == first);
    let compiler = Compiler::from_environment()?;
    let limits = device.info().limits();
    use limbforge::kernels_gen::{InputSpec, LimbKind, Product, Program, ProgramSpec, Target};
    let spec = ProgramSpec {
        dag: expr.to_dag(),
        ty,
        limb: LimbKind::of_any::<u64>()?,
        inputs: ["a", "b"].map(|name| InputSpec::integers(name, Layout::InstanceMajor, false)).to_vec(),
        output: Layout::InstanceMajor,
        product: Product::Auto,
        target: Target::Cuda,
    };
    let (program, kernels) = Program::with_kernels(&spec, &limits, &device.info().planner().0)?;
    let loaded = device.load_program(&compiler, &program, &kernels)?;
    let mut out = device.pinned::<u64>(n * m)?;
    fn bytes(words: &[u64]) -> &[u8] {
        bytemuck::cast_slice(words)
    }
    let slices = [bytes(x.limbs()), bytes(y.limbs())];
    let run = |out: &mut [u64]| {
        device.stream_slices(&loaded, &slices, bytemuck::cast_slice_mut(out), n as u64, 8 << 30)
    };
    show("stream, all pinned", &median(|| Ok(drop(run(out.as_mut_slice())?)))?);
    assert!(out.as_slice() == first.limbs());
    let (da, db) = (device.upload(x.limbs())?, device.upload(y.limbs())?);
    let mut dout = device.alloc((n * m * 8) as u64)?;
    let scratch = device.scratch(&loaded, n as u64)?;
    let timings =
        device.time(5, 20, || device.run_program(&loaded, &[&da, &db], &scratch, &mut dout, n as u64))?;
    println!("kernel {:.4} ms", timings.median_ms);
    show("upload of one, ordinary", &median(|| Ok(drop(device.upload(a.limbs())?)))?);
    Ok(())
}
