//! Lines that are not integers, and instances without result: the first one stops the run, or all are marked.

use limbforge::prelude::*;

use super::arguments::OnError;
use super::input::{BadRecord, Input};
use super::results::Marks;
use crate::error::CliError;

/// The failures so far, by the policy of the user.
pub(super) struct Failures {
    policy: OnError,
    lines: Count,
    instances: Count,
}

/// The number of failures of a kind, and the first.
#[derive(Default)]
struct Count {
    count: usize,
    first: Option<CliError>,
}

impl Failures {
    pub(super) fn new(policy: OnError) -> Self {
        Self { policy, lines: Count::default(), instances: Count::default() }
    }

    /// Marks the instances of records that are not integers. `for_all`: every instance uses them.
    pub(super) fn note_lines<B: Base>(
        &mut self,
        input: &Input<B>,
        bad: &[BadRecord],
        for_all: bool,
        marks: &mut Marks,
    ) -> Result<(), CliError> {
        for record in bad {
            marks.add(record.instance, record.error.mark());
        }
        let Some(&BadRecord { number, error, .. }) = bad.first() else { return Ok(()) };
        let policy = if for_all { OnError::Fail } else { self.policy };
        self.lines.note(policy, bad.len(), || input.record_error(number, error))
    }

    /// Marks instances without result, in a chunk after `evaluated` instances. A bad line counts before them,
    /// and of several failures of an instance the first. The line is that of the operand to blame, where it
    /// was read from a file.
    pub(super) fn note_instances<B: Base>(
        &mut self,
        inputs: &[Input<B>],
        failures: &[Failure],
        evaluated: u64,
        marks: &mut Marks,
    ) -> Result<(), CliError> {
        let mut new = failures.iter().filter(|failure| marks.add(failure.instance, failure.why.mark()));
        let Some(first) = new.next() else { return Ok(()) };
        self.instances.note(self.policy, 1 + new.count(), || {
            let operand = inputs.iter().find(|input| input.name == *first.operand);
            // If lines are skipped, the number of a result is not that of a line.
            let input = operand.or_else(|| inputs.iter().find(|input| input.may_skip_lines()));
            let number = match input {
                Some(input) => input.line(first.instance),
                None => evaluated + first.instance as u64 + 1,
            };
            let path = input.map(|input| input.path.clone());
            CliError::Instance { path, number, reason: first.reason() }
        })
    }

    /// Reports the number of marked lines.
    pub(super) fn report(&self) {
        for (what, Count { count, first }) in
            [("bad input lines", &self.lines), ("instances without result", &self.instances)]
        {
            if let Some(first) = first {
                eprintln!("{what} marked: {count}; the first is {first}");
            }
        }
    }
}

impl Count {
    fn note(
        &mut self,
        policy: OnError,
        count: usize,
        first: impl FnOnce() -> CliError,
    ) -> Result<(), CliError> {
        if policy == OnError::Fail {
            return Err(first());
        }
        self.count += count;
        self.first.get_or_insert_with(first);
        Ok(())
    }
}
