//! The rows of lists on a device.

use super::{LoadedTape, TapeMemory};
use crate::device::Device;
use crate::error::GpuError;

/// Bytes of a counter.
pub(super) const COUNTER_BYTES: u64 = 8;

impl LoadedTape {
    /// Bytes of so many rows of each list.
    #[must_use]
    pub fn list_bytes(&self, rows: &[u64]) -> u64 {
        let of_list = |(bytes, &rows): (&u64, &u64)| bytes.saturating_mul(rows);
        self.lists.iter().zip(rows).map(of_list).fold(0, u64::saturating_add)
    }
}

impl Device {
    /// Makes room for so many rows of each list, in the place of the rows that are there.
    ///
    /// # Errors
    /// [`GpuError::Outputs`] unless there is a number for each list, [`GpuError::OutOfMemory`], which leaves the
    /// room as it is.
    pub fn set_rooms(
        &self,
        tape: &LoadedTape,
        memory: &mut TapeMemory,
        rows: &[u64],
    ) -> Result<(), GpuError> {
        let (expected, found) = (tape.lists.len(), rows.len());
        if expected != found {
            return Err(GpuError::Outputs { entry: tape.kernel.entry().to_owned(), expected, found });
        }
        memory.rows = self.alloc(tape.list_bytes(rows))?;
        memory.rooms = rows.to_vec();
        Ok(())
    }
}

impl TapeMemory {
    /// The rows of each list for which there is room.
    #[must_use]
    pub fn rooms(&self) -> &[u64] {
        &self.rooms
    }

    /// The rows of each list that the last launch has appended, after it has run: also those without room.
    ///
    /// # Errors
    /// Those of [`state`](Self::state).
    pub fn counters(&self) -> Result<Vec<u64>, GpuError> {
        let mut counters = vec![0; self.rooms.len()];
        self.counters.copy_to(&mut counters)?;
        Ok(counters)
    }

    /// Copies the first rows of a list of the program that the last launch has left, after it has run.
    ///
    /// # Errors
    /// [`GpuError::Outputs`] if there is no such list, and those of [`state`](Self::state).
    pub fn rows(&self, tape: &LoadedTape, list: usize, words: &mut [u32]) -> Result<(), GpuError> {
        let expected = self.rooms.len().min(tape.lists.len());
        if list >= expected {
            return Err(GpuError::Outputs { entry: "of the program".to_owned(), expected, found: list + 1 });
        }
        self.rows.copy_part(tape.list_bytes(&self.rooms[..list]), words)
    }

    /// Takes the last launch back: the state is the one that it has read.
    pub const fn undo(&mut self) {
        self.states.swap(0, 1);
    }
}
