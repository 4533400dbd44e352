//! How a batch is cut into chunks.

use std::ops::Range;

use crate::error::GpuError;
use crate::launch::MAX_BLOCKS;
use crate::program::LoadedProgram;

/// Chunks of one lane under way at once: while the device has one, the CPU fills or empties the other.
const SLOTS: u64 = 2;

/// The same where the device copies from the batches themselves: one chunk arrives, one is computed, one
/// leaves.
const DIRECT_SLOTS: u64 = 3;

/// Bytes that a chunk moves at least: a copy of 1 MiB takes 20 us, ten times as long as it takes to start.
const CHUNK_BYTES: u64 = 4 << 20;

/// Bytes that a chunk moves at most where fewer instances than the device has at once move as many: their copy
/// takes longer than they take to compute, and copies overlap with the kernels of other chunks only. Quotients
/// of 2^18 bits, 96 KiB an instance, of which an H200 has 16384 and more at once, took 44 ms for 1.6 GB from pinned
/// memory in one chunk, 14.6 of them in kernels, and 240 from ordinary memory.
const MOST_CHUNK_BYTES: u64 = 32 << 20;

/// A run of neighbouring instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its first instance.
    pub first: u64,
    /// Its number of instances.
    pub instances: u64,
}

impl Chunk {
    /// Its bytes in a batch that is in memory as a whole, with this many per instance.
    #[must_use]
    pub fn bytes(&self, per_instance: u64) -> Range<usize> {
        let at = |instance: u64| usize::try_from(instance.saturating_mul(per_instance)).unwrap_or(usize::MAX);
        at(self.first)..at(self.first.saturating_add(self.instances))
    }
}

/// How a batch goes through a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPlan {
    /// Instances of every chunk but the last, which may have fewer.
    pub instances_per_chunk: u64,
    /// Threads of the CPU, each with chunks of its own.
    pub lanes: u64,
    /// Chunks of a lane under way at once, at most.
    pub slots: u64,
    /// Bytes of one instance on the device: operands, result, and what passes between kernels.
    pub bytes_per_instance: u64,
}

/// What a plan depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// Bytes of one instance of the operands and the result, and with what passes between kernels.
    pub(super) moved: u64,
    pub(super) bytes: u64,
    /// Instances of a block, and of all blocks that the device has at once.
    pub(super) block: u64,
    pub(super) resident: u64,
    /// N.
    pub(super) instances: u64,
    /// Bytes on the device that all chunks under way may take together.
    pub(super) allowance: u64,
    /// Threads that may copy, or None where the device copies by itself.
    pub(super) threads: Option<u64>,
}

impl Demand {
    pub(super) fn new(program: &LoadedProgram, instances: u64, allowance: u64, threads: Option<u64>) -> Self {
        let footprint = program.footprint();
        let moved = footprint.inputs.iter().chain(&footprint.outputs);
        let moved = moved.fold(0_u64, |sum, &bytes| sum.saturating_add(bytes));
        Self {
            moved: moved.max(1),
            bytes: moved.saturating_add(program.scratch_bytes(1)).max(1),
            block: program.block_instances().max(1).into(),
            resident: program.resident_instances(),
            instances,
            allowance,
            threads,
        }
    }
}

impl StreamPlan {
    /// Chunks that are worth a copy and fill the device, of whole blocks, in as many lanes as have work and
    /// fit the allowance. If memory is short there are fewer lanes, then fewer chunks, then smaller ones.
    ///
    /// # Errors
    /// [`GpuError::Allowance`] if two chunks of one instance do not fit, or the only one.
    pub(super) fn new(demand: &Demand) -> Result<Self, GpuError> {
        let Demand { moved, bytes, block, resident, instances, allowance, threads } = *demand;
        let fewest = if instances <= 1 { 1 } else { 2 };
        let most = allowance / bytes;
        if most < fewest {
            return Err(GpuError::Allowance { allowance, least: bytes.saturating_mul(fewest) });
        }
        let worth = CHUNK_BYTES.div_ceil(moved).max(resident.min(MOST_CHUNK_BYTES / moved));
        let wanted = worth.min(instances).max(1).div_ceil(block).saturating_mul(block);
        let chunk = wanted.min(MAX_BLOCKS.saturating_mul(block));
        if instances <= chunk.min(most) {
            let instances_per_chunk = chunk.min(most);
            return Ok(Self { instances_per_chunk, lanes: 1, slots: 1, bytes_per_instance: bytes });
        }
        let slots = if threads.is_some() { SLOTS } else { DIRECT_SLOTS };
        let wanted = threads.unwrap_or(1).min(instances.div_ceil(chunk * slots));
        let lanes = wanted.min(most / (slots * chunk)).max(1);
        let slots = slots.min((most / chunk).max(fewest));
        let chunk = chunk.min(most / slots);
        let instances_per_chunk = if chunk >= block { chunk - chunk % block } else { chunk };
        Ok(Self { instances_per_chunk, lanes, slots, bytes_per_instance: bytes })
    }

