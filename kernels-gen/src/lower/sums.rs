//! Sums with deferred carries, and when they are resolved. The bounds on what a run owes are tracked here and are what
//! `resolve` relies on (`docs/add.md`).

use limbforge_algos::expr::{DagNode, NodeId};

use super::emitter::{Emitter, Held};

/// What a run may owe at most, either way: a count must fit one word, and a bias on top of it.
const OWED_LIMIT: i64 = 1 << 30;

/// A value in an addition and the bounds on what it owes.
struct Addend {
    name: String,
    lowest: i64,
    highest: i64,
}

impl Emitter<'_> {
    /// The node's number, resolved where it is first needed.
    pub(super) fn number(&mut self, node: NodeId) -> String {
        self.number_at(node.index())
    }

    pub(super) fn number_at(&mut self, i: usize) -> String {
        let value = match self.form_at(i) {
            Held::Num | Held::Wide => return format!("x{i}"),
            Held::Sum { lowest, .. } => format!("resolve<{lowest}>(x{i}, exchange, at)"),
            Held::Truth => format!("truth(x{i}, at)"),
        };
        if !self.resolved[i] {
            self.resolved[i] = true;
            self.line(format!("const Num r{i} = {value};"));
        }
        format!("r{i}")
    }

    fn addend(&mut self, node: NodeId) -> Addend {
        let i = node.index();
        match self.form(node) {
            Held::Sum { lowest, highest } if !self.resolved[i] && highest.max(-lowest) < OWED_LIMIT / 4 => {
                Addend { name: format!("x{i}"), lowest, highest }
            }
            _ => Addend { name: self.number(node), lowest: 0, highest: 0 },
        }
    }

    pub(super) fn negation(&mut self, i: usize, node: NodeId) -> Held {
        let x = self.addend(node);
        self.sum(i, &format!("sub(Num{{}}, {})", x.name), -x.highest - 1, -x.lowest)
    }

    /// An addition, or a subtraction.
    pub(super) fn addition(&mut self, i: usize, node: &DagNode, subtracts: bool) -> Held {
        let (x, y) = (self.addend(node.args[0]), self.addend(node.args[1]));
        let names = format!("({}, {})", x.name, y.name);
        if subtracts {
            self.sum(i, &format!("sub{names}"), x.lowest - y.highest - 1, x.highest - y.lowest)
        } else {
            self.sum(i, &format!("add{names}"), x.lowest + y.lowest, x.highest + y.highest + 1)
        }
    }

    fn sum(&mut self, i: usize, call: &str, lowest: i64, highest: i64) -> Held {
        self.line(format!("const Sum x{i} = {call};"));
        Held::Sum { lowest: lowest.min(0), highest: highest.max(0) }
    }
}
