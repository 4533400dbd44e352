//! Loops, from any round on and for a number of rounds.

use core::ops::Range;

use super::mask::Mask;
use super::region::copy_rows;
use super::rounds::Counts;
use super::tile::Machine;
use crate::cpu::Why;
use crate::invariant::broken_invariant;
use crate::program::{Kind, Node, Region, Rounds};

impl Machine<'_> {
    /// Runs a loop of the top region, which was [entered](Self::enter); false if rounds are left.
    pub(super) fn run_loop(&mut self, node: &Node, rounds: Range<u64>) -> bool {
        let live = self.tile.live;
        match &node.kind {
            Kind::For { over, after, body } => self.run_for(node, (*over, *after, body), live, rounds),
            Kind::While { limit, condition, body } => {
                self.run_while(node, (*limit, condition, body), live, rounds)
            }
            _ => broken_invariant("a stage is cut at a loop"),
        }
    }

    /// Sets the carried values of a loop as they begin.
    pub(super) fn enter(&mut self, node: &Node, active: Mask) {
        if active.is_empty() {
            return;
        }
        for (&from, &to) in node.carried().iter().zip(&node.results) {
            let mut rows = self.take(to);
            copy_rows(&mut rows, self.plan.slots[self.plan.slot(to)], self.view(from), active);
            self.put(to, rows);
        }
    }

    /// These rounds of a `for` loop; false if more are left.
    pub(super) fn run_for(
        &mut self,
        node: &Node,
        (over, after, body): (Rounds, u64, &Region),
        active: Mask,
        rounds: Range<u64>,
    ) -> bool {
        let counts = Counts::new(self.plan, &self.tile.slots, node, (over, after), active);
        let (moves, end) = (self.plan.moves(&node.results, 0), counts.most(active));
        let index = body.params.len() > node.results.len();
        for round in rounds.start..rounds.end.min(end) {
            let now = counts.beyond(round, active.and(self.tile.live));
            if now.is_empty() {
                return true;
            }
            if index {
                // Below the count, which is that much less.
                self.set_index(node, over, body.params[0], after + round, now);
            }
            let left = self.nodes(&body.nodes, now);
            self.turn(moves, left, left == active.and(self.tile.live));
        }
        rounds.end >= end
    }

    /// These rounds of a `while` loop; false if more may be left.
    pub(super) fn run_while(
        &mut self,
        node: &Node,
        (limit, condition, body): (u64, &Region, &Region),
        active: Mask,
        rounds: Range<u64>,
    ) -> bool {
        let (moves, mut now) = (self.plan.moves(&node.results, 0), active);
        for round in rounds {
            now = self.nodes(&condition.nodes, now);
            now = self.holding(condition.yields[0], now);
            if now.is_empty() {
                return true;
            }
            if round == limit {
                self.tile.fail(now, Why::Limit, node.span);
                return true;
            }
            now = self.nodes(&body.nodes, now);
            self.turn(moves, now, now == active.and(self.tile.live));
        }
        false
    }
}
