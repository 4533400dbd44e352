//! The values that nodes and regions need.

use super::region::{Kind, Node, Region, TypedProgram};
use super::ty::{Element, ValueId};

impl TypedProgram {
    /// Calls `with` for each value that a node needs, itself and in its regions: operands, yields, and the
    /// moduli of all residues among them. A value may come several times; values that are defined within the
    /// node come too.
    pub(crate) fn uses(&self, node: &Node, with: &mut dyn FnMut(ValueId)) {
        for &value in node.args.iter().chain(&node.results) {
            self.use_modulus(value, with);
        }
        node.args.iter().copied().for_each(&mut *with);
        for region in node.kind.regions() {
            self.uses_of_region(region, with);
        }
    }

    /// As [`uses`](Self::uses), for all nodes of a region and its yields.
    pub(crate) fn uses_of_region(&self, region: &Region, with: &mut dyn FnMut(ValueId)) {
        for node in &region.nodes {
            self.uses(node, with);
        }
        region.yields.iter().copied().for_each(with);
    }

    /// Calls `with` for the modulus of a residue.
    pub(crate) fn use_modulus(&self, value: ValueId, with: &mut dyn FnMut(ValueId)) {
        if let Element::Residue(modulus) = self.ty(value).element {
            with(self.modulus(modulus).value);
        }
    }
}

impl Node {
    /// The carried values of a loop as they begin: its operands after those that say how often it runs.
    pub(crate) fn carried(&self) -> &[ValueId] {
        &self.args[self.args.len() - self.results.len()..]
    }

    /// Whether it is a loop.
    pub(crate) const fn is_loop(&self) -> bool {
        matches!(self.kind, Kind::For { .. } | Kind::While { .. })
    }
}
