//! A program of single assignments on residues, with the bound of each value in magnitude.

use core::fmt;

use super::super::bounds::{Bounds, LIMIT};
use crate::spec::SpecError;

/// A value of the program, by its number; the operation that made it may have been reduced since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value(usize);

/// What a node's d is multiplied with as a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scale {
    /// d.
    One,
    /// -d.
    Minus,
    /// -2 d.
    MinusTwo,
    /// 1 / d.
    Inverse,
    /// 1 / (2 d).
    HalfInverse,
}

/// A factor that all columns share: of the heap node `node` of the tree that splits `y^R - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeFactor {
    /// Counted from 1.
    pub(crate) node: u32,
    /// What is made of its d.
    pub(crate) scale: Scale,
}

/// What makes a value; operands are the numbers of values before it, factors those of the list of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    /// The point of a row times the row's factor.
    Point { row: u32 },
    /// x + y.
    Add { x: usize, y: usize },
    /// x - y.
    Sub { x: usize, y: usize },
    /// x w.
    Times { x: usize, factor: usize },
    /// x + y w.
    AddTimes { x: usize, y: usize, factor: usize },
    /// x / 2.
    Half { x: usize },
    /// The same residue, small.
    Reduce { x: usize },
}

/// The program as it grows.
#[derive(Debug)]
pub(super) struct Tape {
    largest: u32,
    bounds: Bounds,
    operations: Vec<(Operation, u64)>,
    factors: Vec<NodeFactor>,
    /// For each value made, where its present form is.
    forms: Vec<usize>,
}

impl Tape {
    pub(super) const fn new(largest: u32) -> Self {
        let bounds = Bounds { p: largest as u64 };
        Self { largest, bounds, operations: vec![], factors: vec![], forms: vec![] }
    }

    /// The point of a row, up to `bound`, times its factor.
    pub(super) fn point(&mut self, row: u32, bound: u64) -> Result<Value, SpecError> {
        self.make(Operation::Point { row }, self.bounds.product(bound))
    }

    pub(super) fn sum(&mut self, x: Value, y: Value) -> Result<Value, SpecError> {
        let bound = self.join(x, y);
        self.make(Operation::Add { x: self.form(x), y: self.form(y) }, bound)
    }

    fn difference(&mut self, x: Value, y: Value) -> Result<Value, SpecError> {
        let bound = self.join(x, y);
        self.make(Operation::Sub { x: self.form(x), y: self.form(y) }, bound)
    }

    /// (x - y) / d.
    pub(super) fn scaled_difference(&mut self, x: Value, y: Value, node: u32) -> Result<Value, SpecError> {
        let difference = self.difference(x, y)?;
        if is_one(node) { Ok(difference) } else { self.times(difference, node, Scale::Inverse) }
    }

    /// (x + y) / 2.
    pub(super) fn half_sum(&mut self, x: Value, y: Value) -> Result<Value, SpecError> {
        let sum = self.sum(x, y)?;
        self.half(sum)
    }

    /// (x - y) / (2 d).
    pub(super) fn half_difference(&mut self, x: Value, y: Value, node: u32) -> Result<Value, SpecError> {
        let difference = self.difference(x, y)?;
        if is_one(node) { self.half(difference) } else { self.times(difference, node, Scale::HalfInverse) }
    }

    /// x + y times a multiple of d.
    pub(super) fn add_times(
        &mut self,
        x: Option<Value>,
        y: Option<Value>,
        node: u32,
        scale: Scale,
    ) -> Result<Option<Value>, SpecError> {
        match (x, y) {
            (x, None) => Ok(x),
            (None, Some(y)) => self.times(y, node, scale).map(Some),
            (Some(x), Some(y)) if is_one(node) && scale == Scale::One => self.sum(x, y).map(Some),
            (Some(x), Some(y)) if is_one(node) && scale == Scale::Minus => self.difference(x, y).map(Some),
            (Some(x), Some(y)) => {
                if self.bound(x) + self.bounds.product(self.bound(y)) >= LIMIT {
                    self.reduce(x);
                }
                let bound = self.bound(x) + self.bounds.product(self.bound(y));
                let factor = self.factor(node, scale);
                let operation = Operation::AddTimes { x: self.form(x), y: self.form(y), factor };
                self.make(operation, bound).map(Some)
            }
        }
    }

    fn times(&mut self, x: Value, node: u32, scale: Scale) -> Result<Value, SpecError> {
        let factor = self.factor(node, scale);
        self.make(Operation::Times { x: self.form(x), factor }, self.bounds.product(self.bound(x)))
    }

