//! The occupancy of a multiprocessor, computed from the resources of a compiled kernel.
//!
//! A multiprocessor holds as many blocks as the scarcest of four resources allows:
//!
//! - block slots: [`Multiprocessor::blocks`];
//! - threads: `multiprocessor_threads / T`, with T the block's threads rounded up to whole warps;
//! - registers: a warp takes `R = round_up(32 * registers, 256)`. It lives in one of the 4 equal parts of the
//!   register file, which has room for `4 * floor(registers / 4 / R)` warps, `T / 32` of them for a block.
//!   The block's warps, rounded up to a multiple of 4, may not exceed the registers of a block;
//! - shared memory: a block takes its static and dynamic shared memory and what the system reserves, rounded
//!   up to 128 bytes (256 on 7.5). All of the combined L1 cache and shared memory counts, as the driver
//!   configures it for kernels that need it.
//!
//! Sources: the technical specifications per compute capability in NVIDIA's CUDA programming guide, and the
//! granularities of the occupancy calculator in the CUDA toolkit.

use core::fmt;

use crate::spec::{Limits, WARP};

/// Unit of a warp's registers.
const REGISTER_UNIT: u32 = 256;
/// Parts of the register file, each with its own warps.
const REGISTER_PARTS: u32 = 4;

/// The resources of a multiprocessor of an architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiprocessor {
    /// The limits of one block.
    pub limits: Limits,
    /// Resident blocks.
    pub blocks: u32,
    /// 32-bit registers.
    pub registers: u32,
    /// Shared memory in bytes.
    pub shared_bytes: u64,
    /// Shared memory that the system reserves per block, in bytes.
    pub reserved_bytes: u64,
    /// Unit of a block's shared memory in bytes.
    pub shared_unit: u64,
}

/// The resources of a block of a compiled kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockUsage {
    /// Threads.
    pub threads: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Static and dynamic shared memory in bytes.
    pub shared_bytes: u64,
}

/// The resource that limits the occupancy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scarce {
    /// Resident threads.
    Threads,
    /// Resident blocks.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    SharedMemory,
}

/// The occupancy of a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Resident blocks; 0 if the kernel cannot run.
    pub blocks: u32,
    /// Resident threads.
    pub threads: u32,
    /// Resident threads of a full multiprocessor.
    pub max_threads: u32,
    /// The scarcest resource; the first in the order of [`Scarce`] among equals.
    pub scarce: Scarce,
}

impl Multiprocessor {
    /// The compute capabilities that [`of`](Self::of) knows, as numbers (75 for 7.5), ascending.
    pub const KNOWN: &[u32] = &[75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121];

    /// The multiprocessor of a compute capability by its number, 90 for 9.0; None if it is not known.
    #[must_use]
    pub const fn of(number: u32) -> Option<Self> {
        let (blocks, limits) = match number {
            75 => (16, Limits::SM_75),
            80 => (32, Limits::SM_80),
            86 => (16, Limits::SM_86),
            87 => (16, Limits { multiprocessor_threads: 1536, ..Limits::SM_80 }),
            89 => (24, Limits::SM_89),
            90 => (32, Limits::SM_90),
            100 | 103 => (32, Limits::SM_100),
            110 => (24, Limits { multiprocessor_threads: 1536, ..Limits::SM_100 }),
            120 | 121 => (24, Limits::SM_89),
            _ => return None,
        };
        let (reserved_bytes, shared_unit) = if number < 80 { (0, 256) } else { (1024, 128) };
        let shared_bytes = limits.shared_bytes + reserved_bytes;
        Some(Self { limits, blocks, registers: 65_536, shared_bytes, reserved_bytes, shared_unit })
    }

    /// The occupancy by blocks of a kernel.
    #[must_use]
    pub fn occupancy(&self, block: &BlockUsage) -> Occupancy {
        let threads = block.threads.max(1).next_multiple_of(WARP);
        let fits = u32::from(threads <= self.limits.threads);
        let all = [
            (fits * self.limits.multiprocessor_threads / threads, Scarce::Threads),
            (self.blocks, Scarce::Blocks),
            (self.blocks_by_registers(threads / WARP, block.registers), Scarce::Registers),
            (self.blocks_by_shared_memory(block.shared_bytes), Scarce::SharedMemory),
        ];
        let (blocks, scarce) =
            all.into_iter().fold(all[0], |least, by| if by.0 < least.0 { by } else { least });
        Occupancy {
            blocks,
            threads: blocks * threads,
            max_threads: self.limits.multiprocessor_threads,
            scarce,
        }
    }

    fn blocks_by_registers(&self, warps: u32, registers: u32) -> u32 {
        if registers > self.limits.thread_registers {
            return 0;
        }
        let per_warp = (WARP * registers.max(1)).next_multiple_of(REGISTER_UNIT);
        if warps.next_multiple_of(REGISTER_PARTS) * per_warp > self.limits.registers {
            return 0;
        }
        self.registers / REGISTER_PARTS / per_warp * REGISTER_PARTS / warps
    }

    fn blocks_by_shared_memory(&self, bytes: u64) -> u32 {
        if bytes > self.limits.shared_bytes {
            return 0;
        }
        let taken = (bytes + self.reserved_bytes).next_multiple_of(self.shared_unit);
        // Shared memory does not limit a block without any.
        u32::try_from(self.shared_bytes.checked_div(taken).unwrap_or(u64::MAX)).unwrap_or(u32::MAX)
    }
}

impl Occupancy {
    /// Resident threads in percent of those of a full multiprocessor.
    #[must_use]
    pub fn percent(&self) -> f64 {
        100.0 * f64::from(self.threads) / f64::from(self.max_threads)
    }
}

impl fmt::Display for Scarce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["threads", "blocks", "registers", "shared memory"][*self as usize])
    }
}