    /// Bytes on the device, and at most as many of pinned memory.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.lanes * self.slots * self.instances_per_chunk * self.bytes_per_instance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEMAND: Demand = Demand {
        moved: 12,
        bytes: 12,
        block: 1,
        resident: 1,
        instances: 1 << 40,
        allowance: 1 << 30,
        threads: Some(16),
    };

    #[test]
    fn every_plan_keeps_its_allowance() {
        let mut plans = 0;
        for (moved, block, resident) in [(3, 1, 1), (12, 32, 4096), (3000, 3, 7), (3 << 20, 1, 132)] {
            for instances in [1, 2, 7, 1_000_000, 1 << 40] {
                for allowance in [moved, 2 * moved, 9 * moved, 6000 * moved, 1 << 20, 1 << 30, 1 << 37] {
                    for threads in [None, Some(1), Some(16)] {
                        let bytes = moved + 5;
                        let demand = Demand { moved, bytes, block, resident, instances, allowance, threads };
                        let fits = allowance >= if instances == 1 { bytes } else { 2 * bytes };
                        let plan = StreamPlan::new(&demand);
                        assert_eq!(plan.is_ok(), fits, "{demand:?}");
                        let Ok(plan) = plan else { continue };
                        assert!(plan.bytes() <= allowance, "{demand:?} {plan:?}");
                        assert!(plan.instances_per_chunk > 0 && (1..=3).contains(&plan.slots), "{plan:?}");
                        assert!((1..=threads.unwrap_or(1)).contains(&plan.lanes), "{plan:?}");
                        plans += 1;
                    }
                }
            }
        }
        assert!(plans > 200, "{plans}");
    }

    #[test]
    fn chunks_fill_the_device_and_are_whole_blocks() {
        let plan = StreamPlan::new(&Demand { block: 100, ..DEMAND }).unwrap();
        assert_eq!((plan.instances_per_chunk, plan.lanes, plan.slots), (349_600, 16, 2));
        let plan = StreamPlan::new(&Demand { block: 100, resident: 1_000_050, ..DEMAND }).unwrap();
        assert_eq!((plan.instances_per_chunk, plan.lanes, plan.slots), (1_000_100, 16, 2));
    }

    /// A batch of as many large instances as the device has at once is cut, so that copies and kernels overlap.
    #[test]
    fn chunks_of_large_instances_are_copied_while_others_are_computed() {
        let moved = 96 << 10;
        let demand = Demand { moved, bytes: 6 * moved, resident: 16_896, instances: 1 << 14, ..DEMAND };
        let plan = StreamPlan::new(&Demand { allowance: 1 << 37, ..demand }).unwrap();
        assert_eq!((plan.instances_per_chunk, plan.lanes, plan.slots), (341, 16, 2));
        let plan = StreamPlan::new(&Demand { allowance: 1 << 37, threads: None, ..demand }).unwrap();
        assert_eq!((plan.instances_per_chunk, plan.lanes, plan.slots), (341, 1, 3));
    }

    #[test]
    fn a_batch_that_is_one_chunk_is_not_cut() {
        let plan = StreamPlan::new(&Demand { instances: 70, block: 32, ..DEMAND }).unwrap();
        assert_eq!((plan.instances_per_chunk, plan.lanes, plan.slots), (96, 1, 1));
        let plan = StreamPlan::new(&Demand { instances: 5 << 20, ..DEMAND }).unwrap();
        assert_eq!((plan.lanes, plan.slots), (8, 2));
    }

    #[test]
    fn short_memory_costs_lanes_first() {
        let lanes = |allowance| {
            let plan = StreamPlan::new(&Demand { allowance, ..DEMAND }).unwrap();
            (plan.lanes, plan.slots, plan.instances_per_chunk)
        };
        let chunk = (CHUNK_BYTES).div_ceil(12);
        assert_eq!(lanes(12 * chunk * 2 * 3), (3, 2, chunk));
        assert_eq!(lanes(12 * 100), (1, 2, 50));
        assert_eq!(
            StreamPlan::new(&Demand { allowance: 23, ..DEMAND }),
            Err(GpuError::Allowance { allowance: 23, least: 24 })
        );
    }

    #[test]
    fn bytes_of_a_chunk() {
        assert_eq!(Chunk { first: 10, instances: 5 }.bytes(8), 80..120);
    }
}
