//! What becomes of lines that are no integers, and of instances that have no result.

use limbforge::limb::io::RecordError;
use limbforge::prelude::*;

use super::input::Input;
use crate::args::OnError;
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

    /// A record that is no integer. `for_all`: there is no instance without it.
    pub(super) fn note<B: Base>(
        &mut self,
        input: &Input<B>,
        number: u64,
        source: RecordError,
        for_all: bool,
    ) -> Result<(), CliError> {
        let error = CliError::Record { path: input.path().to_owned(), number, source };
        if for_all {
            return Err(error);
        }
        self.lines.note(self.policy, error)
    }

    /// An operation without result, for an instance of the chunk before which there were `evaluated` others. The line is
    /// that of the operand to blame, where it was read from a file.
    pub(super) fn note_instance<B: Base>(
        &mut self,
        inputs: &[Input<B>],
        failure: &Failure,
        evaluated: u64,
    ) -> Result<(), CliError> {
        let input = inputs.iter().find(|input| input.name() == &*failure.operand);
        let number = match input {
            Some(input) => input.line(failure.instance),
            None => evaluated + failure.instance as u64 + 1,
        };
        let path = input.map(|input| input.path().to_owned());
        self.instances.note(self.policy, CliError::Instance { path, number, reason: failure.reason() })
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
    fn note(&mut self, policy: OnError, error: CliError) -> Result<(), CliError> {
        if policy == OnError::Fail {
            return Err(error);
        }
        self.count += 1;
        self.first.get_or_insert(error);
        Ok(())
    }
}
