//! Sums with deferred carries, and when they are resolved. The bounds on what a run owes are tracked here and are what
//! `resolve` relies on (`docs/add.md`).

use limbforge_algos::expr::{DagNode, NodeId, Op};

use super::{Emitter, Form};
use crate::invariant::broken_invariant;

/// What a run may owe at most, either way: a count must fit one word, and a bias on top of it.
const OWED_LIMIT: i64 = 1 << 30;

impl Emitter<'_> {
    /// The node's number, resolved where it is first needed.
    pub(super) fn number(&mut self, node: NodeId) -> String {
        self.number_at(node.index())
    }

    pub(super) fn number_at(&mut self, i: usize) -> String {
        let value = match self.forms[i] {
            Form::Num | Form::Wide => return format!("x{i}"),
            Form::Sum { lowest, .. } => format!("resolve<{lowest}>(x{i}, exchange, at)"),
            Form::Truth => format!("truth(x{i}, at)"),
        };
        if !self.resolved[i] {
            self.resolved[i] = true;
            self.line(format!("const Num r{i} = {value};"));
        }
        format!("r{i}")
    }

    /// An operand of an addition and the bounds on what it owes.
    fn addend(&mut self, node: NodeId) -> (String, i64, i64) {
        let i = node.index();
        match self.forms[i] {
            Form::Sum { lowest, highest } if !self.resolved[i] && highest.max(-lowest) < OWED_LIMIT / 4 => {
                (format!("x{i}"), lowest, highest)
            }
            _ => (self.number(node), 0, 0),
        }
    }

    /// An addition, subtraction or negation.
    pub(super) fn sum(&mut self, i: usize, node: &DagNode) -> Form {
        let (call, lowest, highest) = match (&node.op, &*node.args) {
            (Op::Neg, [x]) => {
                let (x, low, high) = self.addend(*x);
                (format!("sub(Num{{}}, {x})"), -high - 1, -low)
            }
            (op, [x, y, ..]) => {
                let ((x, x_low, x_high), (y, y_low, y_high)) = (self.addend(*x), self.addend(*y));
                if *op == Op::Add {
                    (format!("add({x}, {y})"), x_low + y_low, x_high + y_high + 1)
                } else {
                    (format!("sub({x}, {y})"), x_low - y_high - 1, x_high - y_low)
                }
            }
            _ => broken_invariant("a sum has two operands, or one that is negated"),
        };
        self.line(format!("const Sum x{i} = {call};"));
        Form::Sum { lowest: lowest.min(0), highest: highest.max(0) }
    }
}
