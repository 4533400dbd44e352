//! Products modulo a number as two kernels: the product on tensor cores, and the remainder in the type of
//! twice the bits.

use limbforge_algos::expr::{Expr, Op};
use limbforge_limb::Layout;

use super::Sink;
use super::build::{Builder, Value, double};
use crate::ntt::ProductForm;
use crate::spec::{InputForm, InputSpec, MOST_WORDS_WITHIN_WARP, SpecError, WARP};
use crate::tensor::{MulTensorSpec, Phases, TensorPlan};

/// Bits from which the two kernels are faster than one (`docs/modulus.md`).
const FROM_BITS: u32 = 512;

/// Bits of the widest dividend that a warp divides.
const WIDEST_DIVIDEND: u32 = 32 * WARP * MOST_WORDS_WITHIN_WARP;

impl Builder<'_> {
    /// Whether a node is a product modulo a number that is computed here: of unsigned numbers, as the product
    /// is then what is divided.
    pub(super) fn is_mulmod(&self, node: usize) -> bool {
        let ty = self.spec.ty;
        let fits = (FROM_BITS..=WIDEST_DIVIDEND / 2).contains(&ty.bits());
        *self.op(node) == Op::MulMod && self.limits.matrices && !ty.is_signed() && fits
    }

    /// Its kernels, the result a value on the device.
    pub(super) fn mulmod(&mut self, node: usize) -> Result<(), SpecError> {
        let remainder = self.product_and_modulus(node)?;
        let name = format!("%{node}");
        self.store(node, &name, &remainder, double(self.spec.ty)?);
        Ok(())
    }

    /// Its kernels, the result where the expression's goes.
    pub(super) fn mulmod_to_result(&mut self, node: usize, output: Layout) -> Result<(), SpecError> {
        let remainder = self.product_and_modulus(node)?;
        let ty = self.spec.ty;
        self.expression(&remainder, double(ty)?, ty, output, Sink::Result);
        Ok(())
    }

    /// `a b mod m` in terms of the product, which is a value on the device then. Operands need not be below
    /// the modulus.
    fn product_and_modulus(&mut self, node: usize) -> Result<Expr, SpecError> {
        let [a, b, modulus] = [0, 1, 2].map(|i| self.spec.dag.nodes()[node].args[i].index());
        let mut factors = vec![a, b];
        factors.dedup();
        for operand in [a, b, modulus] {
            self.instances(operand)?;
        }
        let (ty, limb, target) = (self.spec.ty, self.spec.limb, self.spec.target);
        let result = double(ty)?;
        let values = factors.iter().map(|factor| self.values[factor].clone());
        let (sources, inputs): (Vec<_>, Vec<_>) = values.map(|value| (value.source, value.input)).unzip();
        let phases = Phases::product(inputs.len());
        let plan = TensorPlan::new(limb.instance_words(ty), ProductForm::Wide, self.limits)?;
        let spec = MulTensorSpec { ty, result, limb, inputs, phases, plan, unless: None, target };
        let words = limb.instance_words(result);
        let source = self.launch(spec, sources, words.into());
        let name = format!("%{node}p");
        let mut input = InputSpec::integers(&name, Layout::InstanceMajor, false);
        input.form = InputForm::Narrow { words };
        // No node has this number, nor a correction of signed products, of which this type has none.
        self.values.insert(self.spec.dag.nodes().len() + node, Value { source, input });
        let modulus = Expr::input(&self.values[&modulus].input.name);
        Ok(Expr::input(&name) % modulus)
    }
}
