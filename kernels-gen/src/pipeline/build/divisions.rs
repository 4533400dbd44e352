//! Divisions within kernels of expressions, with both of their results.

use limbforge_algos::expr::{Dag, Expr};
use limbforge_limb::Layout;

use super::Builder;
use crate::pipeline::ProgramKernel;
use crate::spec::{InputForm, SpecError};

impl Builder<'_> {
    /// The divisions of the operands of a node that is one, itself among them.
    pub(in crate::pipeline) fn same_divisions(&self, node: usize) -> Vec<usize> {
        let nodes = self.spec.dag.nodes();
        let same = |&i: &usize| nodes[i].op.is_division() && nodes[i].args == nodes[node].args;
        (0..nodes.len()).filter(|i| nodes[node].op.is_division() && same(i)).collect()
    }

    /// Adds a kernel that leaves all results of a division on the device, unless it does not fit.
    pub(super) fn store_divisions(&mut self, nodes: &[usize]) -> Result<bool, SpecError> {
        let exprs = nodes.iter().map(|&node| self.expr(node)).collect::<Result<Vec<Expr>, _>>()?;
        let (ty, fails) = (self.spec.ty, self.fails(nodes));
        let (mut spec, sources) = self.kernel_of(Dag::of_all(&exprs), [ty; 2], Layout::InstanceMajor, fails);
        if spec.fails.is_empty() {
            // All fail the only result.
            spec.fails = vec![1; nodes.len()];
        }
        let kernel = ProgramKernel::from(spec);
        if kernel.block(self.limits).is_err() {
            return Ok(false);
        }
        let words = self.spec.limb.instance_words(ty).into();
        let mut sinks = vec![];
        for &node in nodes {
            let (sink, source) = self.sink(words);
            sinks.push(sink);
            self.keep(node, source, &format!("%{node}"), InputForm::Integers);
        }
        self.program.push(kernel, sources, sinks);
        Ok(true)
    }
}
