//! An estimated time, and its basis.

use std::fmt;

/// What an estimate rests on, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// This expression was measured at this width, on this GPU or one of its kind.
    Measured,
    /// It was measured at other widths.
    Between,
    /// Its products were measured, not the expression as a whole.
    Composed,
    /// Scaled from measurements of another architecture.
    Predicted,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Measured => "measured",
            Self::Between => "between measured widths",
            Self::Composed => "from its products",
            Self::Predicted => "predicted",
        })
    }
}

/// The estimated time of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// For a batch of 2^32 bits of each operand.
    pub milliseconds: f64,
    /// What it rests on.
    pub basis: Basis,
}
