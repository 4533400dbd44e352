//! Where a node is computed: before the loops that do not change its operands, unless it may fail.

use num_traits::{Signed, ToPrimitive};

use super::Numbering;
use crate::program::region::{Kind, Node, ResidueOp};
use crate::program::ty::{Element, ModulusId};

impl Numbering {
    /// The region that a node belongs to, by the regions around it.
    pub(super) fn place(&self, node: &Node) -> usize {
        if matches!(node.kind, Kind::Constant(_)) {
            return 0;
        }
        let mut depth = self.scopes.len() - 1;
        if self.may_fail(node) {
            return depth;
        }
        let checked = self.checks(node).and_then(|modulus| self.checked_at(modulus)).unwrap_or(0);
        let needed = node.args.iter().map(|value| self.depth[value.index()]).max().unwrap_or(0).max(checked);
        while depth > needed && self.scopes[depth].is_loop {
            depth -= 1;
        }
        depth
    }

    /// Whether an instance may fail at a node.
    fn may_fail(&self, node: &Node) -> bool {
        let ty = |i: usize| self.types[node.args[i].index()];
        match &node.kind {
            // `mask(7)` has no operands.
            Kind::Integer(_) if node.args.is_empty() => false,
            Kind::Integer(op) => {
                let is_signed = matches!(ty(0).element, Element::Int(ty) if ty.is_signed());
                op.may_fail(is_signed)
            }
            Kind::Residue(ResidueOp::Of) => {
                self.checks(node).is_none_or(|modulus| self.checked_at(modulus).is_none())
            }
            Kind::Residue(ResidueOp::Inverse) | Kind::Require | Kind::Emit { .. } => true,
            Kind::Residue(ResidueOp::Power) => match (self.constants.get(&node.args[1]), ty(1).element) {
                (Some(exponent), _) => exponent.is_negative(),
                (None, Element::Int(ty)) => ty.is_signed(),
                (None, _) => true,
            },
            Kind::Index | Kind::Update => {
                let index = self.constants.get(&node.args[1]).and_then(ToPrimitive::to_u32);
                index.is_none_or(|index| ty(0).length.is_none_or(|length| index >= length))
            }
            Kind::Residue(_) | Kind::Constant(_) | Kind::Cast | Kind::Shift { .. } => false,
            Kind::Not | Kind::And | Kind::Or | Kind::Select | Kind::Bit => false,
            Kind::BitLength | Kind::Array | Kind::Instance | Kind::Random => false,
            Kind::For { .. } | Kind::While { .. } | Kind::If { .. } => true,
        }
    }

    /// The outermost region that has checked a modulus: before it, the modulus may be a bad one.
    fn checked_at(&self, modulus: ModulusId) -> Option<usize> {
        self.scopes.iter().position(|scope| scope.checked.contains(&modulus))
    }

    /// The modulus that a conversion to a residue checks.
    pub(super) fn checks(&self, node: &Node) -> Option<ModulusId> {
        match (&node.kind, &*node.results) {
            (Kind::Residue(ResidueOp::Of), [result]) => match self.types[result.index()].element {
                Element::Residue(modulus) => Some(modulus),
                Element::Bool | Element::Int(_) => None,
            },
            _ => None,
        }
    }
}
