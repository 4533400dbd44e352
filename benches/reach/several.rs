//! Several expressions in one run beside each of them alone, over resident batches.

use limbforge::prelude::*;
use serde_json::{Map, Value, json};

use super::{Outcome, operand, put};

/// What is computed together, and what the time of each alone is asked for.
const SETS: [&[&str]; 3] = [&["a / b", "a % b"], &["a + b", "a - b", "a * b"], &["a / b", "a % b", "a + b"]];

/// Times of each set together, of each expression alone, and of all of them one after the other.
pub(super) fn measure(bits: u64) -> Outcome<Value> {
    let (ty, engine) = (IntType::unsigned(bits)?, Engine::gpu(0)?);
    // A divisor of half the bits, as in the tables of divisions.
    let (a, mut b) = (operand(ty, 1)?, operand(ty, 2)?);
    let limbs = b.limbs_per_instance();
    b.limbs_mut().chunks_exact_mut(limbs).for_each(|limbs| {
        let half = limbs.len() / 2;
        limbs[half..].fill(0);
    });
    let few = |batch: &Batch<u64>| batch.slice(0..100);
    let (few_a, few_b) = (few(&a), few(&b));
    let (x, y) = (engine.upload(&a)?, engine.upload(&b)?);
    let inputs = [("a", &x), ("b", &y)];
    let mut times = Map::new();
    for texts in SETS {
        let exprs = texts.iter().map(|text| Expr::parse(text)).collect::<Result<Vec<_>, _>>()?;
        let together = engine.prepare_all::<u64>(&exprs, ty, &Placement::default())?;
        let prepare = |expr| engine.prepare::<u64>(expr, ty, &Placement::default());
        let alone = exprs.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
        let on_cpu = Engine::cpu().eval_all(&exprs, &[("a", &few_a), ("b", &few_b)])?;
        let found = together.run(&inputs)?;
        for ((found, alone), on_cpu) in found.iter().zip(&alone).zip(on_cpu) {
            let found = found.download()?;
            assert!(few(&found) == on_cpu, "the GPU's results are the CPU's");
            assert!(found == alone.run(&inputs)?.download()?, "results together are those of each alone");
        }
        drop(found);
        put(&mut times, &texts.join(", "), || {
            together.run(&inputs)?.iter().try_for_each(DeviceBatch::wait)?;
            Ok(())
        })?;
        for (text, alone) in texts.iter().zip(&alone) {
            put(&mut times, text, || Ok(alone.run(&inputs)?.wait()?))?;
        }
        put(&mut times, &format!("{}, one after the other", texts.join(", ")), || {
            let found = alone.iter().map(|alone| alone.run(&inputs)).collect::<Result<Vec<_>, _>>()?;
            Ok(found.iter().try_for_each(DeviceBatch::wait)?)
        })?;
    }
    let device = engine.device_name().to_owned();
    Ok(json!({ "device": device, "bits": bits, "instances": a.instances(), "milliseconds": times }))
}
