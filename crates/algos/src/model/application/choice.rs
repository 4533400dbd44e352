//! The cost of an application with each parameter, and the best parameter.

use super::Application;
use crate::model::refined::Counts;
use crate::model::{Machine, Measures, ModelError, division, gcd, multiplication, radix_sort};

/// A parameter and its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The program parameter.
    pub s: u64,
    /// Threads of a block.
    pub threads: u64,
    /// Words of local memory of a block.
    pub local_words: u64,
    /// The cost of the program with it.
    pub measures: Measures,
    /// The bound of Theorem 1 in seconds.
    pub seconds: f64,
    /// The counts of the refinement's times.
    pub counts: Counts,
    /// The refined time in seconds.
    pub refined_seconds: f64,
}

impl Application {
    /// The cost with parameter s. Blocks have `threads` threads; those of divisions and gcds with several
    /// steps per kernel have 3s.
    ///
    /// # Errors
    /// [`ModelError::Parameter`] for sizes or an s out of range; [`ModelError::LocalMemory`] or
    /// [`ModelError::Threads`] for an s whose blocks do not fit the machine.
    pub fn choice(&self, s: u64, threads: u64, machine: &Machine) -> Result<Choice, ModelError> {
        self.check(s, threads)?;
        let (sf, l) = (s as f64, threads as f64);
        let (threads, local_words, measures) = match *self {
            Self::Multiplication { n, m } => {
                (threads, 2 * s * threads + 2 * s - 1, multiplication::plain(n as f64, m as f64, sf, l))
            }
            Self::Division { n, m } if s == 1 => {
                (threads, 2 * threads, division::naive(n as f64, m as f64, l))
            }
            Self::Division { n, m } => (3 * s, 7 * s, division::optimised(n as f64, m as f64, sf)),
            Self::Gcd { n, m } if s == 1 => (threads, 2 * threads, gcd::naive(n as f64, m as f64, l)),
            Self::Gcd { n, m } => (3 * s, 6 * s, gcd::optimised(n as f64, m as f64, sf)),
            Self::RadixSort { n, bits } => {
                (threads, 8 * threads + (1 << s), radix_sort::by_digits(n as f64, bits as f64, sf, l))
            }
        };
        let (what, available) = (self.name(), machine.local_words());
        if local_words > available {
            return Err(ModelError::LocalMemory { what, s, words: local_words, available });
        }
        if threads > machine.block_threads() {
            return Err(ModelError::Threads { what, s, threads, available: machine.block_threads() });
        }
        let counts = self.counts(&measures, s, threads, machine);
        let (seconds, refined_seconds) = (measures.seconds(machine), machine.refinement().seconds(&counts));
        Ok(Choice { s, threads, local_words, measures, seconds, counts, refined_seconds })
    }

    /// The choices of the parameters that fit, in their order.
    ///
    /// # Errors
    /// [`ModelError::Parameter`] for sizes out of range.
    pub fn choices(
        &self,
        parameters: impl IntoIterator<Item = u64>,
        threads: u64,
        machine: &Machine,
    ) -> Result<Vec<Choice>, ModelError> {
        let choices = parameters.into_iter().map(|s| self.choice(s, threads, machine));
        let unfit = |error: &_| matches!(error, ModelError::LocalMemory { .. } | ModelError::Threads { .. });
        choices.filter(|choice| !choice.as_ref().is_err_and(unfit)).collect()
    }

    /// The parameter with the least bound of Theorem 1.
    ///
    /// # Errors
    /// As [`choices`](Self::choices), and [`ModelError::NothingFits`].
    ///
    /// ```
    /// use limbforge_algos::model::{Application, Machine, machine::Figures};
    /// let machine = Machine::from_figures(Figures::H200)?;
    /// let gcd = Application::Gcd { n: 10_000, m: 9_000 };
    /// assert_eq!(gcd.best(gcd.parameters(), 256, &machine)?.s, 256);
    /// # Ok::<(), limbforge_algos::model::ModelError>(())
    /// ```
    pub fn best(
        &self,
        parameters: impl IntoIterator<Item = u64>,
        threads: u64,
        machine: &Machine,
    ) -> Result<Choice, ModelError> {
        self.least(parameters, threads, machine, |choice| choice.seconds)
    }

    /// The parameter with the least refined time: the one to use.
    ///
    /// # Errors
    /// As [`best`](Self::best).
    ///
    /// ```
    /// use limbforge_algos::model::{Application, Machine, machine::Figures};
    /// let machine = Machine::from_figures(Figures::H200)?;
    /// let gcd = Application::Gcd { n: 10_000, m: 9_000 };
    /// assert_eq!(gcd.best_refined(gcd.parameters(), 256, &machine)?.s, 64);
    /// # Ok::<(), limbforge_algos::model::ModelError>(())
    /// ```
    pub fn best_refined(
        &self,
        parameters: impl IntoIterator<Item = u64>,
        threads: u64,
        machine: &Machine,
    ) -> Result<Choice, ModelError> {
        self.least(parameters, threads, machine, |choice| choice.refined_seconds)
    }

    fn least(
        &self,
        parameters: impl IntoIterator<Item = u64>,
        threads: u64,
        machine: &Machine,
        time: fn(&Choice) -> f64,
    ) -> Result<Choice, ModelError> {
        let choices = self.choices(parameters, threads, machine)?;
        let fastest = choices.into_iter().min_by(|a, b| time(a).total_cmp(&time(b)));
        fastest.ok_or(ModelError::NothingFits { what: self.name() })
    }

    /// The counts that the refined time is linear in.
    fn counts(&self, measures: &Measures, s: u64, threads: u64, machine: &Machine) -> Counts {
        let (refinement, multiprocessors) = (machine.refinement(), machine.multiprocessors());
        let [waits, operations] = match *self {
            Self::Multiplication { n, m } => {
                let launches = multiplication::launches(n, m, s, threads);
                return Counts::of_launches(launches, threads, &refinement, multiprocessors);
            }
            Self::Division { .. } => [1.0, 1.0],
            // A step of our gcd multiplies both polynomials, where the paper divides: twice the operations.
            Self::Gcd { .. } => [1.0, 2.0],
            Self::RadixSort { .. } => [0.0, 1.0],
        };
        Counts::of_chain(measures, threads, &refinement, multiprocessors, [waits, operations])
    }
}
