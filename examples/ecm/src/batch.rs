//! The instances of a batch of curves.

use limbforge::prelude::*;
use limbforge_hunts::{HuntError, word_bits};
use num_bigint::BigUint;

/// Curves side by side: the number of each, and its sigma.
#[derive(Clone, Debug)]
pub struct Instances {
    numbers: Vec<BigUint>,
    place: Vec<u32>,
    sigma: Vec<u32>,
    ty: IntType,
}

impl Instances {
    /// The curves sigma = first, first + 1, ..., so many for each of the numbers.
    ///
    /// # Errors
    /// [`HuntError::Argument`] if a number is too wide, or the sigmas do not have 32 bits.
    pub fn new(numbers: Vec<BigUint>, first: u32, curves: u32) -> Result<Self, HuntError> {
        let end =
            first.checked_add(curves).ok_or_else(|| HuntError::argument("expected sigmas below 2^32"))?;
        let (mut place, mut sigma) = (vec![], vec![]);
        for at in 0..numbers.len() {
            sigma.extend(first..end);
            place.resize(sigma.len(), at as u32);
        }
        Self::of(numbers, place, sigma)
    }

    fn of(numbers: Vec<BigUint>, place: Vec<u32>, sigma: Vec<u32>) -> Result<Self, HuntError> {
        let bits = word_bits(numbers.iter().map(BigUint::bits).max().unwrap_or(0));
        let ty = IntType::unsigned(bits).map_err(|error| HuntError::argument(error.to_string()))?;
        Ok(Self { numbers, place, sigma, ty })
    }

    /// Some of the curves, by their indices.
    ///
    /// # Errors
    /// None but those of [`new`](Self::new).
    pub fn take(&self, indices: &[usize]) -> Result<Self, HuntError> {
        let place = indices.iter().map(|&i| self.place[i]).collect();
        Self::of(self.numbers.clone(), place, indices.iter().map(|&i| self.sigma[i]).collect())
    }

    /// The number of curves.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.sigma.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sigma.is_empty()
    }

    /// The number of a curve.
    #[must_use]
    pub fn number(&self, i: usize) -> &BigUint {
        &self.numbers[self.place[i] as usize]
    }

    /// The sigma of a curve.
    #[must_use]
    pub fn sigma(&self, i: usize) -> u32 {
        self.sigma[i]
    }

    /// The type of the numbers.
    #[must_use]
    pub const fn ty(&self) -> IntType {
        self.ty
    }

    /// The input N: one for all, or each as often as `times` says.
    pub(crate) fn moduli(&self, times: usize) -> Result<Batch<u64>, HuntError> {
        let numbers = Batch::from_biguints(self.ty, Layout::InstanceMajor, &self.numbers)?;
        if self.numbers.len() == 1 {
            return Ok(numbers);
        }
        let indices = self.place.iter().flat_map(|&at| std::iter::repeat_n(at as usize, times));
        Ok(numbers.take(&indices.collect::<Vec<_>>())?)
    }

    /// The input sigma.
    pub(crate) fn sigmas(&self) -> Result<Batch<u64>, HuntError> {
        words(32, self.sigma.iter().map(|&sigma| sigma.into()).collect())
    }
}

/// Integers of so many bits, at most 64.
pub(crate) fn words(bits: u64, values: Vec<u64>) -> Result<Batch<u64>, HuntError> {
    let ty = IntType::unsigned(bits).map_err(|error| HuntError::argument(error.to_string()))?;
    Ok(Batch::from_limbs(ty, Layout::InstanceMajor, values)?)
}

/// A result or list that a program has.
pub(crate) fn present<T>(value: Option<T>) -> Result<T, HuntError> {
    value.ok_or_else(|| HuntError::Wrong("a program has lost a result".to_owned()))
}
