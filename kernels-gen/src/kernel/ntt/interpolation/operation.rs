//! The operations of an interpolation's program.

use core::fmt;

/// A factor as a multiple of a node's d: d, -d, -2 d, 1 / d, 1 / (2 d).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scale {
    One,
    Minus,
    MinusTwo,
    Inverse,
    HalfInverse,
}

/// A factor that all columns share: of a heap node, counted from 1, of the tree that splits `y^R - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeFactor {
    pub(crate) node: u32,
    pub(crate) scale: Scale,
}

/// An operation of the program. Operands are indices of earlier values, factors those of the list of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    /// The point of a row times the row's factor.
    Point {
        row: u32,
    },
    Add {
        x: usize,
        y: usize,
    },
    Sub {
        x: usize,
        y: usize,
    },
    /// x w.
    Times {
        x: usize,
        factor: usize,
    },
    /// x + y w.
    AddTimes {
        x: usize,
        y: usize,
        factor: usize,
    },
    Half {
        x: usize,
    },
    /// The same residue, small.
    Reduce {
        x: usize,
    },
}

/// The expression of `templates/residue28.cuh`; value i is `v{i}`.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Point { row } => write!(f, "times(array[{row} * ROW + j], w[{row}], prime)"),
            Self::Add { x, y } => write!(f, "v{x} + v{y}"),
            Self::Sub { x, y } => write!(f, "v{x} - v{y}"),
            Self::Times { x, factor } => write!(f, "times(v{x}, transform.columns[{factor}], prime)"),
            Self::AddTimes { x, y, factor } => {
                write!(f, "add_times(v{x}, v{y}, transform.columns[{factor}], prime)")
            }
            Self::Half { x } => write!(f, "half(v{x}, prime)"),
            Self::Reduce { x } => write!(f, "reduce(v{x}, prime)"),
        }
    }
}

impl Operation {
    /// The values it takes.
    pub(super) fn operands(&mut self) -> impl Iterator<Item = &mut usize> {
        let (x, y) = match self {
            Self::Point { .. } => (None, None),
            Self::Add { x, y } | Self::Sub { x, y } | Self::AddTimes { x, y, .. } => (Some(x), Some(y)),
            Self::Times { x, .. } | Self::Half { x } | Self::Reduce { x } => (Some(x), None),
        };
        x.into_iter().chain(y)
    }
}
