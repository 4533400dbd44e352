//! Operands that are residues of a product's coefficients.

use super::primes::PrimeSet;

/// An input that is not integers but residues of digit sums, as a kernel of transforms leaves them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Residues {
    /// The primes.
    pub primes: PrimeSet,
    /// Digit sums of an instance.
    pub digits: u32,
    /// Which of the results of the kernel of transforms.
    pub index: u32,
}

/// Words from one instance's residues to the next one's, for so many digit sums: whole vectors of four.
pub(crate) const fn plane(digits: u32) -> u32 {
    digits.next_multiple_of(4)
}
