//! Threads, blocks and groups of a product by transforms.

use core::fmt;

use super::ProductPlan;
use crate::spec::SpecError;

/// Registers of a thread in blocks of up to 128 threads, and in larger ones, which hide barriers better.
const REGISTERS: [u32; 2] = [96, 80];

/// Bytes of operands that are read prime by prime: few enough for the second-level cache, enough that blocks
/// of different primes, which have code of their own, seldom run side by side.
const CHUNK_BYTES: u32 = 8 << 20;

impl ProductPlan {
    /// The same transforms with so many threads each, so many of them in a block.
    pub(crate) fn with_threads(self, words: u32, threads: u32, instances: u32) -> Result<Self, SpecError> {
        let [_, middle, inner] = self.radices;
        let divides = threads.is_power_of_two() && threads <= middle * inner;
        let expected = "a power of two, at most the product of the two last radices";
        SpecError::require(divides, "threads of a transform", threads, expected)?;
        Ok(Self { threads, instances, ..self }.with_launch_shape(words))
    }

    /// The plan with the blocks and groups for its threads.
    pub(super) fn with_launch_shape(self, words: u32) -> Self {
        let blocks = (65_536 / (self.threads * self.instances * self.registers())).clamp(1, 32);
        Self { blocks, chunk: (CHUNK_BYTES / (8 * words * self.instances)).max(1), ..self }
    }

    /// Registers of a thread.
    pub(crate) const fn registers(&self) -> u32 {
        REGISTERS[(self.threads * self.instances > 128) as usize]
    }

    /// The plan for several results, which take more registers and second-level cache.
    pub(crate) fn for_results(mut self, results: usize) -> Self {
        if results > 2 {
            self.blocks = (65_536 / (self.threads * self.instances * 128)).max(1);
        }
        if results > 1 {
            self.chunk = (self.chunk / 2).max(1);
        }
        self
    }
}

/// Points of the passes, primes, threads of a transform and transforms of a block.
impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [outer, middle, inner] = self.radices;
        let (primes, threads, instances) = (self.primes.primes().len(), self.threads, self.instances);
        if self.rows < outer {
            write!(f, "{}of", self.rows)?;
        }
        write!(f, "{outer}x{middle}x{inner}*{primes}/{threads}t*{instances}")
    }
}
