//! A program of single assignments on residues, with the bound of each value in magnitude.

use super::operation::{NodeFactor, Operation, Scale};
use crate::kernel::ntt::bounds::{Bounds, LIMIT};
use crate::spec::SpecError;

/// The index of a value of the program, which may have been reduced since it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value(usize);

/// The program as it grows.
pub(super) struct Tape {
    bounds: Bounds,
    operations: Vec<(Operation, u64)>,
    factors: Vec<NodeFactor>,
    /// For each value, the operation that made its present form.
    forms: Vec<usize>,
    /// log2 N for each row of a block of N rows.
    pub(super) blocks: Vec<u32>,
}

impl Tape {
    pub(super) const fn new(largest: u32) -> Self {
        let bounds = Bounds { p: largest as u64 };
        Self { bounds, operations: vec![], factors: vec![], forms: vec![], blocks: vec![] }
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

    /// x + y times a multiple of d; `None` is 0.
    pub(super) fn add_times(
        &mut self,
        x: Option<Value>,
        y: Option<Value>,
        node: u32,
        scale: Scale,
    ) -> Result<Option<Value>, SpecError> {
        let Some(y) = y else { return Ok(x) };
        let Some(x) = x else { return self.times(y, node, scale).map(Some) };
        let sum = match scale {
            Scale::One if is_one(node) => self.sum(x, y),
            Scale::Minus if is_one(node) => self.difference(x, y),
            _ => {
                let bound = self.plus(x, self.bounds.product(self.bound(y)));
                let factor = self.factor(node, scale);
                self.make(Operation::AddTimes { x: self.form(x), y: self.form(y), factor }, bound)
            }
        };
        sum.map(Some)
    }

    fn times(&mut self, x: Value, node: u32, scale: Scale) -> Result<Value, SpecError> {
        let factor = self.factor(node, scale);
        self.make(Operation::Times { x: self.form(x), factor }, self.bounds.product(self.bound(x)))
    }

    fn half(&mut self, x: Value) -> Result<Value, SpecError> {
        let bound = self.plus(x, self.bounds.p);
        let bound = self.bounds.check(bound)?;
        self.make(Operation::Half { x: self.form(x) }, bound.div_ceil(2))
    }

    /// The form of the value that `canonical` takes: in (-p, 2p).
    pub(super) fn final_value(&mut self, x: Value) -> Result<usize, SpecError> {
        for _ in 0..3 {
            if self.bound(x) < self.bounds.p || self.is_reduced_enough(x) {
                return Ok(self.form(x));
            }
            self.reduce(x);
        }
        Err(SpecError::ResidueRange { p: self.bounds.p as u32, bound: self.bound(x) })
    }

    /// Whether its last operation is a reduction that subtracted at most p: q is up to 2^-28 of the bound.
    fn is_reduced_enough(&self, x: Value) -> bool {
        let Operation::Reduce { x: before } = self.operations[self.form(x)].0 else { return false };
        let quotient = self.operations[before].1.div_ceil(1 << 28);
        quotient * self.bounds.excess() < self.bounds.p
    }

    /// The sum's bound, with operands reduced if necessary.
    fn join(&mut self, x: Value, y: Value) -> u64 {
        for _ in 0..2 {
            if self.bound(x) + self.bound(y) >= LIMIT {
                self.reduce(if self.bound(x) < self.bound(y) { y } else { x });
            }
        }
        self.bound(x) + self.bound(y)
    }

    /// The bound of x and so much more, with x reduced if necessary.
    fn plus(&mut self, x: Value, more: u64) -> u64 {
        if self.bound(x) + more >= LIMIT {
            self.reduce(x);
        }
        self.bound(x) + more
    }

    fn reduce(&mut self, x: Value) {
        let bound = self.bounds.reduced(self.bound(x));
        self.operations.push((Operation::Reduce { x: self.form(x) }, bound));
        self.forms[x.0] = self.operations.len() - 1;
    }

    fn make(&mut self, operation: Operation, bound: u64) -> Result<Value, SpecError> {
        self.forms.push(self.operations.len());
        self.operations.push((operation, self.bounds.check(bound)?));
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
    pub(super) fn finish(mut self, wanted: &[usize]) -> (Vec<Operation>, Vec<NodeFactor>, Vec<usize>) {
        let mut needed = vec![false; self.operations.len()];
        wanted.iter().for_each(|&value| needed[value] = true);
        for (i, (operation, _)) in self.operations.iter_mut().enumerate().rev() {
            if needed[i] {
                operation.operands().for_each(|operand| needed[*operand] = true);
            }
        }
        let mut numbers = vec![0; needed.len()];
        let mut operations = vec![];
        for (i, (mut operation, _)) in self.operations.into_iter().enumerate().filter(|&(i, _)| needed[i]) {
            numbers[i] = operations.len();
            operation.operands().for_each(|operand| *operand = numbers[*operand]);
            operations.push(operation);
        }
        (operations, self.factors, wanted.iter().map(|&value| numbers[value]).collect())
    }
}

/// Whether a node's d is 1: those at the left edge of the tree.
const fn is_one(node: u32) -> bool {
    node.is_power_of_two()
}
