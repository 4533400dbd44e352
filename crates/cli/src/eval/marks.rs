//! Which instances of a chunk have a mark in place of a result.

use limbforge::prelude::*;

use super::input::BadRecord;

/// A mark for each instance, or none: a byte each, as all may fail.
pub(super) struct Marks {
    /// For each instance 0, or 1 + the place of its mark in `names`. Empty while no instance has one.
    codes: Vec<u8>,
    instances: usize,
    names: Vec<&'static str>,
}

/// Failures of instances that had no mark.
#[derive(Clone, Copy, Default)]
pub(super) struct Failed<'f> {
    pub(super) count: u64,
    pub(super) first: Option<&'f Failure>,
}

impl Marks {
    pub(super) const fn new(instances: usize) -> Self {
        Self { codes: Vec::new(), instances, names: Vec::new() }
    }

    /// Marks instances of which a record is no integer.
    pub(super) fn add_lines(&mut self, bad: &[BadRecord]) {
        for record in bad {
            self.add(record.instance, record.error.mark());
        }
    }

    /// Marks instances without result. An instance without an operand has failed already, and of several
    /// failures the first counts.
    pub(super) fn add_failures<'f>(&mut self, failures: &'f [Failure]) -> Failed<'f> {
        let mut failed = Failed::default();
        for failure in failures {
            if self.add(failure.instance, failure.why.mark()) {
                failed.count += 1;
                failed.first.get_or_insert(failure);
            }
        }
        failed
    }

    /// The mark of an instance.
    pub(super) fn get(&self, instance: usize) -> Option<&'static str> {
        let code = *self.codes.get(instance)?;
        Some(self.names[usize::from(code.checked_sub(1)?)])
    }

    /// False if the instance had a mark, which stays.
    fn add(&mut self, instance: usize, name: &'static str) -> bool {
        if self.codes.is_empty() {
            self.codes.resize(self.instances, 0);
        }
        let is_new = self.codes[instance] == 0;
        if is_new {
            // There are few marks, of which the errors' own types have the texts.
            let at = self.names.iter().position(|&known| known == name).unwrap_or(self.names.len());
            if at == self.names.len() {
                self.names.push(name);
            }
            self.codes[instance] = at as u8 + 1;
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mark_of_an_instance_stays() {
        let mut marks = Marks::new(5);
        assert_eq!(marks.get(4), None);
        assert!(
            marks.add(3, "DIV0") && marks.add(0, "EVEN") && !marks.add(3, "EVEN") && marks.add(4, "DIV0")
        );
        let found: Vec<_> = (0..5).map(|i| marks.get(i).unwrap_or_default()).collect();
        assert_eq!(found, ["EVEN", "", "", "DIV0", "DIV0"]);
    }
}
