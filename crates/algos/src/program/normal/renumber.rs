//! Values numbered in the order in which they are computed, so that equal programs are equal.

use std::collections::HashMap;

use super::simplify::is_commutative;
use crate::invariant::broken_invariant;
use crate::program::region::{Region, TypedProgram};
use crate::program::ty::{Ty, ValueId};

struct Renumbering {
    before: Vec<Ty>,
    types: Vec<Ty>,
    new: HashMap<ValueId, ValueId>,
}

pub(super) fn renumber(mut program: TypedProgram) -> TypedProgram {
    let before = core::mem::take(&mut program.types);
    let mut renumbering = Renumbering { before, types: vec![], new: HashMap::new() };
    for part in program.inputs.iter_mut().flat_map(|input| &mut input.parts) {
        renumbering.define(&mut part.value);
    }
    renumbering.region(&mut program.body);
    program.moduli.iter_mut().for_each(|modulus| renumbering.take(&mut modulus.value));
    let parts = program.results.iter_mut().flat_map(|output| &mut output.parts);
    parts.for_each(|part| renumbering.take(&mut part.value));
    TypedProgram { types: renumbering.types, ..program }
}

impl Renumbering {
    fn define(&mut self, value: &mut ValueId) {
        self.types.push(self.before[value.index()]);
        let new = ValueId::new(self.types.len() - 1);
        self.new.insert(*value, new);
        *value = new;
    }

    fn take(&self, value: &mut ValueId) {
        let Some(new) = self.new.get(value) else {
            broken_invariant("values are computed before they are used")
        };
        *value = *new;
    }

    fn region(&mut self, region: &mut Region) {
        region.params.iter_mut().for_each(|value| self.define(value));
        for node in &mut region.nodes {
            node.args.iter_mut().for_each(|value| self.take(value));
            // The order that they had before depends on the text.
            if is_commutative(&node.kind) {
                node.args.sort_unstable();
            }
            node.kind.regions_mut().into_iter().for_each(|region| self.region(region));
            node.results.iter_mut().for_each(|value| self.define(value));
        }
        region.yields.iter_mut().for_each(|value| self.take(value));
    }
}
