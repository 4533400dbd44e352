//! Loops that are written out.

use limbforge_algos::program::{Node, Region, Rounds, ValueId};

use super::Lowerer;
use super::values::Held;
use crate::spec::SpecError;

/// Operations of a loop that is written out, of all its rounds.
const MOST_WRITTEN: u64 = 16;

impl Lowerer<'_> {
    /// The rounds of a loop that is written out: few operations, without loops and arms, a constant number of times.
    pub(super) fn few_rounds(&self, over: Rounds, args: &[ValueId], body: &Region) -> Option<u64> {
        let simple = body.nodes.iter().all(|node| node.kind.regions().is_empty());
        let rounds =
            u64::try_from(self.as_constant((over == Rounds::Times && simple).then(|| args[0])?)?).ok()?;
        (rounds.saturating_mul(body.nodes.len() as u64) <= MOST_WRITTEN).then_some(rounds)
    }

    /// The body, one time after the other.
    pub(super) fn written_rounds(
        &mut self,
        node: &Node,
        body: &Region,
        rounds: u64,
    ) -> Result<(), SpecError> {
        let mut carried: Vec<Held> = self.split(node).1.iter().map(|&value| self.held(value)).collect();
        for _ in 0..rounds {
            for (&param, held) in body.params.iter().zip(carried) {
                self.set(param, held);
            }
            // What is known of a value of one round is not of the next one.
            body.nodes.iter().flat_map(|node| &node.results).for_each(|&result| self.forget(result));
            self.region(body)?;
            carried = body.yields.iter().map(|&value| self.held(value)).collect();
        }
        for (&result, held) in node.results.iter().zip(carried) {
            self.set(result, held);
        }
        Ok(())
    }
}
