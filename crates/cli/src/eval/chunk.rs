//! Consecutive instances of all variables, in memory.

use std::ops::Range;
use std::sync::Arc;

use limbforge::prelude::*;

use super::pool::{Pool, Set};
use super::source::{BadRecord, Lines};

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
    /// The records of each input that are to be marked, in the order of instances.
    pub(super) bad: Vec<Vec<BadRecord>>,
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

    /// The records of a range that are not integers, for each input.
    pub(super) fn bad(&self, range: &Range<usize>) -> impl Iterator<Item = &[BadRecord]> {
        self.bad.iter().map(|bad| &bad[before(bad, range.start)..before(bad, range.end)])
    }

    /// The line of an instance in the file of this input.
    pub(super) fn line(&self, input: usize, instance: usize) -> u64 {
        let Column { single, lines } = &self.columns[input];
        lines.get(if single.is_some() { 0 } else { instance })
    }
}

/// The number of records before an instance.
pub(super) fn before(bad: &[BadRecord], instance: usize) -> usize {
    bad.partition_point(|bad| bad.instance < instance)
}

/// The first of all inputs' records that are not integers, with its input: of the first instance, and of the
/// first input for that instance.
pub(super) fn first<'b>(bad: impl Iterator<Item = &'b [BadRecord]>) -> Option<(usize, &'b BadRecord)> {
    let firsts = bad.enumerate().filter_map(|(input, bad)| bad.first().map(|first| (input, first)));
    firsts.min_by_key(|(input, bad)| (bad.instance, *input))
}

impl<B: Base> Drop for Chunk<B> {
    fn drop(&mut self) {
        if let Some(set) = self.set.take() {
            self.pool.give_back(set);
        }
    }
}
