//! Random integers, and the number of the instance.

use limbforge_algos::program::Node;

use super::Lowerer;
use super::values::{bits_of, is_scalar};
use crate::program::tape::code::{Instr, Var, What};

/// The word of `control` with the number of the first instance of a launch, and the next one.
pub(in crate::program) const FIRST_INSTANCE: u32 = 5;

impl Lowerer<'_> {
    pub(super) fn instance(&mut self) -> Var {
        self.uses.insert(What::Instance);
        let first = self.b.scalar(Instr::new(What::Control).low(FIRST_INSTANCE), 64, false);
        let own = self.b.scalar(Instr::new(What::Instance), 64, false);
        self.b.scalar(Instr::new(What::ScalarAdd).x(first).y(own), 64, false)
    }

    pub(super) fn random(&mut self, node: &Node) -> Var {
        let (seed, counter) = (self.var(node.args[0]), self.var(node.args[1]));
        let element = self.element(node.results[0]);
        let (bits, signed) = bits_of(element);
        if is_scalar(element) {
            self.uses.insert(What::ScalarRandom);
            return self.b.scalar(Instr::new(What::ScalarRandom).x(seed).y(counter), bits, signed);
        }
        self.uses.insert(What::Random);
        let number = self.b.number(Instr::new(What::Random).x(seed).y(counter).low(bits));
        if signed { self.wrapped(number, self.int(node.results[0])) } else { number }
    }
}
