//! Launches of a program: over all instances of its memory, or over a list of them.

use limbforge_kernels_gen::program::Entry;

use super::{LoadedTape, TapeMemory};
use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::launch;
use crate::program::MARK_BYTES;

/// A launch over instances of a program's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapeLaunch<'l> {
    /// The entry, and for rounds the first of them and the one behind the last.
    pub entry: (Entry, u64, u64),
    /// The number of the memory's first instance in the whole batch.
    pub first: u64,
    /// The instances of the memory.
    pub instances: u64,
    /// The instances that are computed, in this order; all of them if it is empty. Entries that are
    /// [`NO_INSTANCE`](limbforge_kernels_gen::program::NO_INSTANCE) leave their threads without one. Both states must hold
    /// the same of all others.
    pub open: &'l [u32],
    /// Whether the launch does for other instances what the one before it did: it reads the state that that one has
    /// read, and states and marks that are there stay.
    pub continues: bool,
}

impl<'l> TapeLaunch<'l> {
    /// A launch over all of so many instances.
    #[must_use]
    pub const fn new(entry: (Entry, u64, u64), instances: u64) -> Self {
        Self { entry, first: 0, instances, open: &[], continues: false }
    }

    /// The same over a list of them.
    #[must_use]
    pub const fn over(self, open: &'l [u32]) -> Self {
        Self { open, ..self }
    }
}

impl Device {
    /// Starts one launch on the first instances of the memory, behind everything that was started before, and
    /// returns at once: an entry, and for rounds the first of them and the one behind the last. The state that
    /// it leaves takes the place of the one that it reads.
    ///
    /// # Errors
    /// Those of [`launch_tape`](Self::launch_tape).
    pub fn run_tape(
        &self,
        tape: &LoadedTape,
        memory: &mut TapeMemory,
        entry: (Entry, u64, u64),
        instances: u64,
    ) -> Result<(), GpuError> {
        self.launch_tape(tape, memory, &TapeLaunch::new(entry, instances))
    }

    /// As [`run_tape`](Self::run_tape), as the launch says.
    ///
    /// # Errors
    /// [`GpuError::TapeEntry`] if the tape has no such entry or takes no lists of instances, [`GpuError::Size`] if the
    /// memory is for fewer instances or another program, [`GpuError::Grid`], [`GpuError::OtherDevice`] and
    /// [`GpuError::Driver`].
    pub fn launch_tape(
        &self,
        tape: &LoadedTape,
        memory: &mut TapeMemory,
        launch: &TapeLaunch<'_>,
    ) -> Result<(), GpuError> {
        let TapeLaunch { entry: (entry, from, to), first, instances, open, continues } = *launch;
        let control = tape.tape.control_with_lists(entry, (from, to), first, &memory.rooms);
        let Some(control) = control.and_then(|control| tape.tape.control_over(control, open)) else {
            let what = if open.is_empty() { "" } else { " over a list of instances" };
            return Err(GpuError::TapeEntry { entry: format!("{entry:?}{what}") });
        };
        self.check_tape(tape, memory, instances)?;
        if instances == 0 {
            return Ok(());
        }
        let control = self.upload_later(&control)?;
        let marks = match continues {
            true => memory.marks.address(),
            false => memory.marks.clear(self.queue(), 0, MARK_BYTES * instances)?,
        };
        let [state, next] = match &memory.states {
            [state, next] if !continues => [state, next],
            [next, state] => [state, next],
        };
        let behind = [state.address(), control.address()];
        let inputs: Vec<u64> = memory.inputs.iter().map(DeviceBuffer::address).chain(behind).collect();
        let counters = memory.counters.bytes();
        let of_lists = (counters > 0).then_some([&memory.rows, &memory.counters]);
        if counters > 0 {
            memory.counters.clear(self.queue(), 0, counters)?;
        }
        let results = memory.results.iter().chain([next]).chain(of_lists.into_iter().flatten());
        let results: Vec<u64> = results.map(DeviceBuffer::address).collect();
        let threads = if open.is_empty() { instances } else { open.len() as u64 };
        launch::start(self.queue(), &tape.kernel, &inputs, &results, Some(marks), (instances, threads))?;
        if !continues {
            memory.states.swap(0, 1);
        }
        Ok(())
    }
}
