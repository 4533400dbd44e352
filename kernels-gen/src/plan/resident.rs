//! The blocks that a multiprocessor holds at once, and how much of each other's latency they hide.

use limbforge_algos::model::machine::Figures;

use super::device::DeviceFigures;
use crate::kernel::Block;
use crate::occupancy::{BlockUsage, Multiprocessor};

/// Lanes of a warp.
const WARP: u32 = 32;

/// Schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;

/// The share of an operation's time that a warp waits if its scheduler has no other one: on an H200, products
/// on tensor cores with one warp per scheduler take 10 to 17 % longer than with two.
const WAITING: f64 = 0.25;

/// Registers are allocated to threads in eights.
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
    /// By threads, block slots, shared memory and registers. A thread takes the registers that it wants, or
    /// those that the wanted number of blocks leaves it.
    pub(super) fn of(block: &Block, device: &DeviceFigures) -> Self {
        let (threads, multiprocessors) = (block.geometry.threads, device.multiprocessors);
        let shared_bytes = block.geometry.shared_bytes.into();
        let blocks = Multiprocessor::of(device.arch).map_or(1, |multiprocessor| {
            let all = multiprocessor.registers / (threads * block.wanted).max(1);
            let left = (all / REGISTER_UNIT * REGISTER_UNIT)
                .clamp(REGISTER_UNIT, multiprocessor.limits.thread_registers);
            let registers = block.registers.min(left);
            multiprocessor.occupancy(&BlockUsage { threads, registers, shared_bytes }).blocks
        });
        Self { blocks: blocks.max(1), threads, multiprocessors }
    }

    /// Warps at once.
    pub(super) const fn warps(&self) -> u32 {
        self.blocks * self.threads.div_ceil(WARP)
    }

    /// The factor by which operations take longer than if a warp were always ready.
    pub(super) fn slower(&self) -> f64 {
        let warps = f64::from(self.warps()) / SCHEDULERS;
        (1.0 + WAITING / warps.max(1.0)) / warps.min(1.0)
    }

    /// Consecutive barriers that no other work hides, for so many of each of `all` blocks: while a block
    /// waits, the other resident ones compute, each for `block_cycles`.
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
