//! The parts of a test of primality that kernels of their own compute.

use core::fmt;

/// The part of a test of primality that a kernel computes; the others run by residues (`docs/primality.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// The test.
    #[default]
    Whole,
    /// The end of a strong test: `is_strong_probable_prime(n, x)` has the power x with exponent d in place of the
    /// base.
    AfterPower,
}

/// As a kernel's canonical text has it.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whole => "",
            Self::AfterPower => " part=after-power",
        })
    }
}
