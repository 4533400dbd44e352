//! Loads of operands and residues, and the stores of results.

use limbforge_algos::expr::Op;
use limbforge_limb::Layout;
use num_bigint::BigUint;

use super::emitter::{Emitter, Held};
use crate::invariant::broken_invariant;
use crate::spec::{InputForm, Residues};
use crate::template::Template;

/// Words of a coefficient.
const SUM_WORDS: u64 = 5;

impl Emitter<'_> {
    /// All loads come first, so that they are under way together.
    pub(super) fn loads(&mut self) {
        if self.spec.moves_by_lanes() {
            self.calls(Template::LanesTransfer);
        }
        for (i, node) in self.spec.dag.nodes().iter().enumerate() {
            let Op::Input(name) = &node.op else { continue };
            let input = self.spec.inputs.iter().position(|input| *input.name == **name);
            self.i = i;
            self.forms[i] =
                self.load(input.unwrap_or_else(|| broken_invariant("a kernel lists its operands")));
        }
    }

    fn load(&mut self, input: usize) -> Held {
        let spec = self.spec;
        let operand = &spec.inputs[input];
        let words = match &operand.form {
            InputForm::Residues(residues) => {
                self.calls(Template::Crt);
                let (name, first) = (format!("Residues{input}"), residues.first_word());
                self.out.types.push(residues.constants(&name));
                let value = format!("load_residues<{name}>(in{input} + {first}, exchange, at, instances)");
                return self.sum(&value, 0, 1);
            }
            InputForm::Narrow { words } => *words,
            InputForm::Integers => spec.words(),
        };
        let width = if words == spec.words() { String::new() } else { format!("<{words}>") };
        self.num(&match (operand.broadcast, operand.layout) {
            (true, _) => format!("load_broadcast{width}(in{input}, at)"),
            (_, Layout::Interleaved) => format!("load_interleaved{width}(in{input}, at, instances)"),
            _ if spec.moves_by_lanes() => format!("load_lanes{width}(in{input}, slot, at, instances)"),
            _ if spec.loads_vectors(words) => format!("load_vectors{width}(in{input}, at)"),
            _ => format!("load_words{width}(in{input}, at)"),
        })
    }

    /// Before an operation that may write to shared memory.
    pub(super) fn frees_shared(&mut self, op: &Op) {
        if op.arity() > 0 && core::mem::take(&mut self.is_storing) {
            let barrier = if self.spec.is_staged() { "__syncthreads();" } else { "__syncwarp();" };
            self.line(barrier.to_owned());
        }
    }

    /// The node's value is stored if it is a result.
    pub(super) fn store(&mut self) {
        let roots = self.spec.dag.roots();
        let Some(place) = roots.iter().position(|root| root.index() == self.i) else { return };
        let (result, by_lanes) = (self.number(self.i), self.spec.moves_by_lanes());
        let out = &self.spec.out_names()[place];
        self.is_storing = self.spec.output == Layout::InstanceMajor && (by_lanes || self.spec.is_staged());
        if by_lanes && self.spec.output == Layout::InstanceMajor && self.forms[self.i] == Held::Wide {
            self.calls(Template::LanesWide);
        }
        self.line(match self.spec.output {
            Layout::Interleaved => format!("store_interleaved({out}, {result}, at, instances);"),
            Layout::InstanceMajor if by_lanes => {
                format!("store_lanes({out}, {result}, slot, at, instances);")
            }
            Layout::InstanceMajor if self.spec.stores_vectors() => {
                format!("store_vectors({out}, {result}, at);")
            }
            Layout::InstanceMajor => {
                format!("store_staged({out}, {result}, shared, at, Stretch(instances));")
            }
        });
    }
}

impl Residues {
    /// A type with the constants of `templates/crt.cuh` as functions, so that they stand in the instructions.
    fn constants(&self, name: &str) -> String {
        let (product, primes) = (self.primes.product(), self.primes.primes());
        let join = |texts: Vec<String>| texts.join(", ");
        let cofactors = join(primes.iter().map(|&p| words(&(&product / p))).collect());
        let reciprocals = join(primes.iter().map(|p| format!("{}u", (1u64 << 59) / u64::from(*p))).collect());
        // Modulo 2^160, which six primes exceed.
        let modulus = BigUint::from(1u32) << (32 * SUM_WORDS);
        let minus_product = words(&(&modulus - product % &modulus));
        let (count, digits, plane) = (primes.len(), self.digits, Self::plane(self.digits));
        format!(
            "struct {name} {{
  static constexpr unsigned PRIMES = {count}, DIGITS = {digits}, PLANE = {plane};
  __device__ static constexpr unsigned cofactor(unsigned i, unsigned w) {{
    constexpr unsigned words[{count}][{SUM_WORDS}] = {{{cofactors}}};
    return words[i][w];
  }}
  __device__ static constexpr unsigned reciprocal(unsigned i) {{
    constexpr unsigned words[{count}] = {{{reciprocals}}};
    return words[i];
  }}
  __device__ static constexpr unsigned minus_product(unsigned w) {{
    constexpr unsigned words[{SUM_WORDS}] = {minus_product};
    return words[w];
  }}
}};"
        )
    }

    /// Where the result's planes begin, in words, as an expression of the kernel.
    fn first_word(&self) -> String {
        let (index, plane) = (u64::from(self.index), u64::from(Self::plane(self.digits)));
        format!("{}ull * instances", index * plane * self.primes.primes().len() as u64)
    }
}

/// The words of a number below 2^160.
fn words(number: &BigUint) -> String {
    let digits = number.to_u32_digits();
    let word = |i: u64| format!("{:#x}u", digits.get(i as usize).copied().unwrap_or(0));
    format!("{{{}}}", (0..SUM_WORDS).map(word).collect::<Vec<_>>().join(", "))
}
