//! Rules for a single node: one spelling for equal values, and cheaper operations.

use num_traits::{One, ToPrimitive, Zero};

use super::Numbering;
use crate::op::Op;
use crate::program::region::{Kind, Node, ResidueOp};
use crate::program::ty::ValueId;

/// A node in its simplest form.
pub(super) enum Simplified {
    Node(Node),
    /// The result is another value.
    Same(ValueId, ValueId),
}

impl Numbering {
    /// The simplest form of a node whose operands are in theirs.
    pub(super) fn simplified(&self, mut node: Node) -> Simplified {
        if is_commutative(&node.kind) {
            node.args.sort_unstable();
        }
        match (&node.kind, &*node.args, &*node.results) {
            (Kind::Integer(op @ (Op::Mul | Op::MulWide)), [a, b], _) if a == b => {
                let square = if *op == Op::Mul { Op::Sqr } else { Op::SqrWide };
                (node.kind, node.args) = (Kind::Integer(square), vec![*a]);
            }
            (Kind::Residue(ResidueOp::Mul), [a, b], _) if a == b => {
                (node.kind, node.args) = (Kind::Residue(ResidueOp::Sqr), vec![*a]);
            }
            (Kind::Residue(ResidueOp::Mul), &[a, b], [result]) => {
                for (factor, other) in [(a, b), (b, a)] {
                    match self.residue_of(factor) {
                        Some(1) => return Simplified::Same(*result, other),
                        Some(2) => {
                            (node.kind, node.args) = (Kind::Residue(ResidueOp::Add), vec![other, other]);
                            return Simplified::Node(node);
                        }
                        _ => {}
                    }
                }
            }
            (Kind::Residue(ResidueOp::DivPower2(0)) | Kind::Cast, [a], [result])
                if self.types[a.index()] == self.types[result.index()] =>
            {
                return Simplified::Same(*result, *a);
            }
            (Kind::Select, [_, a, b], [result])
                if a == b && self.types[a.index()] == self.types[result.index()] =>
            {
                return Simplified::Same(*result, *a);
            }
            (Kind::And | Kind::Or, [a, b], [result]) if a == b => return Simplified::Same(*result, *a),
            (Kind::Residue(ResidueOp::Power), [a, exponent], [result]) => {
                match self.constants.get(exponent) {
                    Some(one) if one.is_one() => return Simplified::Same(*result, *a),
                    Some(two) if (two - 2_u8).is_zero() => {
                        (node.kind, node.args) = (Kind::Residue(ResidueOp::Sqr), vec![*a]);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Simplified::Node(node)
    }

    /// The small number that a residue was made of.
    fn residue_of(&self, value: ValueId) -> Option<u32> {
        let number = self.residues.get(&value)?;
        self.constants.get(number)?.to_u32()
    }
}

/// Whether the operands may be exchanged.
pub(super) fn is_commutative(kind: &Kind) -> bool {
    match kind {
        Kind::Integer(op) => op.is_commutative(),
        Kind::Residue(ResidueOp::Add | ResidueOp::Mul | ResidueOp::Eq) | Kind::And | Kind::Or => true,
        _ => false,
    }
}
