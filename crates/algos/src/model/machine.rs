//! The machine.

use super::ModelError;
use super::error::at_least;
use super::measures::Measures;
use super::refinement::Refinement;

/// A many-core machine. Times of the model are in local operations, one of which takes `operation_seconds`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    transfer: f64,
    local_words: u64,
    multiprocessors: u32,
    block_threads: u64,
    operation_seconds: f64,
    refinement: Refinement,
}

/// The figures of a device's data sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Bytes of shared memory of a block.
    pub shared_bytes: u64,
    /// Bytes of a machine word: 4 or 8.
    pub word_bytes: u64,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Most threads of a block.
    pub block_threads: u64,
    /// Clock of the multiprocessors in Hz.
    pub clock_hz: f64,
    /// Cycles from a load of global memory to its value.
    pub latency_cycles: f64,
    /// Cycles of a local operation: an operation of the coefficients' field, with its operands in local
    /// memory.
    pub operation_cycles: f64,
    /// Threads of a multiprocessor that begin an operation together: its schedulers times the threads of a
    /// warp.
    pub lanes: u64,
    /// Seconds of a launch in a row of launches.
    pub launch_seconds: f64,
    /// Cycles that an operation waits for the one before it.
    pub wait_cycles: f64,
    /// Cycles of an operation on each lane.
    pub lane_cycles: f64,
    /// Bytes that global memory moves in a second.
    pub bandwidth: f64,
}

impl Figures {
    /// One H200 with words of 32 bits. Bytes, multiprocessors and clock are the device's. The cycles are
    /// assumptions, the paper's range for the latency being 400 to 800; [`Machine::fitted`] takes measured
    /// times in their place. The figures of the refinement are fitted to times of all four programs on an
    /// H200 (2026-11-21; the test `the_refined_choice_is_near_the_best_measured` has them) and rounded, but
    /// the lanes, which are 4 schedulers of warps of 32 threads. The H200's data sheet has a bandwidth of
    /// 4.8e12 bytes a second.
    pub const H200: Self = Self {
        shared_bytes: 227 << 10,
        word_bytes: 4,
        multiprocessors: 132,
        block_threads: 1024,
        clock_hz: 1.98e9,
        latency_cycles: 600.0,
        operation_cycles: 24.0,
        lanes: 128,
        launch_seconds: 3.5e-6,
        wait_cycles: 75.0,
        lane_cycles: 9.8,
        bandwidth: 4.6e12,
    };
}

impl Figures {
    /// The times of the refinement.
    fn refinement(&self) -> Refinement {
        Refinement {
            lanes: self.lanes,
            launch: self.launch_seconds,
            wait: self.wait_cycles / self.clock_hz,
            operation: self.lane_cycles / self.clock_hz,
            word: self.word_bytes as f64 / self.bandwidth,
        }
    }
}

impl Machine {
    /// A machine with U `transfer` (local operations that moving a word takes, above 1), Z `local_words`,
    /// `multiprocessors`, and local operations of `operation_seconds`. Blocks may have up to 1024 threads;
    /// the refinement is that of an H200 with words of 32 bits.
    ///
    /// # Errors
    /// [`ModelError::Parameter`] for U of 1 or less, and for any other that is not positive.
    pub fn new(
        transfer: f64,
        local_words: u64,
        multiprocessors: u32,
        operation_seconds: f64,
    ) -> Result<Self, ModelError> {
        let just_above_one = 1.0 + f64::EPSILON;
        at_least("U", transfer, just_above_one, "a number above 1")?;
        at_least("Z", local_words as f64, 1.0, "one word or more")?;
        at_least("multiprocessors", multiprocessors.into(), 1.0, "one or more")?;
        at_least("seconds of an operation", operation_seconds, f64::MIN_POSITIVE, "a positive number")?;
        let refinement = Figures::H200.refinement();
        Ok(Self {
            transfer,
            local_words,
            multiprocessors,
            block_threads: 1024,
            operation_seconds,
            refinement,
        })
    }

