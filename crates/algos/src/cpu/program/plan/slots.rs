//! Buffers for the values of a program: each from where it is computed to its last use.

use std::collections::HashMap;

use super::{Move, Place, Size};
use crate::program::{Kind, Node, Region, TypedProgram, Uniform, ValueId};

/// The buffers, and which values lie in them.
pub(super) struct Slots<'p> {
    program: &'p TypedProgram,
    uniform: &'p Uniform,
    pub(super) places: Vec<Option<Place>>,
    pub(super) sizes: Vec<Size>,
    pub(super) moves: HashMap<(ValueId, usize), Vec<Move>>,
    free: HashMap<Size, Vec<usize>>,
}

impl<'p> Slots<'p> {
    /// Places all values that have no place yet.
    pub(super) fn new(program: &'p TypedProgram, uniform: &'p Uniform, places: Vec<Option<Place>>) -> Self {
        let (sizes, moves, free) = (vec![], HashMap::new(), HashMap::new());
        let mut slots = Self { program, uniform, places, sizes, moves, free };
        let body = program.body();
        let mut last = slots.last_uses(body);
        for part in program.results().iter().flat_map(|result| &result.parts) {
            last.insert(part.value, body.nodes.len());
        }
        // Inputs are filled before all else.
        let inputs = program.inputs().iter().flat_map(|input| &input.parts).map(|part| part.value);
        let inputs: Vec<ValueId> = inputs.filter(|value| last.contains_key(value)).collect();
        inputs.iter().for_each(|&value| slots.define(value));
        slots.region(body, &last, inputs);
        slots
    }

    /// The last node of a region that uses a value; yields are used behind all nodes.
    fn last_uses(&self, region: &Region) -> HashMap<ValueId, usize> {
        let mut last = HashMap::new();
        for (i, node) in region.nodes.iter().enumerate() {
            self.program.uses(node, &mut |value| _ = last.insert(value, i));
        }
        last.extend(region.yields.iter().map(|&value| (value, region.nodes.len())));
        last
    }

    /// Places the values of a region; returns those that hold a buffer at its end, besides `held` those that
    /// it computes.
    fn region(
        &mut self,
        region: &Region,
        last: &HashMap<ValueId, usize>,
        mut held: Vec<ValueId>,
    ) -> Vec<ValueId> {
        for (i, node) in region.nodes.iter().enumerate() {
            node.results.iter().for_each(|&result| self.define(result));
            self.regions(node);
            held.extend(&node.results);
            held.retain(|&value| {
                let is_needed = last.get(&value).is_some_and(|&last| last > i);
                if !is_needed {
                    self.release(value);
                }
                is_needed
            });
        }
        held
    }

    /// Places the values of the regions of a node, whose results have their places.
    fn regions(&mut self, node: &Node) {
        match &node.kind {
            Kind::For { body, .. } => {
                let (index, carried) = body.params.split_at(body.params.len() - node.results.len());
                index.iter().for_each(|&index| self.define(index));
                self.carry(carried, &node.results);
                self.arm(body, node, 0);
                index.iter().for_each(|&index| self.release(index));
            }
            Kind::While { condition, body, .. } => {
                self.carry(&condition.params, &node.results);
                self.carry(&body.params, &node.results);
                let last = self.last_uses(condition);
                let held = self.region(condition, &last, vec![]);
                held.into_iter().for_each(|value| self.release(value));
                self.arm(body, node, 0);
            }
            Kind::If { then, otherwise } => {
                self.arm(then, node, 0);
                self.arm(otherwise, node, 1);
            }
            _ => {}
        }
    }

    /// What a loop carries lies where its results do.
    fn carry(&mut self, params: &[ValueId], results: &[ValueId]) {
        for (param, result) in params.iter().zip(results) {
            self.places[param.index()] = self.places[result.index()];
        }
    }

    /// Places the values of a region whose yields become the results of the node.
    fn arm(&mut self, region: &Region, node: &Node, number: usize) {
        let last = self.last_uses(region);
        let held = self.region(region, &last, vec![]);
        let mut moves = vec![];
        for (&from, &to) in region.yields.iter().zip(&node.results) {
            let places = [from, to].map(|value| self.places[value.index()]);
            if places[0] == places[1] {
                continue;
            }
            let once = region.yields.iter().filter(|&&other| other == from).count() == 1;
            let is_alike = matches!(places[0], Some(Place::Slot(_))) && self.size(from) == self.size(to);
            let stash = region.params.contains(&from).then(|| self.acquire(self.size(from)));
            moves.push(Move { from, to, stash, swap: once && is_alike && held.contains(&from) });
        }
        for slot in moves.iter().filter_map(|a_move| a_move.stash) {
            self.free.entry(self.sizes[slot]).or_default().push(slot);
        }
        held.into_iter().for_each(|value| self.release(value));
        if let Some(&first) = node.results.first() {
            self.moves.insert((first, number), moves);
        }
    }

    fn size(&self, value: ValueId) -> Size {
        let row = self.program.plain(value).limbs::<u64>() * self.program.elements(value);
        Size { row, uniform: self.uniform.contains(value) }
    }

    fn define(&mut self, value: ValueId) {
        if self.places[value.index()].is_none() {
            let slot = self.acquire(self.size(value));
            self.places[value.index()] = Some(Place::Slot(slot));
        }
    }

    fn acquire(&mut self, size: Size) -> usize {
        self.free.get_mut(&size).and_then(Vec::pop).unwrap_or_else(|| {
            self.sizes.push(size);
            self.sizes.len() - 1
        })
    }

    fn release(&mut self, value: ValueId) {
        if let Some(Place::Slot(slot)) = self.places[value.index()] {
            self.free.entry(self.sizes[slot]).or_default().push(slot);
        }
    }
}
