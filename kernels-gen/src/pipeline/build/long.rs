//! Long operations, of which a kernel has one.
//!
//! Such an operation takes many times as long as its operands and its result take in memory, and seconds to
//! compile. Kernels of their own are compiled side by side, have the registers that suit each operation,
//! and are the same for every expression that has it of the same operands.

use limbforge_algos::op::Class;
use limbforge_algos::op::Op;
use limbforge_algos::op::class::{Modular, Root};

use limbforge_algos::expr::Expr;

use super::expressions::double;
use super::{Builder, Value};
use crate::spec::SpecError;

impl Builder<'_> {
    /// Adds the kernels of what has kernels of its own in a node's value; returns the nodes that it is
    /// computed from then.
    pub(super) fn apart(&mut self, node: usize) -> Result<Vec<bool>, SpecError> {
        let mut needed = self.needed(node);
        let is_apart = |builder: &Self, i: usize| {
            !builder.values.contains_key(&i)
                && (builder.is_newton(i) || builder.is_mulmod(i) || builder.is_by_matrices(i))
        };
        while let Some(i) = (0..=node).find(|&i| needed[i] && is_apart(self, i)) {
            if self.is_newton(i) {
                self.division(i)?;
            } else if self.is_by_matrices(i) {
                let (power, ty) = self.by_matrices(i)?;
                self.store((i, i), &format!("%{i}"), &power, ty);
            } else {
                let remainder = self.mulmod(i)?;
                self.store((i, i), &format!("%{i}"), &remainder, double(self.spec.ty)?);
            }
            needed = self.needed(node);
        }
        while let Some(i) = self.long_before(node, &needed) {
            self.integers(i)?;
            needed = self.needed(node);
        }
        while let Some(i) = (0..=node).find(|&i| needed[i] && self.lacks_quotient(i)) {
            self.quotient_of_lcm(i)?;
            needed = self.needed(node);
        }
        Ok(needed)
    }

    /// A long operation that a node's value needs beside others, and that goes before them. `needed` are the
    /// nodes that are not on the device.
    fn long_before(&self, node: usize, needed: &[bool]) -> Option<usize> {
        let nodes = self.spec.dag.nodes();
        let long =
            || (0..=node).filter(|&i| needed[i] && !self.values.contains_key(&i) && is_long(&nodes[i].op));
        // Coefficients of the same operands come from one computation.
        let coefficients = |i: usize| is_coefficient(&nodes[i].op).then_some(&nodes[i].args);
        let shares =
            |i: usize, k: usize| i != k && coefficients(i).is_some_and(|args| coefficients(k) == Some(args));
        let is_alone = |&i: &usize| !long().any(|k| shares(i, k));
        let is_beside = |&i: &usize| long().any(|k| k != i);
        long().find(|i| *i != node && is_alone(i) && is_beside(i))
    }

    /// Leaves on the device the operands of a least common multiple, their greatest common divisor, and the
    /// quotient of one by it, `a / gcd`, where 0 / 0 is 0 / 1. A product remains of the multiple.
    fn quotient_of_lcm(&mut self, node: usize) -> Result<(), SpecError> {
        let nodes = self.spec.dag.nodes();
        let [x, y] = [0, 1].map(|i| nodes[node].args[i].index());
        self.integers(x)?;
        self.integers(y)?;
        let [x, y] = [x, y].map(|operand| self.stored(operand));
        let gcd = match self.gcd_beside(node) {
            Some(gcd) => {
                self.integers(gcd)?;
                self.stored(gcd)
            }
            None => {
                let [key, _] = self.keys_of_lcm(node);
                self.store((key, node), &format!("%{node}g"), &x.clone().gcd(&y), self.spec.ty);
                self.stored(key)
            }
        };
        let is_zero = gcd.clone().cmp_eq(&Expr::literal(0_u32));
        let [_, key] = self.keys_of_lcm(node);
        self.store((key, node), &format!("%{node}q"), &(x / (gcd | is_zero)), self.spec.ty);
        Ok(())
    }

    /// A value that is on the device.
    fn stored(&self, key: usize) -> Expr {
        Expr::input(&self.values[&key].input.name)
    }

    /// The least common multiple of two operands, from the quotient if it is on the device.
    pub(super) fn lcm_from_quotient(&self, node: usize, args: &[Expr]) -> Option<Expr> {
        let [_, y] = args else { return None };
        Some(Expr::input(&self.quotient_of(node)?.input.name) * y.clone())
    }

    /// Whether a node is such a multiple, and neither it nor the quotient is on the device.
    fn lacks_quotient(&self, node: usize) -> bool {
        self.is_divided(node) && !self.values.contains_key(&node) && self.quotient_of(node).is_none()
    }

    /// The quotient that a least common multiple is a multiple of, if it is on the device.
    fn quotient_of(&self, node: usize) -> Option<&Value> {
        let [_, key] = self.keys_of_lcm(node);
        self.values.get(&key)
    }

    /// Whether a node is a least common multiple whose parts have kernels of their own. The magnitude of the
    /// least signed number is no signed number.
    pub(super) fn is_divided(&self, node: usize) -> bool {
        *self.op(node) == Op::Lcm && !self.spec.ty.is_signed()
    }

    /// The greatest common divisor of the same operands.
    fn gcd_beside(&self, node: usize) -> Option<usize> {
        let nodes = self.spec.dag.nodes();
        nodes.iter().position(|other| other.op == Op::Gcd && other.args == nodes[node].args)
    }

    /// The keys of divisor and quotient, which are no node's.
    fn keys_of_lcm(&self, node: usize) -> [usize; 2] {
        [2, 3].map(|times| times * self.spec.dag.nodes().len() + node)
    }
}

const fn is_coefficient(op: &Op) -> bool {
    matches!(op, Op::XgcdX | Op::XgcdY)
}

/// Whether an operation takes many times as long as memory does, at any width.
const fn is_long(op: &Op) -> bool {
    match op.class() {
        Class::Gcd(_) | Class::Primality(_) => true,
        Class::Modular(op) => matches!(op, Modular::PowMod | Modular::ModInv),
        Class::Root(op) => matches!(op, Root::Root | Root::IsPerfectPower),
        Class::Leaf | Class::FixedShift(_) | Class::Sum(_) | Class::Product(_) => false,
        Class::Comparison(_) | Class::Choice(_) | Class::Bitwise(_) => false,
        Class::Count(_) | Class::Shift(_) | Class::Field(_) => false,
        Class::Division(_) | Class::WideDivision(_) | Class::Montgomery(_) => false,
    }
}
