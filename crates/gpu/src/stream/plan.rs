//! How a batch is cut into chunks.

use std::ops::Range;

use crate::error::GpuError;
use crate::launch::MAX_BLOCKS;
use crate::program::Footprint;

/// Slots of a pipeline: one chunk arrives, one is computed, one leaves.
const SLOTS: u64 = 3;

/// Slots if memory is too short for more.
const FEWEST_SLOTS: u64 = 2;

/// Bytes of a chunk that copies need no more than: larger ones are no faster, and pinned memory is dear.
const CHUNK_BYTES: u64 = 64 << 20;

/// Bytes of a chunk below which the time to start a copy shows.
const SMALL_CHUNK_BYTES: u64 = 4 << 20;

/// A run of neighbouring instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its number, from 0.
    pub index: u64,
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

/// How a pipeline is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPlan {
    /// Instances of every chunk but the last, which may have fewer.
    pub instances_per_chunk: u64,
    /// Chunks under way at once, at most: 2 or 3, or 1 of a single instance.
    pub slots: u64,
    /// Bytes of one instance: inputs, result, and what passes between kernels.
    pub bytes_per_instance: u64,
}

impl StreamPlan {
    /// Chunks as large as the allowance lets three be, but no larger than copies profit from; whole blocks of
    /// the kernel if there is room for one. A batch that would be few chunks is cut finer, so that it
    /// overlaps too, and no chunk is larger than the batch.
    ///
    /// # Errors
    /// [`GpuError::Allowance`] if two chunks of one instance do not fit, or the only one.
    pub(super) fn new(
        footprint: &Footprint,
        scratch: u64,
        block_instances: u32,
        instances: Option<u64>,
        allowance: u64,
    ) -> Result<Self, GpuError> {
        let moved = footprint.inputs.iter().fold(footprint.output, |sum, &input| sum.saturating_add(input));
        let bytes = moved.saturating_add(scratch).max(1);
        let fewest = if instances == Some(1) { 1 } else { FEWEST_SLOTS };
        let slots = if allowance / bytes >= SLOTS { SLOTS } else { fewest };
        let most = (allowance / bytes / slots).min((CHUNK_BYTES / bytes).max(1));
        if most == 0 {
            let least = bytes.saturating_mul(fewest);
            return Err(GpuError::Allowance { allowance, least });
        }
        let per_block = u64::from(block_instances.max(1));
        let overlapping = instances
            .map_or(u64::MAX, |all| all.div_ceil(2 * slots).max((SMALL_CHUNK_BYTES / bytes).min(all)).max(1));
        let wanted = overlapping.div_ceil(per_block).saturating_mul(per_block).min(most);
        let whole = if wanted >= per_block { wanted - wanted % per_block } else { wanted };
        let instances_per_chunk = whole.min(MAX_BLOCKS.saturating_mul(per_block));
        Ok(Self { instances_per_chunk, slots, bytes_per_instance: bytes })
    }

    /// Bytes on the device, and at most as many of pinned memory.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.slots * self.instances_per_chunk * self.bytes_per_instance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(bytes: u64, ipb: u32, instances: Option<u64>, allowance: u64) -> Result<StreamPlan, GpuError> {
        let footprint = Footprint { inputs: vec![bytes, bytes], output: bytes };
        StreamPlan::new(&footprint, 0, ipb, instances, allowance)
    }

    #[test]
    fn every_plan_keeps_its_allowance() {
        for bytes in [1, 4, 64, 1000, 1 << 20, 1 << 30] {
            for ipb in [1, 3, 32, 1000] {
                for instances in [None, Some(1), Some(7), Some(1_000_000), Some(1 << 40)] {
                    for allowance in [6 * bytes, 9 * bytes, 6000 * bytes, 1 << 20, 1 << 30, 1 << 37] {
                        let case = format!("{bytes} {ipb} {instances:?} {allowance}");
                        match plan(bytes, ipb, instances, allowance) {
                            Ok(plan) => {
                                assert!(plan.bytes() <= allowance, "{case}: {plan:?}");
                                assert!(
                                    plan.instances_per_chunk > 0 && (1..=3).contains(&plan.slots),
                                    "{case}"
                                );
                            }
                            Err(_) => {
                                let chunks = if instances == Some(1) { 1 } else { 2 };
                                assert!(allowance < chunks * 3 * bytes, "{case}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn chunks_are_whole_blocks_where_they_can_be() {
        let plan = plan(4, 256, Some(1 << 40), 12 * 3 * 1000).unwrap();
        assert_eq!((plan.instances_per_chunk, plan.slots), (768, 3));
    }

    #[test]
    fn a_batch_that_fits_is_still_cut() {
        let plan = plan(1 << 20, 1, Some(60), 1 << 34).unwrap();
        assert_eq!(plan.instances_per_chunk, 10);
    }

    #[test]
    fn no_chunk_is_larger_than_the_batch() {
        assert_eq!(plan(4, 1, Some(70), 1 << 30).unwrap().instances_per_chunk, 70);
        assert_eq!(plan(4, 32, Some(70), 1 << 30).unwrap().instances_per_chunk, 96);
        let alone = plan(1 << 20, 1, Some(1), 3 << 20).unwrap();
        assert_eq!((alone.instances_per_chunk, alone.slots), (1, 1));
    }

    #[test]
    fn an_allowance_that_is_too_small_is_an_error() {
        let least = 2 * 3 * 64;
        assert_eq!(plan(64, 1, None, least - 1), Err(GpuError::Allowance { allowance: least - 1, least }));
        assert_eq!(plan(64, 1, None, least).unwrap().slots, 2);
        assert!(plan(u64::MAX, 1, None, u64::MAX).is_err());
    }

    #[test]
    fn what_passes_between_kernels_counts() {
        let footprint = Footprint { inputs: vec![8], output: 8 };
        let plan = StreamPlan::new(&footprint, 84, 1, None, 3 * 100 * 7).unwrap();
        assert_eq!((plan.instances_per_chunk, plan.bytes_per_instance), (7, 100));
    }

    #[test]
    fn bytes_of_a_chunk() {
        let chunk = Chunk { index: 2, first: 10, instances: 5 };
        assert_eq!(chunk.bytes(8), 80..120);
    }
}
