//! The memory of a program's launches.

use super::LoadedTape;
use super::lists::COUNTER_BYTES;
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::program::MARK_BYTES;
use crate::word::Word;

/// Inputs, states, results and marks of a program on one device.
#[derive(Debug)]
pub struct TapeMemory {
    pub(super) inputs: Vec<DeviceBuffer>,
    /// The state that the next launch reads, and where it leaves another one.
    pub(super) states: [DeviceBuffer; 2],
    pub(super) results: Vec<DeviceBuffer>,
    /// A word of each instance.
    pub(super) marks: DeviceBuffer,
    /// The rows of all lists, one list behind the other.
    pub(super) rows: DeviceBuffer,
    /// The rows of each list for which there is room.
    pub(super) rooms: Vec<u64>,
    /// The rows of each list that a launch has appended.
    pub(super) counters: DeviceBuffer,
}

impl Device {
    /// Memory for up to so many instances of a program, with any content. Lists have room when
    /// [`set_rooms`](Self::set_rooms) makes it.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub fn tape_memory(&self, tape: &LoadedTape, instances: u64) -> Result<TapeMemory, GpuError> {
        let alloc = |bytes: u64| self.alloc(bytes.saturating_mul(instances));
        Ok(TapeMemory {
            inputs: tape
                .inputs
                .iter()
                .map(|input| self.alloc(input.of(instances)))
                .collect::<Result<_, _>>()?,
            states: [alloc(tape.state)?, alloc(tape.state)?],
            results: tape.results.iter().map(|&bytes| alloc(bytes)).collect::<Result<_, _>>()?,
            marks: alloc(MARK_BYTES)?,
            rows: self.alloc(0)?,
            rooms: vec![0; tape.lists.len()],
            counters: self.alloc(COUNTER_BYTES * tape.lists.len() as u64)?,
        })
    }
}

impl TapeMemory {
    /// Copies the integers of an input to the device: those of all instances of the next launches, or of one
    /// for all.
    ///
    /// # Errors
    /// [`GpuError::Inputs`] if there is no such input, [`GpuError::Size`] if they are more than fit,
    /// [`GpuError::PinnedMemory`], and [`GpuError::Driver`].
    pub fn set_input<W: Word>(&mut self, input: usize, words: &[W]) -> Result<(), GpuError> {
        let expected = self.inputs.len();
        let missing = || GpuError::Inputs { entry: "of the program".to_owned(), expected, found: input + 1 };
        self.inputs.get_mut(input).ok_or_else(missing)?.copy_from(words)
    }

    /// Copies a state to the device, which the next launch reads.
    ///
    /// # Errors
    /// [`GpuError::Size`] if it is more than fits, [`GpuError::PinnedMemory`], and [`GpuError::Driver`].
    pub fn set_state(&mut self, words: &[u32]) -> Result<(), GpuError> {
        self.states[0].copy_from(words)
    }

    /// Copies a state to the device twice, so that the next launch may be over a list of instances.
    ///
    /// # Errors
    /// Those of [`set_state`](Self::set_state).
    pub fn set_states(&mut self, words: &[u32]) -> Result<(), GpuError> {
        self.states.iter_mut().try_for_each(|state| state.copy_from(words))
    }

    /// Copies the first words of the state that the last launch has left, after it has run.
    ///
    /// # Errors
    /// [`GpuError::Size`] if it has fewer, [`GpuError::PinnedMemory`], and [`GpuError::Driver`], also for a
    /// failure of the launch.
    pub fn state(&self, words: &mut [u32]) -> Result<(), GpuError> {
        self.states[0].copy_to(words)
    }

    /// Copies the first words of a result, after everything that was started.
    ///
    /// # Errors
    /// [`GpuError::Outputs`] if there is no such result, and those of [`state`](Self::state).
    pub fn result<W: Word>(&self, result: usize, words: &mut [W]) -> Result<(), GpuError> {
        let expected = self.results.len();
        let missing =
            || GpuError::Outputs { entry: "of the program".to_owned(), expected, found: result + 1 };
        self.results.get(result).ok_or_else(missing)?.copy_to(words)
    }

    /// Copies the first marks of the last launch, after it has run.
    ///
    /// # Errors
    /// Those of [`state`](Self::state).
    pub fn marks(&self, marks: &mut [u32]) -> Result<(), GpuError> {
        self.marks.copy_to(marks)
    }
}
