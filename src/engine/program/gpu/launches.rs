//! What a run needs of a device.

use core::ops::Range;

use limbforge_gpu::{GpuError, TapeLaunch, TapeMemory};
use limbforge_kernels_gen::program::{Entry, TapeKernel};

use super::open::Warps;
use crate::engine::EngineError;
use crate::engine::gpu::GpuTape;

/// Rows of a list for which there is room at first.
const FIRST_ROWS: u64 = 1 << 12;

/// Rooms for so many rows, and twice as many where they fit the allowance; None if not even the rows do.
pub(super) fn larger(
    rooms: &[u64],
    rows: &[u64],
    allowance: u64,
    bytes: impl Fn(&[u64]) -> u64,
) -> Option<Vec<u64>> {
    let with = |factor: u64| -> Vec<u64> {
        let room =
            |(&room, &rows): (&u64, &u64)| if rows > room { rows.saturating_mul(factor) } else { room };
        rooms.iter().zip(rows).map(room).collect()
    };
    // The rows that are there have been taken: other lists may lose their room.
    [with(2), with(1), rows.to_vec()].into_iter().find(|rooms| bytes(rooms) <= allowance)
}

/// A launch on a chunk.
#[derive(Clone, Debug)]
pub(super) struct Launch<'l> {
    /// The entry, and for rounds the first of them and the one behind the last.
    pub(super) entry: (Entry, u64, u64),
    /// The chunk.
    pub(super) instances: Range<usize>,
    /// The instances of the chunk that are computed; all if it is empty.
    pub(super) open: &'l [u32],
    /// Whether it computes other instances of the launch before it, from the same state.
    pub(super) continues: bool,
}

/// A program's kernel on a device, with memory for a chunk of instances.
pub(super) trait Launches: Send {
    /// Entries, places and states of the kernel.
    fn tape(&self) -> &TapeKernel;

    /// Sets the integers of an input.
    fn set_input(&mut self, input: usize, limbs: &[u64]) -> Result<(), EngineError>;

    /// Warps of the device.
    fn warps(&self) -> Warps;

    /// Sets the state that the next launch reads, and that it leaves of instances that it does not compute.
    fn set_state(&mut self, words: &[u32]) -> Result<(), EngineError>;

    /// Starts a launch, whose state takes the place of the one that it reads.
    fn launch(&mut self, launch: &Launch<'_>) -> Result<(), EngineError>;

    /// The results of rounds of a stage's loop by kernels of a residue number system; None if there are none.
    fn rounds(
        &mut self,
        stage: usize,
        operands: &[Vec<u32>],
        instances: usize,
    ) -> Result<Option<Vec<Vec<u32>>>, EngineError>;

    /// The first words of the state, after the last launch.
    fn state(&self, words: &mut [u32]) -> Result<(), EngineError>;

    /// The first marks of the last launch.
    fn marks(&self, marks: &mut [u32]) -> Result<(), EngineError>;

    /// The first limbs of a result.
    fn result(&self, result: usize, limbs: &mut [u64]) -> Result<(), EngineError>;

    /// The rows of each list for which there is room.
    fn rooms(&self) -> &[u64];

    /// Makes room for at least so many rows of each list; false if there is no memory for them.
    fn make_room(&mut self, rows: &[u64]) -> Result<bool, EngineError>;

    /// The rows of each list that the last launch has appended, also those without room.
    fn counters(&self) -> Result<Vec<u64>, EngineError>;

    /// The first rows of a list, in words.
    fn rows(&self, list: usize, words: &mut [u32]) -> Result<(), EngineError>;

    /// Takes the last launch back: the state is the one that it has read.
    fn undo(&mut self);
}

/// A GPU.
pub(super) struct OnDevice {
    tape: GpuTape,
    memory: TapeMemory,
}

impl OnDevice {
    /// With memory for so many instances.
    pub(super) fn new(tape: GpuTape, instances: usize) -> Result<Self, EngineError> {
        let memory = tape.device.tape_memory(&tape.loaded, instances as u64)?;
        let mut on = Self { tape, memory };
        let (lists, allowance) = (on.memory.rooms().len(), on.tape.list_allowance());
        if lists > 0 {
            let of_one = on.tape.loaded.list_bytes(&vec![1; lists]);
            let rooms = vec![FIRST_ROWS.min(allowance / of_one); lists];
            on.tape.device.set_rooms(&on.tape.loaded, &mut on.memory, &rooms)?;
        }
        Ok(on)
    }
}

impl Launches for OnDevice {
    fn tape(&self) -> &TapeKernel {
        self.tape.loaded.tape()
    }

    fn warps(&self) -> Warps {
        Warps::new(self.tape(), self.tape.loaded.kernel().resident_instances())
    }

    fn set_input(&mut self, input: usize, limbs: &[u64]) -> Result<(), EngineError> {
        Ok(self.memory.set_input(input, limbs)?)
    }

    fn set_state(&mut self, words: &[u32]) -> Result<(), EngineError> {
        match self.tape().differing.contains(&true) {
            true => Ok(self.memory.set_states(words)?),
            false => Ok(self.memory.set_state(words)?),
        }
    }

    fn launch(&mut self, launch: &Launch<'_>) -> Result<(), EngineError> {
        let Launch { entry, ref instances, open, continues } = *launch;
        let (first, instances) = (instances.start as u64, instances.len() as u64);
        let launch = TapeLaunch { entry, first, instances, open, continues };
        Ok(self.tape.device.launch_tape(&self.tape.loaded, &mut self.memory, &launch)?)
    }

    fn rounds(
        &mut self,
        stage: usize,
        operands: &[Vec<u32>],
        instances: usize,
    ) -> Result<Option<Vec<Vec<u32>>>, EngineError> {
        self.tape.rounds(stage, operands, instances as u64)
    }

    fn state(&self, words: &mut [u32]) -> Result<(), EngineError> {
        Ok(self.memory.state(words)?)
    }

    fn marks(&self, marks: &mut [u32]) -> Result<(), EngineError> {
        Ok(self.memory.marks(marks)?)
    }

    fn result(&self, result: usize, limbs: &mut [u64]) -> Result<(), EngineError> {
        Ok(self.memory.result(result, limbs)?)
    }

    fn rooms(&self) -> &[u64] {
        self.memory.rooms()
    }

    fn make_room(&mut self, rows: &[u64]) -> Result<bool, EngineError> {
        let Some(rooms) = larger(self.memory.rooms(), rows, self.tape.list_allowance(), |rooms| {
            self.tape.loaded.list_bytes(rooms)
        }) else {
            return Ok(false);
        };
        match self.tape.device.set_rooms(&self.tape.loaded, &mut self.memory, &rooms) {
            Err(GpuError::OutOfMemory { .. }) => Ok(false),
            other => other.map(|()| true).map_err(EngineError::from),
        }
    }

    fn counters(&self) -> Result<Vec<u64>, EngineError> {
        Ok(self.memory.counters()?)
    }

    fn rows(&self, list: usize, words: &mut [u32]) -> Result<(), EngineError> {
        Ok(self.memory.rows(&self.tape.loaded, list, words)?)
    }

    fn undo(&mut self) {
        self.memory.undo();
    }
}
