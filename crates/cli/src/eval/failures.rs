//! Lines that are not integers, and instances without result: the number of those that are marked.

use crate::error::CliError;

/// The number of failures of a kind, and the first.
#[derive(Default)]
struct Count {
    count: usize,
    first: Option<CliError>,
}

/// The failures so far.
#[derive(Default)]
pub(super) struct Failures {
    lines: Count,
    instances: Count,
}

impl Failures {
    /// Notes those of the next piece, in the order of instances.
    pub(super) fn note(&mut self, lines: Option<(usize, CliError)>, instances: Option<(usize, CliError)>) {
        for (count, new) in [(&mut self.lines, lines), (&mut self.instances, instances)] {
            if let Some((more, first)) = new {
                count.count += more;
                count.first.get_or_insert(first);
            }
        }
    }

    /// Prints the number of marked lines, and the first, to standard error.
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
