//! Operands come in, the result goes out.

use limbforge_algos::expr::Op;
use limbforge_limb::Layout;

use super::emitter::{Emitter, Held};
use crate::invariant::broken_invariant;
use crate::spec::{InputForm, within_warp};
use crate::template::Template;

impl Emitter<'_> {
    /// All loads come first, so that they are under way together.
    pub(super) fn loads(&mut self) {
        let spec = self.spec;
        let name = |op: &Op| if let Op::Input(name) = op { Some(name.clone()) } else { None };
        let nodes = spec.dag.nodes().iter().enumerate();
        let place = |name: &str| {
            let place = spec.inputs.iter().position(|input| input.name == name);
            place.unwrap_or_else(|| broken_invariant("a kernel lists its operands"))
        };
        let operands: Vec<(usize, usize)> =
            nodes.filter_map(|(i, node)| Some((i, place(&name(&node.op)?)))).collect();
        for (i, input) in operands {
            self.load(i, input);
        }
    }

    fn load(&mut self, i: usize, input: usize) {
        let spec = self.spec;
        let operand = &spec.inputs[input];
        let words = match &operand.form {
            InputForm::Residues(residues) => {
                self.calls(Template::Crt);
                let name = format!("Residues{input}");
                let constants = residues.constants(&name);
                self.out.types.push(constants);
                let first = residues.first_word();
                self.line(format!(
                    "const Sum x{i} = load_residues<{name}>(in{input} + {first}, exchange, at, instances);"
                ));
                self.operands.insert(i, Held::Sum { lowest: 0, highest: 1 });
                return;
            }
            InputForm::Narrow { words } => *words,
            InputForm::Integers => spec.words(),
        };
        let width = if words == spec.words() { String::new() } else { format!("<{words}>") };
        let value = match (operand.broadcast, operand.layout) {
            (true, _) => format!("load_broadcast{width}(in{input}, at)"),
            (_, Layout::Interleaved) => format!("load_interleaved{width}(in{input}, at, instances)"),
            _ if within_warp(&spec.dag) => format!("load_lanes{width}(in{input}, slot, at, instances)"),
            _ if spec.loads_vectors(words) => format!("load_vectors{width}(in{input}, at)"),
            _ => format!("load_words{width}(in{input}, at)"),
        };
        self.num(i, &value);
        self.operands.insert(i, Held::Num);
    }

    /// The last node's value goes out.
    pub(super) fn store(&mut self) {
        let last = self.spec.dag.nodes().len() - 1;
        let result = self.number_at(last);
        let by_lanes = within_warp(&self.spec.dag) && self.spec.output == Layout::InstanceMajor;
        if by_lanes && self.form_at(last) == Held::Wide {
            self.calls(Template::LanesWide);
        }
        self.line(match (self.spec.output, self.spec.stores_vectors()) {
            (Layout::Interleaved, _) => format!("store_interleaved(out, {result}, at, instances);"),
            _ if within_warp(&self.spec.dag) => format!("store_lanes(out, {result}, slot, at, instances);"),
            (Layout::InstanceMajor, true) => format!("store_vectors(out, {result}, at);"),
            (Layout::InstanceMajor, false) => {
                format!("store_staged(out, {result}, shared, at, Stretch(instances));")
            }
        });
    }
}
