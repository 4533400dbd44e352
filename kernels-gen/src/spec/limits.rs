//! The resources that a device gives a block.

use super::error::SpecError;

/// The resources that a device gives a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads of a block.
    pub threads: u32,
    /// Registers of a multiprocessor, all of which one block may take.
    pub registers: u32,
    /// Registers of a thread.
    pub thread_registers: u32,
    /// Shared memory of a block in bytes, with the opt-in.
    pub shared_bytes: u64,
    /// Whether warps multiply matrices of 16 x 32 and 32 x 8 bytes (`mma`): from compute capability 7.5 on.
    pub matrices: bool,
    /// Whether four warps together multiply matrices beside other instructions (`wgmma`): `sm_90a` only.
    pub warpgroups: bool,
    /// Threads that a multiprocessor holds at once.
    pub multiprocessor_threads: u32,
    /// Multiprocessors: how many instances make a wave. Of an architecture, those of its largest devices.
    pub multiprocessors: u32,
}

impl Limits {
    /// Compute capability 9.0, without the instructions that no later one keeps.
    pub const SM_90: Self = Self {
        threads: 1024,
        registers: 65_536,
        thread_registers: 255,
        shared_bytes: 227 << 10,
        multiprocessor_threads: 2048,
        multiprocessors: 132,
        matrices: true,
        warpgroups: false,
    };
    /// Compute capability 9.0 with those instructions.
    pub const SM_90A: Self = Self { warpgroups: true, ..Self::SM_90 };
    /// Compute capability 7.5.
    pub const SM_75: Self =
        Self { shared_bytes: 64 << 10, multiprocessor_threads: 1024, multiprocessors: 72, ..Self::SM_90 };
    /// Compute capability 8.0.
    pub const SM_80: Self = Self { shared_bytes: 163 << 10, multiprocessors: 108, ..Self::SM_90 };
    /// Compute capability 8.6.
    pub const SM_86: Self =
        Self { shared_bytes: 99 << 10, multiprocessor_threads: 1536, multiprocessors: 84, ..Self::SM_90 };
    /// Compute capability 8.9.
    pub const SM_89: Self = Self::SM_86;
    /// Compute capability 10.0.
    pub const SM_100: Self = Self { shared_bytes: 227 << 10, multiprocessors: 148, ..Self::SM_90 };

    /// Whether a block may have so many threads.
    pub(crate) const fn check_threads(&self, needed: u32) -> Result<(), SpecError> {
        let limit = self.threads;
        if needed > limit { Err(SpecError::Threads { needed, limit }) } else { Ok(()) }
    }

    /// Whether a block may have so many bytes of shared memory.
    pub(crate) const fn check_shared(&self, needed: u64) -> Result<(), SpecError> {
        let limit = self.shared_bytes;
        if needed > limit { Err(SpecError::SharedMemory { needed, limit }) } else { Ok(()) }
    }

    /// Blocks to save registers for: `wanted`, or as many as a multiprocessor holds.
    pub(crate) fn blocks(&self, wanted: u32, threads: u32, shared_bytes: u64) -> u32 {
        let by_threads = self.multiprocessor_threads / threads.max(1);
        let by_memory = self.shared_bytes.checked_div(shared_bytes).unwrap_or(u64::MAX);
        // A multiprocessor holds 16 blocks at compute capability 7.5 and 8.6, 24 at 8.9, else 32.
        let most = if self.multiprocessor_threads < 2048 { 16 } else { 32 };
        wanted.min(by_threads).min(u32::try_from(by_memory).unwrap_or(u32::MAX)).min(most).max(1)
    }
}
