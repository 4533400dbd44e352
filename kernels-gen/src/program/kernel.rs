//! The kernel of a program, with what a launch of it needs.

use super::lower::{Entry, Place, Plane};
use crate::kernel::Kernel;
use crate::spec::Mapping;

/// The kernel of a program, with how to launch it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TapeKernel {
    /// The kernel. Its inputs are those of the program, `state` and `control`; its outputs the results, then the
    /// next state. Its marks are 0, or 1 and the index of the place at which the instance has failed; rounds
    /// mark the instances that have rounds left.
    pub kernel: Kernel,
    /// Entries, with the first operation of each.
    pub entries: Vec<(Entry, u32)>,
    /// The places at which instances fail.
    pub places: Vec<Place>,
    /// The planes of each stage's state, behind one word of each instance.
    pub states: Vec<Vec<Plane>>,
    /// Words and lanes of an instance.
    pub mapping: Mapping,
    /// Numbers of an instance in shared memory.
    pub slots: u32,
    /// Operations of the tape.
    pub operations: u32,
    /// Bytes of local memory of a thread: scalars and arrays.
    pub local_bytes: u32,
}

impl TapeKernel {
    /// The words of `control` for a launch of an entry: rounds `from` up to `to` of a loop, without those that
    /// `after` leaves out. Others ignore them.
    #[must_use]
    pub fn control(&self, entry: Entry, from: u64, to: u64) -> Option<[u32; 8]> {
        self.control_from(entry, (from, to), 0)
    }

    /// As [`control`](Self::control), where the first instance of the launch has this number in the whole batch.
    #[must_use]
    pub fn control_from(&self, entry: Entry, (from, to): (u64, u64), instance: u64) -> Option<[u32; 8]> {
        let (_, first) = self.entries.iter().find(|(known, _)| *known == entry)?;
        let (low, high) = (|x: u64| x as u32, |x: u64| (x >> 32) as u32);
        Some([*first, low(from), high(from), low(to), high(to), low(instance), high(instance), 0])
    }

    /// Words of 32 bits of each instance in the state of a stage.
    #[must_use]
    pub fn state_words(&self, stage: usize) -> u32 {
        self.states.get(stage).and_then(|planes| planes.last()).map_or(1, |plane| plane.before + plane.words)
    }
}