    /// The machine of a device: U is its latency in local operations, Z the words of a block's shared memory.
    ///
    /// # Errors
    /// [`ModelError::Parameter`].
    ///
    /// ```
    /// use limbforge_algos::model::machine::{Figures, Machine};
    ///
    /// let machine = Machine::from_figures(Figures::H200)?;
    /// assert_eq!((machine.transfer(), machine.local_words()), (25.0, 58_112));
    /// # Ok::<(), limbforge_algos::model::ModelError>(())
    /// ```
    pub fn from_figures(figures: Figures) -> Result<Self, ModelError> {
        let Figures { latency_cycles, operation_cycles, clock_hz, word_bytes, .. } = figures;
        at_least("cycles of an operation", operation_cycles, f64::MIN_POSITIVE, "a positive number")?;
        at_least("clock", clock_hz, f64::MIN_POSITIVE, "a positive number")?;
        at_least("bytes of a word", word_bytes as f64, 1.0, "4 or 8")?;
        let words = figures.shared_bytes / word_bytes;
        let seconds = operation_cycles / clock_hz;
        let machine = Self::new(latency_cycles / operation_cycles, words, figures.multiprocessors, seconds)?;
        machine.with_block_threads(figures.block_threads).with_refinement(figures.refinement())
    }

    /// The same machine with blocks of up to so many threads.
    #[must_use]
    pub const fn with_block_threads(self, block_threads: u64) -> Self {
        Self { block_threads, ..self }
    }

    /// The same machine with another refinement.
    ///
    /// # Errors
    /// [`ModelError::Parameter`] for no lanes, and for times that are negative, not finite or all 0.
    pub fn with_refinement(self, refinement: Refinement) -> Result<Self, ModelError> {
        refinement.check()?;
        Ok(Self { refinement, ..self })
    }

    /// The same machine with the U and the time of an operation that explain measured seconds best (least
    /// relative squares of Theorem 1, which is linear in the time of an operation V and in UV).
    ///
    /// # Errors
    /// [`ModelError::Measurements`] for fewer than two, or if they tell computing and moving not apart;
    /// [`ModelError::Parameter`] if what explains them is no machine.
    pub fn fitted(self, measured: &[(Measures, f64)]) -> Result<Self, ModelError> {
        let failed = ModelError::Measurements { found: measured.len() };
        // Sums of the normal equations, each equation divided by its seconds.
        let (mut aa, mut ab, mut bb, mut a1, mut b1) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (measures, seconds) in measured {
            at_least("measured seconds", *seconds, f64::MIN_POSITIVE, "a positive number")?;
            let steps = measures.steps(self.multiprocessors.into()) / seconds;
            let (a, b) = (steps * measures.block_operations, steps * measures.block_transfers);
            (aa, ab, bb, a1, b1) = (aa + a * a, ab + a * b, bb + b * b, a1 + a, b1 + b);
        }
        let determinant = aa * bb - ab * ab;
        if measured.len() < 2 || determinant <= 1e-9 * aa * bb {
            return Err(failed);
        }
        let operation = (a1 * bb - b1 * ab) / determinant;
        let transfer = (b1 * aa - a1 * ab) / determinant;
        let machine = Self::new(transfer / operation, self.local_words, self.multiprocessors, operation)?;
        Ok(Self { transfer: machine.transfer, operation_seconds: machine.operation_seconds, ..self })
    }

    /// U: local operations that moving a word between local and global memory takes.
    #[must_use]
    pub const fn transfer(&self) -> f64 {
        self.transfer
    }

    /// Z: words of the local memory of a multiprocessor.
    #[must_use]
    pub const fn local_words(&self) -> u64 {
        self.local_words
    }

    /// P.
    #[must_use]
    pub const fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    /// Most threads of a block.
    #[must_use]
    pub const fn block_threads(&self) -> u64 {
        self.block_threads
    }

    /// The figures of the refined time.
    #[must_use]
    pub const fn refinement(&self) -> Refinement {
        self.refinement
    }

    /// The seconds of so many local operations one after the other.
    #[must_use]
    pub fn seconds(&self, operations: f64) -> f64 {
        operations * self.operation_seconds
    }
}

impl Measures {
    /// Theorem 1 in seconds of this machine.
    #[must_use]
    pub fn seconds(&self, machine: &Machine) -> f64 {
        machine.seconds(self.bound(machine.multiprocessors().into(), machine.transfer()))
    }
}
