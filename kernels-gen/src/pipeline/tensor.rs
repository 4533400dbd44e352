//! Products on tensor cores: an expression of sums and products is one kernel, in others each product is one.

use limbforge_algos::expr::{Expr, Op};
use limbforge_limb::Layout;

use super::build::{Builder, Value, double};
use super::products::is_product;
use super::{ProductMapping, ProgramSpec, Sink, Source};
use crate::ntt::ProductForm;
use crate::spec::{InputForm, InputSpec, Limits, SpecError};
use crate::tensor::{MulTensorSpec, Phases, TensorPlan};

impl Builder<'_> {
    /// One kernel for the whole expression, or a kernel for each product.
    pub(super) fn tensor_products(&mut self, limits: &Limits) -> Result<(), SpecError> {
        match self.fused(limits)? {
            Some((spec, sources)) => {
                self.program.push(spec, sources, Sink::Result);
                self.has_result = true;
                Ok(())
            }
            None => self.single_products(limits),
        }
    }

    /// The kernel of an expression of sums and low products whose values fit shared memory together.
    fn fused(&self, limits: &Limits) -> Result<Option<(MulTensorSpec, Vec<Source>)>, SpecError> {
        let ProgramSpec { dag, ty, limb, inputs, output, target, .. } = self.spec;
        let mut names: Vec<&str> = dag.inputs().collect();
        names.sort_unstable();
        let place = |name: &str| inputs.iter().position(|input| input.name == name);
        let used: Vec<usize> = names.iter().filter_map(|name| place(name)).collect();
        let plain = |&at: &usize| {
            let input = &inputs[at];
            input.form == InputForm::Integers && (input.layout == Layout::InstanceMajor || input.broadcast)
        };
        if *output != Layout::InstanceMajor || !used.iter().all(plain) {
            return Ok(None);
        }
        let words = limb.instance_words(*ty);
        let phases = Phases::of(dag, 4 * words as usize, used.len(), |name| names.binary_search(&name).ok());
        let planned = phases.and_then(|phases| {
            let plan = TensorPlan::for_phases(words, &phases, limits).ok()?;
            Some((phases, plan))
        });
        let Some((phases, plan)) = planned else { return Ok(None) };
        let plan = self.mapped(plan, &phases, limits)?;
        let input = |&at: &usize| InputSpec { layout: Layout::InstanceMajor, ..inputs[at].clone() };
        let spec = MulTensorSpec {
            ty: *ty,
            result: *ty,
            limb: *limb,
            inputs: used.iter().map(input).collect(),
            phases,
            plan,
            unless: None,
            target: *target,
        };
        let sources = used.into_iter().map(Source::Input).collect();
        Ok(Some((spec, sources)))
    }

    /// The plan with the mapping that is asked for.
    fn mapped(&self, plan: TensorPlan, phases: &Phases, limits: &Limits) -> Result<TensorPlan, SpecError> {
        let words = self.spec.limb.instance_words(self.spec.ty);
        match self.mapping {
            Some(ProductMapping::Tiles { tiles_per_pass, warps_per_instance, warps }) => {
                plan.mapped(words, phases, [tiles_per_pass, warps_per_instance, warps], limits)
            }
            _ => Ok(plan),
        }
    }

    /// The kernels of all products, each after those that compute its operands. A product that is the result
    /// goes where the result goes.
    fn single_products(&mut self, limits: &Limits) -> Result<(), SpecError> {
        let nodes = self.spec.dag.nodes();
        for (node, operation) in nodes.iter().enumerate() {
            if !is_product(&operation.op) {
                continue;
            }
            let mut operands: Vec<usize> = operation.args.iter().map(|arg| arg.index()).collect();
            operands.dedup();
            let mut values = vec![];
            for &operand in &operands {
                values.push(self.instances(operand)?);
            }
            self.tensor_product(node, values, limits)?;
        }
        Ok(())
    }

    /// A low product leaves integers, and so does a high one where its kernel can
    /// ([`MulTensorSpec::can_be_high`]), others all digits of the unsigned product.
    fn tensor_product(&mut self, node: usize, values: Vec<Value>, limits: &Limits) -> Result<(), SpecError> {
        let (ty, limb, target) = (self.spec.ty, self.spec.limb, self.spec.target);
        let op = self.op(node);
        let form = ProductForm::of(op);
        let plan = TensorPlan::new(limb.instance_words(ty), form, limits)?;
        let is_whole =
            form == ProductForm::Low || *op == Op::MulHigh && MulTensorSpec::can_be_high(ty, &plan);
        let result = if is_whole { ty } else { double(ty)? };
        let (sources, inputs) = values.into_iter().map(|value| (value.source, value.input)).unzip();
        let inputs: Vec<InputSpec> = inputs;
        let phases = Phases::product(inputs.len());
        let plan = self.mapped(plan, &phases, limits)?;
        let spec = MulTensorSpec { ty, result, limb, inputs, phases, plan, unless: None, target };
        let is_last = node == self.spec.dag.nodes().len() - 1 && self.spec.output == Layout::InstanceMajor;
        // The digits are those of unsigned operands, and a high product's are still to be moved.
        if is_last && (is_whole || !ty.is_signed() && *op != Op::MulHigh) {
            self.program.push(spec, sources, Sink::Result);
            self.has_result = true;
            return Ok(());
        }
        let words = limb.instance_words(result);
        let source = self.launch(spec, sources, words.into());
        let mut input = InputSpec::integers(&format!("%{node}"), Layout::InstanceMajor, false);
        if !is_whole {
            input.form = InputForm::Narrow { words };
        }
        self.values.insert(node, Value { source, input });
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
        if value.input.broadcast {
            // One instance lies the same in both layouts.
            let input = InputSpec { layout: Layout::InstanceMajor, ..value.input };
            return Ok(Value { input, ..value });
        }
        let (ty, words) = (self.spec.ty, self.spec.limb.instance_words(self.spec.ty));
        let (sink, source) = self.sink(words.into());
        let copy = Expr::input(&value.input.name);
        self.expression(&copy, ty, ty, Layout::InstanceMajor, sink);
        let input = InputSpec { layout: Layout::InstanceMajor, ..value.input };
        let value = Value { source, input };
        self.values.insert(node, value.clone());
        Ok(value)
    }
}
