//! Where values are needed for the last time.

use std::collections::HashMap;

use limbforge_algos::program::{Node, Region, TypedProgram, ValueId};

/// A place behind all nodes of a region.
const END: usize = usize::MAX;

/// A value: its region, the last node of that region in which it is used, and how often it is used there.
#[derive(Clone, Copy, Debug)]
struct Life {
    region: usize,
    last: usize,
    uses: u32,
}

/// The last uses of all values of a program, and the places of its nodes.
#[derive(Debug, Default)]
pub(super) struct Lives {
    lives: HashMap<ValueId, Life>,
    /// Region and index of nodes, by their first result.
    nodes: HashMap<ValueId, (usize, usize)>,
    regions: usize,
}

impl Lives {
    pub(super) fn of(program: &TypedProgram) -> Self {
        let mut lives = Self::default();
        for part in program.inputs().iter().flat_map(|input| &input.parts) {
            // Inputs are there as long as the program.
            lives.lives.insert(part.value, Life { region: END, last: END, uses: 0 });
        }
        lives.region(program.body(), &mut vec![]);
        for part in program.results().iter().flat_map(|output| &output.parts) {
            lives.used(part.value, &[(0, END)]);
        }
        lives
    }

    /// Whether a value is a node's operand, and nothing else needs it from there on.
    pub(super) fn ends_at(&self, value: ValueId, node: &Node) -> bool {
        let place = node.results.first().and_then(|result| self.nodes.get(result));
        let life = self.lives.get(&value);
        place.zip(life).is_some_and(|(&(region, index), life)| {
            life.region == region && life.last == index && life.uses == 1
        })
    }

    /// A region within nodes, outermost first.
    fn region(&mut self, region: &Region, around: &mut Vec<(usize, usize)>) {
        let id = self.regions;
        self.regions += 1;
        let defined = |lives: &mut HashMap<ValueId, Life>, value: ValueId| {
            lives.insert(value, Life { region: id, last: 0, uses: 0 });
        };
        region.params.iter().for_each(|&param| defined(&mut self.lives, param));
        for (i, node) in region.nodes.iter().enumerate() {
            around.push((id, i));
            node.args.iter().for_each(|&arg| self.used(arg, around));
            node.kind.regions().into_iter().for_each(|region| self.region(region, around));
            around.pop();
            node.results.iter().for_each(|&result| defined(&mut self.lives, result));
            node.results.first().map(|&result| self.nodes.insert(result, (id, i)));
        }
        around.push((id, END));
        region.yields.iter().for_each(|&value| self.used(value, around));
        around.pop();
    }

    /// A use counts for the node of the value's own region in which it is.
    fn used(&mut self, value: ValueId, around: &[(usize, usize)]) {
        let Some(life) = self.lives.get_mut(&value) else { return };
        let Some(&(_, index)) = around.iter().find(|(region, _)| *region == life.region) else { return };
        life.uses = if life.last == index { life.uses + 1 } else { 1 };
        life.last = index;
    }
}
