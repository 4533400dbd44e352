//! What becomes of lines that are no integers, and of instances that have no result.

use limbforge::prelude::*;

use super::arguments::OnError;
use super::input::{BadRecord, Input};
use super::marks::Failed;
use crate::error::CliError;

/// The failures so far, by the policy of the user.
pub(super) struct Failures {
    policy: OnError,
    lines: Count,
    instances: Count,
}

/// How many of a kind, and the first.
#[derive(Default)]
struct Count {
    count: u64,
    first: Option<CliError>,
}

impl Failures {
    pub(super) fn new(policy: OnError) -> Self {
        Self { policy, lines: Count::default(), instances: Count::default() }
    }

    /// Records that are no integers, in order. `for_all`: there is no instance without them.
    pub(super) fn note_lines<B: Base>(
        &mut self,
        input: &Input<B>,
        bad: &[BadRecord],
        for_all: bool,
    ) -> Result<(), CliError> {
        let Some(&BadRecord { number, error, .. }) = bad.first() else { return Ok(()) };
        let policy = if for_all { OnError::Fail } else { self.policy };
        self.lines.note(policy, bad.len() as u64, || input.record_error(number, error))
    }

    /// Operations without result, for instances of the chunk before which there were `evaluated` others. The
    /// line is that of the operand to blame, where it was read from a file.
    pub(super) fn note_instances<B: Base>(
        &mut self,
        inputs: &[Input<B>],
        failed: Failed<'_>,
        evaluated: u64,
    ) -> Result<(), CliError> {
        let Some(failure) = failed.first else { return Ok(()) };
        self.instances.note(self.policy, failed.count, || {
            let operand = inputs.iter().find(|input| input.name() == &*failure.operand);
            // Where lines are skipped, the number of a result is that of no line.
            let input = operand.or_else(|| inputs.iter().find(|input| input.may_skip_lines()));
            let number = match input {
                Some(input) => input.line(failure.instance),
                None => evaluated + failure.instance as u64 + 1,
            };
            let path = input.map(|input| input.path().to_owned());
            CliError::Instance { path, number, reason: failure.reason() }
        })
    }

    /// Says how many lines were marked.
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
    /// Counts so many; `first` says what is wrong with the first of them.
    fn note(
        &mut self,
        policy: OnError,
        count: u64,
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
