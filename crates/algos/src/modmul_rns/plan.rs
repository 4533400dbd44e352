//! Plans: the constants of a width, with their proved bounds.

use num_bigint::BigUint;

use super::bases::Bases;
use super::bounds::{self, Bounds, Matrices, Slack};
use super::constants::{self, FirstConstants, SecondConstants, remainder};
use super::error::{PlanError, Refused};
use super::matrix::Matrix;
use super::{LARGEST_BITS, LEAST_BITS};
use crate::invariant::broken_invariant;

/// What a plan proves beside the products of powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Nothing.
    Powers,
    /// Products that are doubled or less a number: [tests of primality](Plan::for_tests).
    Tests,
    /// Products of sums: [sequences](Plan::for_sequences).
    Sequences,
}

impl Purpose {
    /// What products may have.
    const fn slack(self) -> Slack {
        match self {
            Self::Powers => Slack::NONE,
            Self::Tests => Slack::TESTS,
            Self::Sequences => Slack::SEQUENCES,
        }
    }
}

/// A residue number system for moduli of up to so many bits: constants and matrices, as data, which a kernel
/// and the functions of this module both read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Moduli and numbers are below `2^bits`.
    pub bits: u32,
    /// The modulus of all instances; `None` if each instance has its own.
    pub one: Option<BigUint>,
    /// What the bounds are proved for.
    pub purpose: Purpose,
    /// The primes.
    pub bases: Bases,
    /// The constants of base 1.
    pub first: Vec<FirstConstants>,
    /// The constants of base 2.
    pub second: Vec<SecondConstants>,
    /// From factors in base 1 to base 2.
    pub to_second: Matrix,
    /// From residues in base 2 to base 1.
    pub to_first: Matrix,
    /// From the words of a number to residues in base 1, then in base 2.
    pub enter: Matrix,
    /// From residues in base 2 to the words of a number, and of alpha Q.
    pub leave: Matrix,
    /// The proved bounds.
    pub bounds: Bounds,
}

impl Plan {
    /// A plan for moduli of up to `bits` bits, one of each instance. Its matrices do not depend on them.
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::Plan;
    /// let plan = Plan::each(2048)?;
    /// assert_eq!((plan.residues(), plan.bounds.lambda), (68, 121));
    /// # Ok::<(), limbforge_algos::modmul_rns::PlanError>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError::Width`] unless `bits` is from [`LEAST_BITS`] to [`LARGEST_BITS`].
    pub fn each(bits: u32) -> Result<Self, PlanError> {
        Self::make(bits, None, Purpose::Powers)
    }

    /// The same with room for doubled products, and for products less a number: those of
    /// [powers of 2](super::Modulus::power_of_two) and [Lucas sequences](super::Modulus::lucas).
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::Plan;
    /// let plan = Plan::for_tests(2048)?;
    /// assert_eq!((plan.residues(), plan.bounds.lambda), (68, 122));
    /// # Ok::<(), limbforge_algos::modmul_rns::PlanError>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError::Width`] unless `bits` is from [`LEAST_BITS`] to [`LARGEST_BITS`].
    pub fn for_tests(bits: u32) -> Result<Self, PlanError> {
        Self::make(bits, None, Purpose::Tests)
    }

    /// The same with room for products of sums: those of [sequences](crate::sequence::Sequence).
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::Plan;
    /// let plan = Plan::for_sequences(2048)?;
    /// assert_eq!((plan.residues(), plan.bounds.lambda), (68, 121));
    /// # Ok::<(), limbforge_algos::modmul_rns::PlanError>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError::Width`] unless `bits` is from [`LEAST_BITS`] to [`LARGEST_BITS`].
    pub fn for_sequences(bits: u32) -> Result<Self, PlanError> {
        Self::make(bits, None, Purpose::Sequences)
    }

    /// A plan for one modulus of up to `bits` bits, which becomes part of its matrices.
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::{Plan, PlanError, Refused};
    /// use num_bigint::BigUint;
    /// assert!(Plan::one(64, &BigUint::from(1_000_000_u32)).is_ok());
    /// assert_eq!(Plan::one(64, &BigUint::ZERO), Err(PlanError::Refused(Refused::Zero)));
    /// ```
    ///
    /// # Errors
    /// [`PlanError::Width`] as above; [`PlanError::Refused`] for a modulus that is zero, too wide, or has a
    /// prime of base 1 as a factor.
    pub fn one(bits: u32, modulus: &BigUint) -> Result<Self, PlanError> {
        Self::make(bits, Some(modulus), Purpose::Powers)
    }

    /// k, the primes of each base: a multiple of 4, so that residues are vectors of 16 bytes.
    #[must_use]
    pub const fn residues(&self) -> usize {
        self.bases.residues()
    }

    fn make(bits: u32, one: Option<&BigUint>, purpose: Purpose) -> Result<Self, PlanError> {
        let slack = purpose.slack();
        if !(LEAST_BITS..=LARGEST_BITS).contains(&bits) {
            return Err(PlanError::Width { found: bits });
        }
        let bases = bases(bits, slack);
        if let Some(modulus) = one {
            check_modulus(modulus, bits, &bases)?;
        }
        let first = constants::first_constants(&bases, one);
        let second = constants::second_constants(&bases);
        let to_second = constants::to_second(&bases, &first, &second, one);
        let to_first = constants::to_first(&bases, &first);
        let enter = constants::enter(bits, &first, &second);
        let leave = constants::leave(&bases.second);
        let matrices = Matrices { to_second: &to_second, to_first: &to_first, enter: &enter, leave: &leave };
        let bounds = bounds::prove(bits, &bases, (one.is_none(), slack), matrices)
            .unwrap_or_else(|unproved| broken_invariant(&format!("a plan of {bits} bits: {unproved}")));
        let one = one.cloned();
        Ok(Self { bits, one, purpose, bases, first, second, to_second, to_first, enter, leave, bounds })
    }
}

/// The smallest bases for a width.
fn bases(bits: u32, slack: Slack) -> Bases {
    // 31 k > bits is necessary.
    let least = (bits as usize / 31 + 1).next_multiple_of(4);
    let bases = |k| Some(Bases::new(k)).filter(|bases| bounds::prove_bases(bits, bases, slack).is_ok());
    [least, least + 4]
        .into_iter()
        .find_map(bases)
        .unwrap_or_else(|| broken_invariant("every width of a plan has two bases"))
}

/// Checks that a modulus is in range and prime to base 1.
pub(crate) fn check_modulus(modulus: &BigUint, bits: u32, bases: &Bases) -> Result<(), Refused> {
    Refused::check_range(modulus, bits)?;
    let divides = bases.first.primes.iter().find(|&&prime| remainder(modulus, prime) == 0);
    divides.map_or(Ok(()), |prime| Err(Refused::SharedFactor { prime: prime.value }))
}
