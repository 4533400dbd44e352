//! Whether all of a program is so little work that one launch does.

use limbforge_algos::op::Op;
use limbforge_algos::program::{Kind, Node, Region, ResidueOp};

use super::OnGpu;

/// Products of words that a thread computes in well below a second.
const OF_INSTANCE: u64 = 1 << 23;

/// Products of words that a small GPU computes in about a second.
const OF_ALL: u64 = 1 << 40;

impl OnGpu {
    /// Whether the whole program takes below about a second. Where nothing says how many rounds a loop has, the
    /// answer is no.
    pub(super) fn is_short(&self) -> bool {
        let of_instance = self.region(self.run.program.body());
        let of_all = of_instance.and_then(|work| work.checked_mul(self.run.instances as u64));
        of_instance.is_some_and(|work| work <= OF_INSTANCE) && of_all.is_some_and(|work| work <= OF_ALL)
    }

    /// An estimate of an instance's work, in products of words; None if nothing bounds it.
    fn region(&self, region: &Region) -> Option<u64> {
        region.nodes.iter().try_fold(0_u64, |sum, node| sum.checked_add(self.node(node)?))
    }

    fn node(&self, node: &Node) -> Option<u64> {
        let mut inner = node.kind.regions().into_iter();
        let inner = inner.try_fold(1_u64, |sum, region| sum.checked_add(self.region(region)?))?;
        let bits = |value: &_| u64::from(self.run.program.plain(*value).bits());
        let widest = node.args.iter().chain(&node.results).map(bits).max().unwrap_or(1);
        let elements = node.results.iter().map(|&value| self.run.program.elements(value)).max().unwrap_or(1);
        let words = widest.div_ceil(32);
        let of_one = match &node.kind {
            Kind::For { .. } | Kind::While { .. } => {
                return self.run.rounds_of_inputs(node).ok().flatten()?.checked_mul(inner);
            }
            Kind::If { .. } => return Some(inner),
            Kind::Integer(Op::Add | Op::Sub) => words,
            Kind::Residue(ResidueOp::Mul | ResidueOp::Sqr) => words * words,
            // A product for each bit of an exponent; as many steps of a divisor.
            Kind::Integer(_) | Kind::Residue(_) => 2 * widest * words * words,
            _ => words,
        };
        of_one.checked_mul(elements as u64)
    }
}
