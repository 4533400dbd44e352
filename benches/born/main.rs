//! Kernels of constants, counters and random integers beside a clearing of the same memory by the driver.
//!
//! `cargo run --release -p limbforge-benches --bin born -- 32 131 1024 8192` prints a line of JSON for each
//! width, limb and layout: medians of 9 runs by the GPU's clock, in GB/s, of batches of 2^33 bits. The first
//! integers of each are compared with those of the CPU.

use std::error::Error;

use limbforge::gpu::{Compiler, Device, Word};
use limbforge::kernels_gen::LimbKind;
use limbforge::kernels_gen::fill::FillSpec;
use limbforge::prelude::*;
use serde_json::{Map, Value, json};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Bits of a batch: much more than a level-2 cache holds.
const BITS: u64 = 1 << 33;
/// Runs before those that count, and runs that count.
const WARMUP: usize = 2;
const RUNS: usize = 9;
/// Integers that are compared.
const COMPARED: u64 = 1000;

fn main() -> Outcome {
    let device = Device::open(0)?;
    let compiler = Compiler::from_environment()?;
    for bits in std::env::args().skip(1) {
        let ty = IntType::unsigned(bits.parse()?)?;
        for layout in [Layout::InstanceMajor, Layout::Interleaved] {
            println!("{}", rates::<u32>(&device, &compiler, ty, layout)?);
            println!("{}", rates::<u64>(&device, &compiler, ty, layout)?);
        }
    }
    Ok(())
}

/// GB/s of each kind.
fn rates<B: Base + Word>(
    device: &Device,
    compiler: &Compiler,
    ty: IntType,
    layout: Layout,
) -> Outcome<Value> {
    let limb = LimbKind::of_any::<B>()?;
    let instances = BITS / u64::from(32 * limb.instance_words(ty));
    let bytes = instances * u64::from(4 * limb.instance_words(ty));
    let mut out = device.alloc(bytes)?;
    let rate = |milliseconds: f64| (bytes as f64 / milliseconds / 1e6).round();
    let mut rates = Map::new();
    let cleared = device.time(WARMUP, RUNS, || out.fill(0))?;
    rates.insert("clear".to_owned(), json!(rate(cleared.median_ms)));
    for (name, fill) in [
        ("constant", Fill::Constant(1.into())),
        ("counter, short step", Fill::counter(1, 2)),
        ("counter, long step", Fill::counter(1, (num_bigint::BigInt::from(1) << (ty.bits() - 1)) / 3)),
        ("random", Fill::random(1)),
    ] {
        let spec = FillSpec::new(&fill, ty, limb, layout);
        let program = spec.program(&device.info().limits())?;
        let kernels = program.render(&device.info().limits())?;
        let loaded = device.load_program(compiler, &program, &kernels)?;
        let (operand, scratch) = (device.upload(&spec.operand(0))?, device.scratch(&loaded, instances)?);
        let timed = device
            .time(WARMUP, RUNS, || device.run_program(&loaded, &[&operand], &scratch, &mut out, instances))?;
        let first: Batch<B> = fill.batch(ty, layout, 0..COMPARED.min(instances))?;
        // The beginning of the memory: whole integers, or the lowest limbs of as many.
        let expected: Vec<B> = match layout {
            Layout::InstanceMajor => first.limbs().to_vec(),
            Layout::Interleaved => (0..first.instances()).map(|i| first.limb(i, 0)).collect(),
        };
        let mut found = vec![B::ZERO; expected.len()];
        out.copy_to(&mut found)?;
        assert!(found == expected, "{spec}");
        rates.insert(name.to_owned(), json!(rate(timed.median_ms)));
    }
    let layout = format!("{layout:?}");
    Ok(json!({
        "device": device.info().name, "bits": ty.bits(), "limb": limb.to_string(), "layout": layout,
        "instances": instances, "gigabytes_a_second": rates,
    }))
}
