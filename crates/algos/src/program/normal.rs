//! The normal form of a program: equal values are computed once, what a loop does not change is computed
//! before it, constants stand at the top, and values that nobody needs are dropped.
//!
//! What may fail stays where it is and in its order, so that an instance fails at the same place as before.

mod dead;
mod place;
mod renumber;
mod simplify;

use std::collections::{HashMap, HashSet};

use num_bigint::BigInt;

use super::region::{Kind, Node, Region, TypedProgram};
use super::ty::{ModulusId, Ty, ValueId};
use crate::invariant::broken_invariant;
use simplify::Simplified;

impl TypedProgram {
    /// The normal form.
    pub(super) fn normal(mut self) -> Self {
        let body = core::mem::take(&mut self.body);
        let mut numbering = Numbering::of(&self);
        numbering.region(body, false);
        let Some(Scope { nodes, .. }) = numbering.scopes.pop() else {
            broken_invariant("the top region is numbered")
        };
        let Numbering { same, types, .. } = numbering;
        let find = |value: ValueId| resolve(&same, value);
        self.types = types;
        self.body = Region { params: vec![], nodes, yields: vec![] };
        self.moduli.iter_mut().for_each(|modulus| modulus.value = find(modulus.value));
        let parts = self.results.iter_mut().flat_map(|output| &mut output.parts);
        parts.for_each(|part| part.value = find(part.value));
        dead::drop_unused(&mut self);
        renumber::renumber(self)
    }
}

fn resolve(same: &HashMap<ValueId, ValueId>, value: ValueId) -> ValueId {
    same.get(&value).copied().unwrap_or(value)
}

/// What two equal nodes have in common: kind, operands and the type of the result.
type Key = (Kind, Vec<ValueId>, Ty);

/// A region that is being numbered.
struct Scope {
    nodes: Vec<Node>,
    known: HashMap<Key, ValueId>,
    /// Moduli that a conversion before has checked.
    checked: HashSet<ModulusId>,
    /// Whether it may be computed several times, so that it is better to compute values before it.
    is_loop: bool,
}

/// Value numbering: region within region.
struct Numbering {
    types: Vec<Ty>,
    /// Values that are other ones.
    same: HashMap<ValueId, ValueId>,
    /// The regions around each value.
    depth: Vec<usize>,
    scopes: Vec<Scope>,
    /// The numbers that values are known to be.
    constants: HashMap<ValueId, BigInt>,
    /// The integers that residues were made of.
    residues: HashMap<ValueId, ValueId>,
}

impl Numbering {
    fn of(program: &TypedProgram) -> Self {
        let depth = vec![0; program.types.len()];
        let (types, scopes) = (program.types.clone(), vec![]);
        Self {
            types,
            same: HashMap::new(),
            depth,
            scopes,
            constants: HashMap::new(),
            residues: HashMap::new(),
        }
    }

    /// Numbers a region and leaves it as the last scope.
    fn region(&mut self, region: Region, is_loop: bool) {
        let depth = self.scopes.len();
        region.params.iter().for_each(|value| self.depth[value.index()] = depth);
        let (nodes, known, checked) = <_>::default();
        self.scopes.push(Scope { nodes, known, checked, is_loop });
        region.nodes.into_iter().for_each(|node| self.node(node));
    }

    /// A region within another one.
    fn inner(&mut self, region: &mut Region, is_loop: bool) {
        let yields = core::mem::take(&mut region.yields);
        let params = region.params.clone();
        self.region(core::mem::take(region), is_loop);
        let Some(Scope { nodes, .. }) = self.scopes.pop() else { broken_invariant("a region is numbered") };
        let yields = yields.into_iter().map(|value| resolve(&self.same, value)).collect();
        *region = Region { params, nodes, yields };
    }

    fn node(&mut self, mut node: Node) {
        node.args.iter_mut().for_each(|value| *value = resolve(&self.same, *value));
        let is_loop = !matches!(node.kind, Kind::If { .. });
        let mut regions = node.kind.regions_mut();
        if regions.is_empty() {
            return self.simple(node);
        }
        regions.iter_mut().for_each(|region| self.inner(region, is_loop));
        drop(regions);
        self.push(node, self.scopes.len() - 1);
    }

    fn push(&mut self, node: Node, depth: usize) {
        node.results.iter().for_each(|value| self.depth[value.index()] = depth);
        self.scopes[depth].nodes.push(node);
    }

    /// A node with at most one result.
    fn simple(&mut self, node: Node) {
        let node = match self.simplified(node) {
            Simplified::Node(node) => node,
            Simplified::Same(result, value) => {
                self.same.insert(result, value);
                return;
            }
        };
        let [result] = *node.results else { return self.push(node, self.scopes.len() - 1) };
        let key = (node.kind.clone(), node.args.clone(), self.types[result.index()]);
        if let Some(value) = self.scopes.iter().rev().find_map(|scope| scope.known.get(&key)) {
            self.same.insert(result, *value);
            return;
        }
        let depth = self.place(&node);
        if let Kind::Constant(number) = &node.kind {
            self.constants.insert(result, number.clone());
        }
        let modulus = self.checks(&node);
        if modulus.is_some() {
            self.residues.insert(result, node.args[0]);
        }
        let scope = &mut self.scopes[depth];
        scope.checked.extend(modulus);
        scope.known.insert(key, result);
        self.push(node, depth);
    }
}
