//! How many rounds each instance makes, and the index of a round.

use limbforge_limb::slice::{add, bits};

use super::mask::Mask;
use super::plan::Plan;
use super::tile::{Machine, View, view};
use crate::program::{Node, Rounds, ValueId};

/// The rounds of each instance of a tile, without those that are left out.
pub(super) struct Counts {
    /// One for all, or one for each instance.
    rounds: [u64; Mask::MOST],
    uniform: bool,
}

impl Counts {
    /// Those of a loop over its first operands, for the active instances.
    pub(super) fn new(
        plan: &Plan,
        slots: &[Vec<u64>],
        node: &Node,
        (over, after): (Rounds, u64),
        active: Mask,
    ) -> Self {
        let args = &node.args[..node.args.len() - node.results.len()];
        let ty = plan.ty(args[0]);
        let views: [View<'_>; 2] = [args[0], args[args.len() - 1]].map(|value| view(plan, slots, value));
        let uniform = args.iter().all(|&arg| plan.uniform.contains(arg));
        let mut rounds = [0; Mask::MOST];
        for i in if uniform { Mask::first(1) } else { active }.iter() {
            let all = match over {
                Rounds::Elements => plan.program.elements(args[0]) as u64,
                _ => over.count(views[0].get(i, 0), views[1].get(i, 0), ty),
            };
            rounds[i] = all.saturating_sub(after);
        }
        Self { rounds, uniform }
    }

    /// The most rounds of an active instance.
    pub(super) fn most(&self, active: Mask) -> u64 {
        if active.is_empty() {
            return 0;
        }
        let instances = if self.uniform { Mask::first(1) } else { active };
        instances.iter().map(|i| self.rounds[i]).max().unwrap_or(0)
    }

    /// The active instances that make this round, too.
    pub(super) fn beyond(&self, round: u64, active: Mask) -> Mask {
        match self.uniform {
            true if self.rounds[0] > round => active,
            true => Mask::EMPTY,
            false => active.filter(|i| self.rounds[i] > round),
        }
    }
}

impl Machine<'_> {
    /// Sets the index of a round, counted from the first, those that are left out too.
    pub(super) fn set_index(&mut self, node: &Node, over: Rounds, index: ValueId, round: u64, active: Mask) {
        let mut rows = self.take(index);
        let (ty, size) = (self.plan.ty(index), self.plan.slots[self.plan.slot(index)]);
        let of = self.view(node.args[0]);
        for i in if size.uniform { Mask::first(1) } else { active }.iter() {
            let out = &mut rows[i * size.row..][..size.row];
            match over {
                Rounds::Times => {}
                Rounds::Range => {
                    out.copy_from_slice(of.get(i, 0));
                    add::add_assign(out, &[round], false);
                    bits::truncate(out, ty.bits());
                }
                Rounds::Bits => digit_at(out, of.get(i, 0), 1, round),
                Rounds::Digits(width) => digit_at(out, of.get(i, 0), width, round),
                Rounds::Elements => out.copy_from_slice(of.get(i, round as usize)),
            }
        }
        self.put(index, rows);
    }
}

/// `out` = the digit of x of so many bits in this place from the highest one.
fn digit_at(out: &mut [u64], x: &[u64], width: u32, round: u64) {
    let first = (bits::bit_len(x).div_ceil(width) - 1 - round as u32) * width;
    let (word, shift) = ((first / u64::BITS) as usize, first % u64::BITS);
    let at = |k: usize| x.get(word + k).copied().unwrap_or(0);
    for (k, out) in out.iter_mut().enumerate() {
        *out = at(k) >> shift | if shift == 0 { 0 } else { at(k + 1) << (u64::BITS - shift) };
    }
    bits::truncate(out, width);
}
