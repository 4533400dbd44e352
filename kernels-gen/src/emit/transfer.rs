//! Operands come in, the result goes out.

use limbforge_algos::expr::Op;
use limbforge_limb::Layout;

use super::Emitter;

impl Emitter<'_> {
    /// All loads come first, so that they are under way together.
    pub(super) fn loads(&mut self) {
        let spec = self.spec;
        let name = |op: &Op| if let Op::Input(name) = op { Some(name.clone()) } else { None };
        let nodes = spec.dag.nodes().iter().enumerate();
        let operands: Vec<(usize, usize)> = nodes
            .filter_map(|(i, node)| Some((i, name(&node.op)?)))
            .filter_map(|(i, name)| Some((i, spec.inputs.iter().position(|input| *input.name == *name)?)))
            .collect();
        for (i, input) in operands {
            let value = match (spec.inputs[input].broadcast, spec.inputs[input].layout) {
                (true, _) => format!("load_broadcast(in{input}, at)"),
                (_, Layout::Interleaved) => format!("load_interleaved(in{input}, at, instances)"),
                _ if spec.loads_vectors() => format!("load_vectors(in{input}, at)"),
                _ => format!("load_words(in{input}, at)"),
            };
            self.num(i, &value);
        }
    }

    /// The last node's value goes out.
    pub(super) fn store(&mut self) {
        let result = self.number_at(self.spec.dag.nodes().len() - 1);
        self.line(match (self.spec.output, self.spec.stores_vectors()) {
            (Layout::Interleaved, _) => format!("store_interleaved(out, {result}, at, instances);"),
            (Layout::InstanceMajor, true) => format!("store_vectors(out, {result}, at);"),
            (Layout::InstanceMajor, false) => {
                format!("store_staged(out, {result}, shared, at, Stretch(instances));")
            }
        });
    }
}
