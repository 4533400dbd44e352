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
        let needed = node.args.iter().map(|value| self.depth[value.index()]).max().unwrap_or(0);
        while depth > needed && self.scopes[depth].is_loop {
            depth -= 1;
        }
        depth
    }

    /// Whether an instance may fail at a node.
    fn may_fail(&self, node: &Node) -> bool {
        let ty = |i: usize| self.types[node.args[i].index()];
        match &node.kind {
            Kind::Integer(op) => {
                let is_signed = matches!(ty(0).element, Element::Int(ty) if ty.is_signed());
                !node.args.is_empty() && op.may_fail(is_signed)
            }
            Kind::Residue(ResidueOp::Of) => {
                let modulus = self.checks(node);
                !self.scopes.iter().any(|scope| modulus.is_some_and(|n| scope.checked.contains(&n)))
            }
            Kind::Residue(ResidueOp::Inverse) | Kind::Require => true,
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
            Kind::BitLength | Kind::Array => false,
            Kind::For { .. } | Kind::While { .. } | Kind::If { .. } => true,
        }
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
