//! Marks of instances that lack results.

use super::emitter::Emitter;
use crate::spec::KernelSpec;
use crate::template::Template;

/// For each node, the results of the program that fail with it, as bits; 0 in a program of one result.
pub(super) fn fails(spec: &KernelSpec) -> Vec<u32> {
    let mut fails = vec![0; spec.dag.nodes().len()];
    for (&root, results) in spec.dag.roots().iter().zip(&spec.fails) {
        let needed = spec.dag.needed_for(root);
        let of_root = fails.iter_mut().zip(needed).filter(|(_, needed)| *needed);
        of_root.for_each(|(fails, _)| *fails |= results);
    }
    fails
}

impl Emitter<'_> {
    /// Instances for which this holds have no result.
    pub(super) fn mark(&mut self, fails: &str) {
        if self.spec.fails.is_empty() {
            return self.line(format!("mark(marks, {fails}, at);"));
        }
        self.calls(Template::Results);
        self.line(format!("mark_results<{}u>(marks, {fails}, at);", self.fails[self.i]));
    }
}
