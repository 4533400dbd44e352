//! Products on tensor cores. An expression of sums and products is one kernel; in others each product is one.
//! A product modulo a number is two: the product, and the remainder in the type of twice the bits.

use limbforge_algos::expr::{Dag, Expr, Op};
use limbforge_limb::{IntType, Layout};

use super::build::{Builder, Value, double};
use super::products::is_product;
use super::results::clusters;
use super::{ProductMapping, ProgramSpec, Sink, Source};
use crate::ntt::ProductForm;
use crate::spec::{InputForm, InputSpec, LimbKind, MOST_WORDS_WITHIN_WARP, SpecError, WARP};
use crate::tensor::{MulTensorSpec, Phases, TensorPlan};

/// Bits from which the two kernels are faster than one (`docs/modulus.md`).
const FROM_BITS: u32 = 512;
/// Bits of the widest dividend that a warp divides.
const WIDEST_DIVIDEND: u32 = 32 * WARP * MOST_WORDS_WITHIN_WARP;

impl Builder<'_> {
    /// Adds one kernel for each expression that shares no product with others, and one for each other product
    /// after those of its operands.
    pub(super) fn tensor_products(&mut self) -> Result<(), SpecError> {
        let dag = &self.spec.dag;
        for cluster in clusters(dag, |_| false) {
            if let [root] = *cluster
                && let Some((kernel, sources)) = self.fused(&dag.restrict(&[dag.roots()[root]]).0)?
            {
                self.program.push(kernel, sources, vec![Sink::Result(root)]);
                self.done[root] = true;
            }
        }
        let nodes = dag.nodes();
        let needed: Vec<Vec<bool>> = self.left().map(|root| dag.needed_for(dag.roots()[root])).collect();
        let is_needed = |node: usize| needed.iter().any(|needed| needed[node]);
        for (node, operation) in nodes.iter().enumerate().filter(|(_, node)| is_product(&node.op)) {
            if !is_needed(node) {
                continue;
            }
            let mut operands: Vec<usize> = operation.args.iter().map(|arg| arg.index()).collect();
            operands.dedup();
            let values =
                operands.into_iter().map(|operand| self.instances(operand)).collect::<Result<_, _>>()?;
            self.tensor_product(node, values)?;
        }
        Ok(())
    }

    /// The kernel of a product in type `ty` with a result of type `result`.
    pub(super) fn tensor_kernel(
        &self,
        [ty, result]: [IntType; 2],
        limb: LimbKind,
        inputs: Vec<InputSpec>,
        plan: TensorPlan,
    ) -> MulTensorSpec {
        let (phases, unless, target) = (Phases::product(inputs.len()), self.mask(), self.spec.target);
        MulTensorSpec { ty, result, limb, inputs, phases, plan, unless, target }
    }

    /// The kernel of an expression of sums and low products whose values fit shared memory together.
    fn fused(&self, dag: &Dag) -> Result<Option<(MulTensorSpec, Vec<Source>)>, SpecError> {
        let &ProgramSpec { ty, limb, ref inputs, output, target, .. } = self.spec;
        let mut names: Vec<&str> = dag.inputs().collect();
        names.sort_unstable();
        let place = |name: &&str| inputs.iter().position(|input| input.name == *name);
        let used: Vec<usize> = names.iter().filter_map(place).collect();
        let plain = |&at: &usize| {
            let InputSpec { form, layout, broadcast, .. } = &inputs[at];
            *form == InputForm::Integers && (*layout == Layout::InstanceMajor || *broadcast)
        };
        if output != Layout::InstanceMajor || !used.iter().all(plain) {
            return Ok(None);
        }
        let words = limb.instance_words(ty);
        let phases = Phases::of(dag, 4 * words as usize, used.len(), |name| names.binary_search(&name).ok());
        let Some(phases) = phases else { return Ok(None) };
        let Ok(plan) = TensorPlan::for_phases(words, &phases, self.limits) else { return Ok(None) };
        let plan = self.mapped(plan, &phases)?;
        let input = |&at: &usize| InputSpec { layout: Layout::InstanceMajor, ..inputs[at].clone() };
        let (inputs, sources) = (used.iter().map(input).collect(), used.iter().map(|&i| Source::Input(i)));
        let spec = MulTensorSpec { ty, result: ty, limb, inputs, phases, plan, unless: None, target };
        Ok(Some((spec, sources.collect())))
    }

    /// The plan with the requested mapping.
    fn mapped(&self, plan: TensorPlan, phases: &Phases) -> Result<TensorPlan, SpecError> {
        let words = self.spec.limb.instance_words(self.spec.ty);
        match self.mapping {
            Some(ProductMapping::Tiles { tiles_per_pass, warps_per_instance, warps }) => {
                plan.mapped(words, phases, [tiles_per_pass, warps_per_instance, warps], self.limits)
            }
            _ => Ok(plan),
        }
    }

    /// Adds the kernel of a product, which goes where the result goes if it is that. A low product leaves
    /// integers, and so does a high one where its kernel can ([`MulTensorSpec::can_be_high`]); others leave
    /// all digits of the unsigned product.
    fn tensor_product(&mut self, node: usize, values: Vec<Value>) -> Result<(), SpecError> {
        let (ty, limb, op) = (self.spec.ty, self.spec.limb, self.op(node));
        let form = ProductForm::of(op);
        let plan = TensorPlan::new(limb.instance_words(ty), form, self.limits)?;
        let is_whole =
            form == ProductForm::Low || *op == Op::MulHigh && MulTensorSpec::can_be_high(ty, &plan);
        let result = if is_whole { ty } else { double(ty)? };
        let (sources, inputs): (_, Vec<_>) =
            values.into_iter().map(|value| (value.source, value.input)).unzip();
        let plan = self.mapped(plan, &Phases::product(inputs.len()))?;
        let spec = self.tensor_kernel([ty, result], limb, inputs, plan);
        // The digits are those of unsigned operands, and a high product's are still to be moved.
        if let Some(root) = self.last(node)
            && self.spec.output == Layout::InstanceMajor
            && (is_whole || !ty.is_signed() && *op != Op::MulHigh)
        {
            self.program.push(spec, sources, vec![Sink::Result(root)]);
            self.done[root] = true;
            return Ok(());
        }
        let words = limb.instance_words(result);
        let source = self.launch(spec, sources, words.into());
        let form = if is_whole { InputForm::Integers } else { InputForm::Narrow { words } };
        self.keep(node, source, &format!("%{node}"), form);
        Ok(())
    }

    /// A node's value as integers whose limbs are neighbours.
    pub(super) fn instances(&mut self, node: usize) -> Result<Value, SpecError> {
        if *self.op(node) == Op::MulHigh {
            self.high(node)?;
        }
        self.integers(node)?;
        let value = self.values[&node].clone();
        if value.input.layout == Layout::InstanceMajor {
            return Ok(value);
        }
        let input = InputSpec { layout: Layout::InstanceMajor, ..value.input };
        if input.broadcast {
            // One instance lies the same in both layouts.
            return Ok(Value { input, ..value });
        }
        let ty = self.spec.ty;
        let (sink, source) = self.sink(self.spec.limb.instance_words(ty).into());
        self.expression(&Expr::input(&input.name), [ty, ty], sink, node);
        let value = Value { source, input };
        self.values.insert(node, value.clone());
        Ok(value)
    }

    /// Whether a node is a product modulo a number that is computed here, of unsigned operands.
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
