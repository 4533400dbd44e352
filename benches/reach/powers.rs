//! Powers in batches of all sizes beside the classical kernel: what an engine takes is never slower.

use limbforge::prelude::*;
use serde_json::{Map, Value, json};

use super::{Outcome, loaded, put_of, ratio};

const TEXT: &str = "powmod(a, e, m)";

/// Whose modulus it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Modulus {
    OfEach,
    OfAll,
}

/// Instances of the batches. Those of more bits than `MOST_BITS` are a tenth.
const BATCHES: [usize; 4] = [1, 100, 10_000, 1_000_000];

/// Bits of an operand of the largest batch: at 8192 bits the classical kernel takes 18 seconds for a tenth of it.
const MOST_BITS: usize = 1 << 32;

/// Runs that count of small batches, and of batches of millions of powers.
const RUNS: usize = 5;
const FEW_RUNS: usize = 1;

/// Milliseconds of powers with an exponent of each instance, on the GPU: by an engine, which may take residue number
/// systems or folds, and by the classical kernel.
pub(super) fn measure(bits: u64, modulus: Modulus) -> Outcome<Value> {
    let (ty, engine, device) = (IntType::unsigned(bits)?, Engine::gpu(0)?, limbforge::gpu::Device::open(0)?);
    let is_one = modulus == Modulus::OfAll;
    let placement = if is_one { Placement::default().with_broadcast("m") } else { Placement::default() };
    let prepared = engine.prepare::<u64>(&Expr::parse(TEXT)?, ty, &placement)?;
    let classical = loaded(&device, TEXT, &[("a", false), ("e", false), ("m", is_one)], ty)?;
    let mut rows = vec![];
    for batch in BATCHES {
        let count = if batch as u64 * bits > MOST_BITS as u64 { batch / 10 } else { batch };
        let runs = if count > 10_000 { FEW_RUNS } else { RUNS };
        let moduli = if is_one { 1 } else { count };
        let [a, e, m] = [(1, count), (2, count), (3, moduli)].map(|(seed, count)| operand(ty, seed, count));
        let (a, e, m) = (a?, e?, m?);
        let [x, y, z] = [&a, &e, &m].map(|batch| engine.upload(batch));
        let (x, y, z) = (x?, y?, z?);
        let mut times = Map::new();
        let inputs = [("a", &x), ("e", &y), ("m", &z)];
        // The first run takes the other program from the compiler.
        let found = prepared.run(&inputs)?.download()?;
        put_of(runs, &mut times, "engine", || Ok(prepared.run(&inputs)?.wait()?))?;
        drop((x, y, z));
        let [x, y, z] = [&a, &e, &m].map(|batch| device.upload(batch.limbs()));
        let (x, y, z) = (x?, y?, z?);
        let (scratch, instances) = (device.scratch(&classical, count as u64)?, count as u64);
        let mut output = device.alloc(x.bytes())?;
        let timings = device.time(usize::from(runs > 1), runs, || {
            device.run_program(&classical, &[&x, &y, &z], &scratch, &mut output, instances)
        })?;
        let _ = times.insert("classical".to_owned(), json!(timings.median_ms));
        let mut limbs = vec![0_u64; found.limbs().len()];
        output.copy_to(&mut limbs)?;
        assert!(found.limbs() == limbs, "both have the same powers");
        let gain = ratio(&times, "classical", "engine");
        rows.push(json!({ "instances": count, "milliseconds": times, "gain": gain }));
    }
    Ok(
        json!({ "device": engine.device_name(), "bits": bits, "operation": TEXT, "one_modulus": is_one, "batches": rows }),
    )
}

/// Integers that differ with the seed, all bits of which are used; odd ones.
fn operand(ty: IntType, seed: u64, count: usize) -> Outcome<Batch<u64>> {
    let limbs = ty.bits() as usize / 64;
    let word = |i: usize| {
        let word = ((seed << 40) + i as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(31)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (word ^ word >> 29) | u64::from(i.is_multiple_of(limbs)) | u64::from(i % limbs == limbs - 1) << 63
    };
    Ok(Batch::from_limbs(ty, Layout::InstanceMajor, (0..limbs * count).map(word).collect())?)
}
