//! Products modulo a number as two kernels: the product on tensor cores, and the remainder in the type of
//! twice the bits.

use limbforge_algos::expr::{Expr, Op};

use super::build::{Builder, double};
use crate::ntt::ProductForm;
use crate::spec::{InputForm, MOST_WORDS_WITHIN_WARP, SpecError, WARP};
use crate::tensor::TensorPlan;

/// Bits from which the two kernels are faster than one (`docs/modulus.md`).
const FROM_BITS: u32 = 512;

/// Bits of the widest dividend that a warp divides.
const WIDEST_DIVIDEND: u32 = 32 * WARP * MOST_WORDS_WITHIN_WARP;

impl Builder<'_> {
    /// Whether a node is a product modulo a number that is computed here. The operands are unsigned, as the
    /// unsigned product is divided.
    pub(super) fn is_mulmod(&self, node: usize) -> bool {
        let ty = self.spec.ty;
        let fits = (FROM_BITS..=WIDEST_DIVIDEND / 2).contains(&ty.bits());
        *self.op(node) == Op::MulMod && self.limits.matrices && !ty.is_signed() && fits
    }

    /// Adds the kernel of the product of a node; returns the remainder in terms of the product, to be
    /// computed in the type of twice the bits. Operands need not be below the modulus.
    pub(super) fn mulmod(&mut self, node: usize) -> Result<Expr, SpecError> {
        let [a, b, modulus] = [0, 1, 2].map(|i| self.spec.dag.nodes()[node].args[i].index());
        let mut factors = vec![a, b];
        factors.dedup();
        for operand in [a, b, modulus] {
            self.instances(operand)?;
        }
        let (ty, limb) = (self.spec.ty, self.spec.limb);
        let values = factors.iter().map(|factor| self.values[factor].clone());
        let (sources, inputs): (Vec<_>, Vec<_>) = values.map(|value| (value.source, value.input)).unzip();
        let plan = TensorPlan::new(limb.instance_words(ty), ProductForm::Wide, self.limits)?;
        let spec = self.tensor_kernel([ty, double(ty)?], limb, inputs, plan);
        let words = spec.result_words();
        let source = self.launch(spec, sources, words.into());
        let name = format!("%{node}p");
        // No node has this number, nor a correction of signed products, of which this type has none.
        let key = self.spec.dag.nodes().len() + node;
        self.keep(key, source, &name, InputForm::Narrow { words });
        Ok(Expr::input(&name) % Expr::input(&self.values[&modulus].input.name))
    }
}
