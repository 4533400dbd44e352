//! Inverses of all elements of an array in memory by one inversion: Montgomery's trick.

use limbforge_algos::program::Node;

use super::Lowerer;
use super::values::Held;
use crate::program::tape::code::{Class, Instr, What};
use crate::spec::SpecError;

impl Lowerer<'_> {
    /// `1 / x` of each element. The product of the elements has an inverse if all of them have one, so that an
    /// instance fails where one element has none.
    pub(super) fn inverses_in_memory(&mut self, node: &Node) -> Result<(), SpecError> {
        let (id, result) = (self.modulus_of(node), node.results[0]);
        self.check_modulus(id);
        let (from, to) = (self.as_block(node.args[0])?, self.new_block(result));
        let one = self.one(id);
        // The products of the elements before each one.
        let product = self.b.var(Class::Number);
        self.b.assign(product, one);
        self.each(from.length, |lowerer, index| {
            lowerer.b.moved(product);
            lowerer.block_write(to, index, product);
            let x = lowerer.block_read(from, index);
            let next = lowerer.product(id, product, Some(x));
            lowerer.b.assign(product, next);
            Ok(())
        })?;
        self.b.moved(product);
        let whole = self.inverse_of(id, product, node);
        let (inverse, last) = (self.b.var(Class::Number), self.b.constant(u64::from(from.length) - 1));
        self.b.assign(inverse, whole);
        self.each(from.length, |lowerer, index| {
            lowerer.b.moved(inverse);
            let index = lowerer.b.scalar(Instr::new(What::ScalarSub).x(last).y(index), 64, false);
            let (before, x) = (lowerer.block_read(to, index), lowerer.block_read(from, index));
            let of_x = lowerer.product(id, inverse, Some(before));
            lowerer.block_write(to, index, of_x);
            let next = lowerer.product(id, inverse, Some(x));
            lowerer.b.assign(inverse, next);
            Ok(())
        })?;
        self.b.moved(inverse);
        self.forget(result);
        self.set(result, Held::Block(to));
        Ok(())
    }
}
