//! The lines of instances.

/// Numbers of the lines of consecutive instances, which follow each other but where lines are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::eval) struct Lines {
    /// An instance and the number of its line, from 1, where they start to run in step.
    runs: Vec<(usize, u64)>,
}

impl Lines {
    /// Instances from 0 on whose lines are not interrupted.
    pub(super) fn from(number: u64) -> Self {
        Self { runs: vec![(0, number)] }
    }

    /// Notes the line of an instance after all that were noted.
    pub(in crate::eval) fn push(&mut self, instance: usize, number: u64) {
        let in_step = |&(start, first): &(usize, u64)| first + (instance - start) as u64 == number;
        if !self.runs.last().is_some_and(in_step) {
            self.runs.push((instance, number));
        }
    }

    /// The lines of the instances from one on.
    #[cfg(feature = "columns")]
    pub(in crate::eval) fn after(&self, first: usize) -> Self {
        let later = self.runs.iter().filter(|(instance, _)| *instance > first);
        let runs = later.map(|(instance, number)| (instance - first, *number));
        Self { runs: [(0, self.get(first))].into_iter().chain(runs).collect() }
    }

    /// The line of an instance.
    pub(in crate::eval) fn get(&self, instance: usize) -> u64 {
        let at = self.runs.partition_point(|&(start, _)| start <= instance);
        let (start, first) = self.runs.get(at.wrapping_sub(1)).copied().unwrap_or((0, 1));
        first + (instance - start) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs() {
        let mut lines = Lines::from(5);
        for (instance, number) in [(1, 6), (2, 7), (3, 9), (4, 10), (5, 20)] {
            lines.push(instance, number);
        }
        assert_eq!(lines.runs.len(), 3);
        let found: Vec<_> = (0..7).map(|i| lines.get(i)).collect();
        assert_eq!(found, [5, 6, 7, 9, 10, 20, 21]);
        #[cfg(feature = "columns")]
        for first in 0..7 {
            let found: Vec<_> = (0..7 - first).map(|i| lines.after(first).get(i)).collect();
            assert_eq!(found, [5, 6, 7, 9, 10, 20, 21][first..]);
        }
    }
}
