//! Nodes in order, each for all active instances.

use limbforge_limb::slice::bits;

use super::mask::Mask;
use super::plan::{Move, Size};
use super::rings::Rings;
use super::tile::{Machine, View, view};
use crate::cpu::Why;
use crate::integer::Scratch;
use crate::program::{Kind, Node, Region, random_words};

impl Machine<'_> {
    /// Runs nodes for the active instances; returns those that have not failed.
    pub(super) fn nodes(&mut self, nodes: &[Node], mut active: Mask) -> Mask {
        for node in nodes {
            if active.is_empty() {
                break;
            }
            self.node(node, active);
            active = active.and(self.tile.live);
        }
        active
    }

    /// Runs a node; an instance without a result leaves those that have not failed.
    fn node(&mut self, node: &Node, active: Mask) {
        match &node.kind {
            Kind::Constant(_) => {}
            Kind::Integer(op) => self.integer(op, node, active),
            Kind::Cast => self.cast(node, active),
            Kind::Shift { left } => self.shift(*left, node, active),
            Kind::Not => self.each(node, active, |_, out, [a], _, _| truth(out, a == [0])),
            Kind::And => self.each(node, active, |_, out, [a, b], _, _| truth(out, a != [0] && b != [0])),
            Kind::Or => self.each(node, active, |_, out, [a, b], _, _| truth(out, a != [0] || b != [0])),
            Kind::Select => self.each(node, active, |_, out, [condition, then, otherwise], _, _| {
                out.copy_from_slice(if condition == [0] { otherwise } else { then });
                Ok(())
            }),
            Kind::Bit => self.bit(node, active),
            Kind::BitLength => self.bit_length(node, active),
            Kind::Residue(op) => self.residue(*op, node, active),
            Kind::Array => self.array(node, active),
            Kind::Index => self.index(node, active),
            Kind::Update => self.update(node, active),
            Kind::For { over, after, body } => {
                self.enter(node, active);
                self.run_for(node, (*over, *after, body), active, 0..u64::MAX);
            }
            Kind::While { limit, condition, body } => {
                self.enter(node, active);
                self.run_while(node, (*limit, condition, body), active, 0..u64::MAX);
            }
            Kind::If { then, otherwise } => self.branch(node, then, otherwise, active),
            Kind::Emit { list, guarded } => self.emit(*list as usize, *guarded, node, active),
            Kind::Instance => {
                let (plan, first) = (self.plan, self.tile.first);
                self.each(node, active, |i, out, [], _, _| {
                    out[0] = plan.number(first + i);
                    Ok(())
                });
            }
            Kind::Random => {
                let bits = self.plan.ty(node.results[0]).bits();
                self.each(node, active, |_, out, [seed, counter], _, _| {
                    random_words(out, seed[0], counter[0]);
                    bits::truncate(out, bits);
                    Ok(())
                });
            }
            Kind::Require => {
                let failed = active.without(self.holding(node.args[0], active));
                self.tile.fail(failed, Why::Require, node.span);
            }
        }
    }

    /// One of two regions for each active instance.
    fn branch(&mut self, node: &Node, then: &Region, otherwise: &Region, active: Mask) {
        let holding = self.holding(node.args[0], active);
        for (number, (region, taking)) in
            [(then, holding), (otherwise, active.without(holding))].into_iter().enumerate()
        {
            let left = self.nodes(&region.nodes, taking);
            self.turn(self.plan.moves(&node.results, number), left, taking == active);
        }
    }

    /// Moves the yields of a region to where they are carried. If `whole`, no instance has anything there
    /// that it needs but those of `active`.
    pub(super) fn turn(&mut self, moves: &[Move], active: Mask, whole: bool) {
        if active.is_empty() {
            return;
        }
        for &Move { from, stash, .. } in moves {
            if let Some(stash) = stash {
                let (mut rows, size) = (core::mem::take(&mut self.tile.slots[stash]), self.plan.slots[stash]);
                copy_rows(&mut rows, size, self.view(from), active);
                self.tile.slots[stash] = rows;
            }
        }
        for &Move { from, to, stash, swap } in moves {
            let to_slot = self.plan.slot(to);
            match stash {
                Some(stash) if whole && self.plan.slots[stash] == self.plan.slots[to_slot] => {
                    self.tile.slots.swap(stash, to_slot);
                }
                None if whole && swap => self.tile.slots.swap(self.plan.slot(from), to_slot),
                _ => {
                    let mut rows = self.take(to);
                    let source = View { limbs: self.stashed(stash, from), ..self.view(from) };
                    copy_rows(&mut rows, self.plan.slots[to_slot], source, active);
                    self.put(to, rows);
                }
            }
        }
    }

    fn stashed(&self, stash: Option<usize>, from: crate::program::ValueId) -> &[u64] {
        stash.map_or_else(|| self.view(from).limbs, |stash| &self.tile.slots[stash])
    }

    /// Runs an elementwise operation of residues, of `bool` or of integers of several types: `operation` of
    /// an instance, the place of its result, its operands, and the moduli.
    #[inline(always)]
    pub(super) fn each<const K: usize>(
        &mut self,
        node: &Node,
        active: Mask,
        mut operation: impl FnMut(usize, &mut [u64], [&[u64]; K], &mut Scratch, &[Rings]) -> Result<(), Why>,
    ) {
        let (plan, result) = (self.plan, node.results[0]);
        let (words, elements) = (plan.words(result), plan.program.elements(result));
        let uniform = plan.uniform.contains(result);
        let mut rows = self.take(result);
        let args: [View<'_>; K] = core::array::from_fn(|k| view(plan, &self.tile.slots, node.args[k]));
        let mut failed: Option<(Mask, Why)> = None;
        for i in if uniform { Mask::first(1) } else { active }.iter() {
            for (e, out) in
                rows[i * words * elements..][..words * elements].chunks_exact_mut(words).enumerate()
            {
                let operands = args.map(|arg| arg.get(i, e));
                let done = operation(i, out, operands, &mut self.room.memory.scratch, &self.tile.rings);
                if let Err(why) = done {
                    let instances = if uniform { active } else { Mask::only(i) };
                    failed = Some((failed.map_or(instances, |(others, _)| others.or(instances)), why));
                    break;
                }
            }
        }
        self.put(result, rows);
        if let Some((instances, why)) = failed {
            self.tile.fail(instances, why, node.span);
        }
    }
}

fn truth(out: &mut [u64], value: bool) -> Result<(), Why> {
    out[0] = u64::from(value);
    Ok(())
}

/// Copies the rows of instances to a buffer of this size.
pub(super) fn copy_rows(rows: &mut [u64], size: Size, from: View<'_>, instances: Mask) {
    let row = size.row;
    for i in if size.uniform { Mask::first(1) } else { instances }.iter() {
        rows[i * row..][..row].copy_from_slice(&from.limbs[i * from.row..][..row]);
    }
}
