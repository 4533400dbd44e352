//! Consecutive instances of all variables, in memory.

use std::ops::Range;
use std::sync::Arc;

use limbforge::limb::io::RecordError;
use limbforge::prelude::*;

use super::pool::{Pool, Set};
use super::source::{BadRecord, Lines};

/// A record that is not an integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bad {
    pub(super) instance: usize,
    /// The place of its file among the inputs.
    pub(super) input: usize,
    /// Its line in the file, from 1.
    pub(super) number: u64,
    pub(super) error: RecordError,
}

impl Bad {
    pub(super) const fn new(input: usize, bad: BadRecord) -> Self {
        let BadRecord { instance, number, error } = bad;
        Self { instance, input, number, error }
    }
}

/// The integers of one variable.
#[derive(Clone, Debug)]
pub(super) struct Column<B> {
    /// The one integer for all instances of the run; others are in the chunk's set.
    pub(super) single: Option<Batch<B>>,
    pub(super) lines: Lines,
}

/// Instances, which are evaluated in pieces.
pub(super) struct Chunk<B: Base> {
    /// The number of its first instance in the run, from 0.
    pub(super) first: u64,
    pub(super) instances: usize,
    /// In the order of the inputs.
    pub(super) columns: Vec<Column<B>>,
    /// Records to be marked, in the order of instances, and of inputs for each.
    pub(super) bad: Vec<Bad>,
    /// The instances of the whole run, as far as it is known.
    pub(super) total: Option<u64>,
    pub(super) set: Option<Set<B>>,
    /// Gets the set when all pieces are evaluated.
    pub(super) pool: Arc<Pool<B>>,
}

impl<B: Base> Chunk<B> {
    /// The operands of a range of instances, in the order of the inputs.
    pub(super) fn operands(&self, range: &Range<usize>) -> Vec<Batch<B>> {
        let mut several = self.set.iter().flat_map(|set| &set.batches);
        let operand = |column: &Column<B>| match &column.single {
            Some(single) => Some(single.clone()),
            None => several.next().map(|batch| batch.slice(range.clone())),
        };
        self.columns.iter().filter_map(operand).collect()
    }

    /// The records of a range that are not integers.
    pub(super) fn bad(&self, range: &Range<usize>) -> &[Bad] {
        let at = |instance: usize| self.bad.partition_point(|bad| bad.instance < instance);
        &self.bad[at(range.start)..at(range.end)]
    }

    /// The line of an instance in the file of this input.
    pub(super) fn line(&self, input: usize, instance: usize) -> u64 {
        let Column { single, lines } = &self.columns[input];
        lines.get(if single.is_some() { 0 } else { instance })
    }
}

impl<B: Base> Drop for Chunk<B> {
    fn drop(&mut self) {
        if let Some(set) = self.set.take() {
            self.pool.give_back(set);
        }
    }
}
