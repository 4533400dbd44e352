//! Long operations, of which a kernel has one.
//!
//! Such an operation takes a hundred times as long as its operands and its result take in memory, and seconds
//! to compile. Kernels of their own are compiled side by side, have the registers that suit each operation,
//! and are the same for every expression that has it of the same operands.

use limbforge_algos::op::Class;
use limbforge_algos::op::Op;
use limbforge_algos::op::class::{Modular, Root};

use super::Builder;

impl Builder<'_> {
    /// A long operation that a node's value needs beside others, and that goes before them. `needed` are the
    /// nodes that are not on the device.
    pub(super) fn long_before(&self, node: usize, needed: &[bool]) -> Option<usize> {
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
}

const fn is_coefficient(op: &Op) -> bool {
    matches!(op, Op::XgcdX | Op::XgcdY)
}

/// Whether an operation takes a hundred times as long as memory does, at any width.
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
