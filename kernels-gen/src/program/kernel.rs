//! The kernel of a program, with what a launch of it needs.

use limbforge_algos::program::{Rows, TypedProgram};
use limbforge_limb::slice::bits;

use super::lower::{Entry, Place, Plane, row_words};
use super::spec::Emission;
use crate::kernel::Kernel;
use crate::spec::{Mapping, NotStraight};

/// The kernel of a program, with how to launch it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TapeKernel {
    /// Where values are held.
    pub emission: Emission,
    /// Why the kernel is a tape, where the planner chose it.
    pub not_straight: Option<NotStraight>,
    /// The kernel. Its inputs are those of the program, `state` and `control`; its outputs the results, then the
    /// next state, and of a program with lists their rows and counters of 64 bits, which begin as 0. Its marks are 0, or 1 and the index of the place at which the instance has failed; rounds
    /// mark the instances that have rounds left.
    pub kernel: Kernel,
    /// Entries, with the first operation of each on the tape, or the number of its stage.
    pub entries: Vec<(Entry, u32)>,
    /// The places at which instances fail.
    pub places: Vec<Place>,
    /// The planes of each stage's state, behind one word of each instance.
    pub states: Vec<Vec<Plane>>,
    /// The words of each list's rows.
    pub lists: Vec<RowWords>,
    /// For each stage with a loop, whether instances may make different numbers of rounds.
    pub differing: Vec<bool>,
    /// Words and lanes of an instance.
    pub mapping: Mapping,
    /// Numbers of an instance in shared memory; in registers, those that are needed at once.
    pub slots: u32,
    /// Operations of the tape, or of all stages.
    pub operations: u32,
    /// Bytes of local memory of a thread: scalars and arrays.
    pub local_bytes: u32,
}

/// A row of a list: the number of its instance, in two words of 32 bits, and the integers of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowWords {
    /// Words of each column.
    pub columns: Vec<u32>,
    /// Words of the row.
    pub row: u32,
}

impl RowWords {
    /// Those of all lists of a program.
    pub(super) fn of(program: &TypedProgram) -> Vec<Self> {
        let row = |list| {
            let (columns, row) = row_words(program, list);
            Self { columns, row }
        };
        (0..program.lists().len()).map(row).collect()
    }
}

impl TapeKernel {
    /// The words of `control` for a launch, as [`control_from`](Self::control_from), with room for so many rows of
    /// each list. In memory the rows of a list lie behind those of the list before it.
    #[must_use]
    pub fn control_with_lists(
        &self,
        entry: Entry,
        rounds: (u64, u64),
        instance: u64,
        rooms: &[u64],
    ) -> Option<Vec<u32>> {
        let mut control = self.control_from(entry, rounds, instance)?.to_vec();
        let mut first = 0;
        for (list, &room) in self.lists.iter().zip(rooms) {
            control.extend([room as u32, (room >> 32) as u32, first as u32, (first >> 32) as u32]);
            first += room * u64::from(list.row);
        }
        Some(control)
    }

    /// The rows that a launch has left of a list in these words, as their instances appended them.
    #[must_use]
    pub fn rows(&self, program: &TypedProgram, list: usize, words: &[u32]) -> Rows {
        let declared = &program.lists()[list];
        let (mut rows, form) = (Rows::of(program, declared), &self.lists[list]);
        let types: Vec<_> = declared.columns.iter().map(|&column| program.column(column)).collect();
        for row in words.chunks_exact(form.row as usize) {
            let (instance, mut rest) = row.split_at(2);
            let instance = u64::from(instance[1]) << 32 | u64::from(instance[0]);
            rows.push(instance, |column, out| {
                let (words, others) = rest.split_at(form.columns[column] as usize);
                rest = others;
                for (k, &word) in words.iter().enumerate() {
                    out[k / 2] |= u64::from(word) << (32 * (k % 2));
                }
                // Kernels write copies of a sign.
                bits::truncate(out, types[column].bits());
            });
        }
        rows
    }

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
