//! The machine: given, from the figures of a device, or fitted to measured times.

use super::ModelError;
use super::error::at_least;
use super::measures::Measures;
use super::refined::{Refinement, least_squares};

/// A many-core machine. Times of the model are in local operations of `operation_seconds` each.
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
    /// Cycles of a local operation: one of the coefficients' field, with operands in local memory.
    pub operation_cycles: f64,
    /// Threads of a multiprocessor that begin an operation together: schedulers times threads of a warp.
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
    /// assumptions (the paper's range for the latency is 400 to 800); [`Machine::fitted`] replaces them by
    /// measured times. The lanes are 4 schedulers of warps of 32 threads. The other figures of the refinement
    /// are fitted to times of all four programs on an H200 (2026-11-21, in `tests/all/model.rs`) and rounded.
    /// The data sheet has a bandwidth of 4.8e12 bytes a second.
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
    /// A machine with U = `transfer` (local operations to move a word, above 1) and Z = `local_words`. Blocks
    /// may have up to 1024 threads; the refinement is that of an H200 with words of 32 bits.
    ///
    /// # Errors
    /// [`ModelError::Parameter`] for U of 1 or less, and for any other parameter that is not positive.
    pub fn new(
        transfer: f64,
        local_words: u64,
        multiprocessors: u32,
        operation_seconds: f64,
    ) -> Result<Self, ModelError> {
        at_least("U", transfer, 1.0 + f64::EPSILON, "a number above 1")?;
        at_least("Z", local_words as f64, 1.0, "one word or more")?;
        at_least("multiprocessors", multiprocessors.into(), 1.0, "one or more")?;
        at_least("seconds of an operation", operation_seconds, f64::MIN_POSITIVE, "a positive number")?;
        let (block_threads, refinement) = (1024, Figures::H200.refinement());
        Ok(Self { transfer, local_words, multiprocessors, block_threads, operation_seconds, refinement })
    }

    /// The machine of a device: U is its latency in local operations, Z the words of a block's shared memory.
    ///
    /// # Errors
    /// [`ModelError::Parameter`].
    ///
    /// ```
    /// use limbforge_algos::model::machine::{Figures, Machine};
    /// let machine = Machine::from_figures(Figures::H200)?;
    /// assert_eq!((machine.transfer(), machine.local_words()), (25.0, 58_112));
    /// # Ok::<(), limbforge_algos::model::ModelError>(())
    /// ```
    pub fn from_figures(figures: Figures) -> Result<Self, ModelError> {
        let Figures { latency_cycles, operation_cycles, clock_hz, word_bytes, .. } = figures;
        at_least("cycles of an operation", operation_cycles, f64::MIN_POSITIVE, "a positive number")?;
        at_least("clock", clock_hz, f64::MIN_POSITIVE, "a positive number")?;
        at_least("bytes of a word", word_bytes as f64, 1.0, "4 or 8")?;
        let (words, seconds) = (figures.shared_bytes / word_bytes, operation_cycles / clock_hz);
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

    /// The same machine with the U and the time of an operation that fit measured seconds best (least
    /// relative squares of Theorem 1, which is linear in the time of an operation V and in UV).
    ///
    /// # Errors
    /// [`ModelError::Measurements`] for fewer than two, or if they do not separate computing from moving;
    /// [`ModelError::Parameter`] if the fit is no machine.
    pub fn fitted(self, measured: &[(Measures, f64)]) -> Result<Self, ModelError> {
        let mut rows = Vec::with_capacity(measured.len());
        for (measures, seconds) in measured {
            at_least("measured seconds", *seconds, f64::MIN_POSITIVE, "a positive number")?;
            let steps = measures.steps(self.multiprocessors.into()) / seconds;
            rows.push([steps * measures.block_operations, steps * measures.block_transfers]);
        }
        let Some([operation, transfer]) = least_squares(&rows, 0b11) else {
            return Err(ModelError::Measurements { found: measured.len() });
        };
        let machine = Self::new(transfer / operation, self.local_words, self.multiprocessors, operation)?;
        Ok(Self { transfer: machine.transfer, operation_seconds: machine.operation_seconds, ..self })
    }

    /// U: local operations to move a word between local and global memory.
    #[must_use]
    pub const fn transfer(&self) -> f64 {
        self.transfer
    }

    /// Z: words of the local memory of a multiprocessor.
    #[must_use]
    pub const fn local_words(&self) -> u64 {
        self.local_words
    }

    /// P, the multiprocessors.
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

    /// The seconds of consecutive local operations.
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
