//! The parts of a test of primality that kernels of their own compute.

use core::fmt;

/// The part of a test of primality that a kernel computes; the others run by residues (`docs/primality.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// The test.
    #[default]
    Whole,
    /// `is_prime(n)` is 0 of composite numbers, 1 of primes, 2 of those without a small factor.
    Small,
    /// `is_prime(n)` is the number `W_1` of the Lucas sequence of an odd n above 2^16, or n if it is composite.
    LucasFirst,
    /// The end of a strong test: `is_strong_probable_prime(n, x)` has the power x with exponent d in place of the
    /// base.
    AfterPower,
    /// The end of a strong Lucas test of odd n: `is_strong_probable_prime(n, w)` has the number `W_d`, or n where it is
    /// known to pass.
    AfterLadder,
}

/// As a kernel's canonical text has it.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whole => "",
            Self::Small => " part=small",
            Self::LucasFirst => " part=lucas-first",
            Self::AfterPower => " part=after-power",
            Self::AfterLadder => " part=after-ladder",
        })
    }
}
