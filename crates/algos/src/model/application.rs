//! The four applications under one interface.

use core::fmt;

use super::error::at_least;
use super::refined::Counts;
use super::{Machine, Measures, ModelError, division, gcd, multiplication, radix_sort};

/// A problem of one of the four applications, with its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Application {
    /// The plain product of polynomials of n and m terms.
    Multiplication {
        /// Terms of one factor.
        n: u64,
        /// Terms of the other, at most n.
        m: u64,
    },
    /// The quotient and remainder of a polynomial of n terms by one of m terms.
    Division {
        /// Terms of the dividend.
        n: u64,
        /// Terms of the divisor, at most n.
        m: u64,
    },
    /// The greatest common divisor of polynomials of n and m terms.
    Gcd {
        /// Terms of one.
        n: u64,
        /// Terms of the other, at most n.
        m: u64,
    },
    /// Sorting of n keys of so many bits.
    RadixSort {
        /// Keys.
        n: u64,
        /// Bits of a key, 1 to 64.
        bits: u64,
    },
}

/// A parameter and what it costs.
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
    /// How often each of the refinement's times is spent.
    pub counts: Counts,
    /// The refined time in seconds.
    pub refined_seconds: f64,
}

impl Application {
    /// Its name, as in `gcd`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Multiplication { .. } => "multiplication",
            Self::Division { .. } => "division",
            Self::Gcd { .. } => "gcd",
            Self::RadixSort { .. } => "radix sort",
        }
    }

    /// The powers of two that s can be on any machine: up to m, or up to 16 bits a pass.
    pub fn parameters(&self) -> impl Iterator<Item = u64> + use<> {
        let most = match *self {
            Self::Multiplication { m, .. } | Self::Division { m, .. } | Self::Gcd { m, .. } => m,
            Self::RadixSort { bits, .. } => bits.min(16),
        };
        (0..u64::BITS).map(|log2| 1 << log2).take_while(move |&s| s <= most)
    }

    /// The cost with parameter s. Blocks have `threads` threads, but 3s for divisions and gcds of more than
    /// one step a kernel.
    ///
    /// # Errors
    /// [`ModelError::Parameter`] for sizes or an s out of range; [`ModelError::LocalMemory`] or
    /// [`ModelError::Threads`] for an s whose blocks do not fit the machine.
    pub fn choice(&self, s: u64, threads: u64, machine: &Machine) -> Result<Choice, ModelError> {
        self.check(s, threads)?;
        let (sf, l) = (s as f64, threads as f64);
        let (threads, local_words, measures) = match *self {
            Self::Multiplication { n, m } => {
                let measures = multiplication::plain(n as f64, m as f64, sf, l);
                (threads, multiplication::words(s, threads), measures)
            }
            Self::Division { n, m } if s == 1 => {
                (threads, division::naive_words(threads), division::naive(n as f64, m as f64, l))
            }
            Self::Division { n, m } => {
                (3 * s, division::optimised_words(s), division::optimised(n as f64, m as f64, sf))
            }
            Self::Gcd { n, m } if s == 1 => {
                (threads, gcd::naive_words(threads), gcd::naive(n as f64, m as f64, l))
            }
            Self::Gcd { n, m } => (3 * s, gcd::optimised_words(s), gcd::optimised(n as f64, m as f64, sf)),
            Self::RadixSort { n, bits } => {
                let measures = radix_sort::by_digits(n as f64, bits as f64, sf, l);
                (threads, radix_sort::words(s, threads), measures)
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
        let mut choices = Vec::new();
        for s in parameters {
            match self.choice(s, threads, machine) {
                Ok(choice) => choices.push(choice),
                Err(ModelError::LocalMemory { .. } | ModelError::Threads { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(choices)
    }

    /// The parameter with the least bound of Theorem 1.
    ///
    /// # Errors
    /// As [`choices`](Self::choices), and [`ModelError::NothingFits`].
    ///
    /// ```
    /// use limbforge_algos::model::machine::Figures;
    /// use limbforge_algos::model::{Application, Machine};
    ///
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

    /// The counts that the refined time is linear in.
    fn counts(&self, measures: &Measures, s: u64, threads: u64, machine: &Machine) -> Counts {
        match *self {
            Self::Multiplication { n, m } => Counts::of_product(n, m, s, threads, machine),
            Self::Division { .. } => Counts::of_chain(measures, threads, machine, [1.0, 1.0]),
            // A step of our gcd multiplies both polynomials, where the paper divides: twice the operations.
            Self::Gcd { .. } => Counts::of_chain(measures, threads, machine, [1.0, 2.0]),
            Self::RadixSort { .. } => Counts::of_chain(measures, threads, machine, [0.0, 1.0]),
        }
    }

    /// The parameter with the least refined time: the one to use.
    ///
    /// # Errors
    /// As [`best`](Self::best).
    ///
    /// ```
    /// use limbforge_algos::model::machine::Figures;
    /// use limbforge_algos::model::{Application, Machine};
    ///
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

    /// Sizes and parameter that the formulas are for.
    fn check(&self, s: u64, threads: u64) -> Result<(), ModelError> {
        at_least("threads of a block", threads as f64, 1.0, "one or more")?;
        at_least("s", s as f64, 1.0, "one or more")?;
        match *self {
            Self::Multiplication { n, m } | Self::Division { n, m } | Self::Gcd { n, m } => {
                at_least("m", m as f64, 1.0, "one term or more")?;
                at_least("n", n as f64, m as f64, "m terms or more")?;
                if s > m {
                    return Err(ModelError::Parameter { name: "s", found: s as f64, expected: "at most m" });
                }
            }
            Self::RadixSort { n, bits } => {
                at_least("n", n as f64, 1.0, "one key or more")?;
                if !(1..=64).contains(&bits) {
                    return Err(ModelError::Parameter {
                        name: "bits",
                        found: bits as f64,
                        expected: "1 to 64",
                    });
                }
                if s > bits.min(32) {
                    let expected = "at most the bits of a key, and 32";
                    return Err(ModelError::Parameter { name: "s", found: s as f64, expected });
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Multiplication { n, m } | Self::Division { n, m } | Self::Gcd { n, m } => {
                write!(f, "{} of {n} and {m} terms", self.name())
            }
            Self::RadixSort { n, bits } => write!(f, "{} of {n} keys of {bits} bits", self.name()),
        }
    }
}
