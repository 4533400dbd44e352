//! What blocks a multiprocessor holds at once, and what they hide of each other's waiting.

use limbforge_algos::model::machine::Figures;

use super::device::DeviceFigures;
use crate::kernel::Block;
use crate::occupancy::{BlockUsage, Multiprocessor};

/// Lanes of a warp.
const WARP: u32 = 32;

/// Schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;

/// Part of its time that an operation of a warp waits, if no other warp of the scheduler can go on: products
/// on tensor cores with one warp of a scheduler take 10 to 17 % longer than with two on an H200.
const WAITING: f64 = 0.25;

/// Registers are given to threads by eights.
const REGISTER_UNIT: u32 = 8;

/// The blocks of a kernel on a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Resident {
    /// Blocks at once.
    blocks: u32,
    threads: u32,
    multiprocessors: u32,
}

impl Resident {
    /// By threads, block slots, shared memory and registers, of which a thread takes what it wants, or what
    /// is left if as many blocks are wanted.
    pub(super) fn of(block: &Block, device: &DeviceFigures) -> Self {
        let (threads, multiprocessors) = (block.geometry.threads, device.multiprocessors);
        let shared_bytes = block.geometry.shared_bytes.into();
        let blocks = Multiprocessor::of(device.arch).map_or(1, |multiprocessor| {
            let left =
                multiprocessor.registers / (threads * block.wanted).max(1) / REGISTER_UNIT * REGISTER_UNIT;
            let registers =
                block.registers.min(left.clamp(REGISTER_UNIT, multiprocessor.limits.thread_registers));
            multiprocessor.occupancy(&BlockUsage { threads, registers, shared_bytes }).blocks
        });
        Self { blocks: blocks.max(1), threads, multiprocessors }
    }

    /// Warps at once.
    pub(super) const fn warps(&self) -> u32 {
        self.blocks * self.threads.div_ceil(WARP)
    }

    /// How many times longer operations take than if there always were a warp that can go on.
    pub(super) fn slower(&self) -> f64 {
        let warps = f64::from(self.warps()) / SCHEDULERS;
        (1.0 + WAITING / warps.max(1.0)) / warps.min(1.0)
    }

    /// Barriers that nothing is done at, one after the other, for so many of each of `all` blocks: while a
    /// block waits, the others at once compute, each for `block_cycles`.
    pub(super) fn waits(&self, barriers: u32, block_cycles: f64, all: u64) -> f64 {
        let others = f64::from(self.blocks - 1) * block_cycles / Figures::H200.wait_cycles;
        let rounds = (all as f64 / (f64::from(self.multiprocessors) * f64::from(self.blocks))).ceil();
        rounds * (f64::from(barriers) - others).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Geometry;

    fn resident(threads: u32, shared_bytes: u32, registers: u32, wanted: u32) -> Resident {
        let geometry = Geometry { threads, instances: 1, planes: 1, shared_bytes };
        Resident::of(&Block { geometry, wanted, registers, barriers: 4 }, DeviceFigures::of(90))
    }

    #[test]
    fn the_scarcest_resource_decides() {
        // 64 K registers: 4 blocks of 128 threads with 128 each, or 8 if so many are asked for.
        assert_eq!((resident(128, 0, 128, 1).warps(), resident(128, 0, 128, 8).warps()), (16, 32));
        assert_eq!(resident(128, 100 << 10, 64, 1).warps(), 8);
        // A block that does not fit is one at a time.
        assert_eq!(resident(1024, 0, 200, 1).warps(), 32);
        // Two warps leave half of the schedulers idle.
        assert!((resident(32, 110 << 10, 64, 1).slower() - 2.5).abs() < 1e-9);
        assert!((resident(128, 100 << 10, 64, 1).slower() - 1.125).abs() < 1e-9);
    }

    #[test]
    fn others_compute_while_a_block_waits() {
        let alone = resident(1024, 200 << 10, 32, 1);
        assert!((alone.waits(4, 1e6, 132) - 4.0).abs() < 1e-9);
        assert!((alone.waits(4, 1e6, 264) - 8.0).abs() < 1e-9);
        let two = resident(1024, 100 << 10, 32, 1);
        assert!((two.waits(4, 75.0, 264) - 3.0).abs() < 1e-9 && two.waits(4, 1e6, 264) == 0.0);
    }
}
