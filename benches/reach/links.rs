//! The links of several GPUs alone: what the copies of a product take at least, without its kernel.

use std::panic::resume_unwind;
use std::thread;

use limbforge::prelude::*;
use serde_json::{Map, Value, json};

use super::{Outcome, operand, pinned, put, ratio};

/// Pinned batches of a GPU, and one that is on it.
struct Link {
    engine: Engine,
    operands: [Batch<u64>; 2],
    result: Batch<u64>,
    resident: DeviceBatch<u64>,
}

/// Milliseconds in which `count` GPUs copy the operands and the results of 2^32 bits an operand together, both
/// directions at once, and in which one copies all of them.
pub(super) fn measure(count: usize) -> Outcome<Value> {
    let (ty, mut times) = (IntType::unsigned(8192)?, Map::new());
    for (gpus, name) in [(1, "one"), (count, "all")] {
        let mut links = (0..gpus).map(|gpu| Link::new(gpu, gpus, ty)).collect::<Outcome<Vec<_>>>()?;
        put(&mut times, name, || {
            thread::scope(|scope| {
                let copies: Vec<_> = links.iter_mut().flat_map(|link| link.start(scope)).collect();
                copies
                    .into_iter()
                    .try_for_each(|copy| copy.join().unwrap_or_else(|panic| resume_unwind(panic)))
            })?;
            Ok(())
        })?;
        for link in &links {
            assert!(link.result == link.operands[0], "what is copied to a GPU and back is the same");
        }
    }
    let ratio = ratio(&times, "one", "all");
    Ok(json!({ "milliseconds": times, "times_as_fast": ratio }))
}

impl Link {
    /// With a share of the batch.
    fn new(gpu: usize, gpus: usize, ty: IntType) -> Outcome<Self> {
        let engine = Engine::gpu(gpu)?;
        let all = operand(ty, 1)?;
        let part = all.slice(0..all.instances() / gpus);
        let copy = || pinned(&engine, &part);
        let (operands, mut result) = ([copy()?, copy()?], copy()?);
        result.limbs_mut().fill(0);
        let resident = engine.upload(&operands[0])?;
        Ok(Self { engine, operands, result, resident })
    }

    /// Starts a thread for each direction.
    fn start<'s>(
        &'s mut self,
        scope: &'s thread::Scope<'s, '_>,
    ) -> [thread::ScopedJoinHandle<'s, Result<(), EngineError>>; 2] {
        let Self { engine, operands, result, resident } = self;
        let upload = scope.spawn(|| {
            let copies = operands.iter().map(|operand| engine.upload(operand));
            copies.collect::<Result<Vec<_>, _>>()?.iter().try_for_each(DeviceBatch::wait)
        });
        [upload, scope.spawn(|| resident.download_into(result).map(drop))]
    }
}