    fn half(&mut self, x: Value) -> Result<Value, SpecError> {
        if self.bound(x) + self.bounds.p >= LIMIT {
            self.reduce(x);
        }
        let bound = self.bound(x) + self.bounds.p;
        if bound >= LIMIT {
            return Err(SpecError::ResidueRange { p: self.largest, bound });
        }
        self.make(Operation::Half { x: self.form(x) }, bound.div_ceil(2))
    }

    /// A form of the value that `canonical` takes: in (-p, 2p).
    pub(super) fn final_value(&mut self, x: Value) -> Result<usize, SpecError> {
        for _ in 0..3 {
            if self.bound(x) < self.bounds.p || self.is_reduced_enough(x) {
                return Ok(self.form(x));
            }
            self.reduce(x);
        }
        Err(SpecError::ResidueRange { p: self.largest, bound: self.bound(x) })
    }

    /// Whether a reduction made it, of a value small enough that no more than p was taken off: q is from -2^28 to 2^28 times
    /// the bound, the rest in [0, 2^28).
    fn is_reduced_enough(&self, x: Value) -> bool {
        let Operation::Reduce { x: before } = self.operations[self.form(x)].0 else { return false };
        let quotient = self.operations[before].1.div_ceil(1 << 28);
        quotient * self.bounds.excess() < self.bounds.p
    }

    /// The sum's bound, with operands reduced if it needs them to be.
    fn join(&mut self, x: Value, y: Value) -> u64 {
        for _ in 0..2 {
            if self.bound(x) + self.bound(y) >= LIMIT {
                self.reduce(if self.bound(x) < self.bound(y) { y } else { x });
            }
        }
        self.bound(x) + self.bound(y)
    }

    fn reduce(&mut self, x: Value) {
        let bound = self.bounds.reduced(self.bound(x));
        self.operations.push((Operation::Reduce { x: self.form(x) }, bound));
        self.forms[x.0] = self.operations.len() - 1;
    }

    fn make(&mut self, operation: Operation, bound: u64) -> Result<Value, SpecError> {
        if bound >= LIMIT {
            return Err(SpecError::ResidueRange { p: self.largest, bound });
        }
        self.operations.push((operation, bound));
        self.forms.push(self.operations.len() - 1);
        Ok(Value(self.forms.len() - 1))
    }

    fn factor(&mut self, node: u32, scale: Scale) -> usize {
        let wanted = NodeFactor { node, scale };
        self.factors.iter().position(|&factor| factor == wanted).unwrap_or_else(|| {
            self.factors.push(wanted);
            self.factors.len() - 1
        })
    }

    fn form(&self, value: Value) -> usize {
        self.forms[value.0]
    }

    fn bound(&self, value: Value) -> u64 {
        self.operations[self.form(value)].1
    }

    /// The operations that the wanted values need, the factors, and the wanted values by their new numbers.
    pub(super) fn finish(self, wanted: &[usize]) -> (Vec<Operation>, Vec<NodeFactor>, Vec<usize>) {
        let mut needed = vec![false; self.operations.len()];
        wanted.iter().for_each(|&value| needed[value] = true);
        for (i, (operation, _)) in self.operations.iter().enumerate().rev() {
            if needed[i] {
                operation.operands().for_each(|operand| needed[operand] = true);
            }
        }
        let mut numbers = vec![0; needed.len()];
        let mut operations = vec![];
        for (i, (operation, _)) in self.operations.into_iter().enumerate().filter(|&(i, _)| needed[i]) {
            numbers[i] = operations.len();
            operations.push(operation.renumbered(&numbers));
        }
        (operations, self.factors, wanted.iter().map(|&value| numbers[value]).collect())
    }
}

/// Whether a node's d is 1: those at the left edge of the tree.
const fn is_one(node: u32) -> bool {
    node.is_power_of_two()
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
    pub(crate) fn operands(self) -> impl Iterator<Item = usize> {
        let [x, y] = match self {
            Self::Point { .. } => [None, None],
            Self::Add { x, y } | Self::Sub { x, y } | Self::AddTimes { x, y, .. } => [Some(x), Some(y)],
            Self::Times { x, .. } | Self::Half { x } | Self::Reduce { x } => [Some(x), None],
        };
        x.into_iter().chain(y)
    }

    fn renumbered(self, numbers: &[usize]) -> Self {
        match self {
            Self::Point { row } => Self::Point { row },
            Self::Add { x, y } => Self::Add { x: numbers[x], y: numbers[y] },
            Self::Sub { x, y } => Self::Sub { x: numbers[x], y: numbers[y] },
            Self::Times { x, factor } => Self::Times { x: numbers[x], factor },
            Self::AddTimes { x, y, factor } => Self::AddTimes { x: numbers[x], y: numbers[y], factor },
            Self::Half { x } => Self::Half { x: numbers[x] },
            Self::Reduce { x } => Self::Reduce { x: numbers[x] },
        }
    }
}
