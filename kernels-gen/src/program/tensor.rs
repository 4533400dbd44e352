//! Products on tensor cores: each low product of an expression is a kernel of its own.

use limbforge_algos::expr::Expr;
use limbforge_limb::Layout;

use super::build::{Builder, Value};
use super::choice::is_low;
use super::{Launch, LaunchKernel, Sink, Source};
use crate::error::SpecError;
use crate::resources::Limits;
use crate::spec::InputSpec;
use crate::tensor::{MulTensorSpec, TensorPlan};

impl Builder<'_> {
    /// The kernels of all low products, each after those that compute its operands. A product that is the result goes
    /// where the result goes.
    pub(super) fn tensor_products(&mut self, limits: &Limits) -> Result<(), SpecError> {
        let nodes = self.spec.dag.nodes();
        for (node, operation) in nodes.iter().enumerate() {
            if !is_low(&operation.op) {
                continue;
            }
            let mut operands: Vec<usize> = operation.args.iter().map(|arg| arg.index()).collect();
            operands.dedup();
            let mut values = vec![];
            for &operand in &operands {
                values.push(self.instances(operand)?);
            }
            let is_result = node == nodes.len() - 1 && self.spec.output == Layout::InstanceMajor;
            self.tensor_product(node, values, is_result, limits)?;
        }
        Ok(())
    }

    fn tensor_product(
        &mut self,
        node: usize,
        values: Vec<Value>,
        is_result: bool,
        limits: &Limits,
    ) -> Result<(), SpecError> {
        let (ty, limb, target) = (self.spec.ty, self.spec.limb, self.spec.target);
        let words = limb.instance_words(ty);
        let plan = TensorPlan::new(words, limits)?;
        let (sources, inputs) = values.into_iter().map(|value| (value.source, value.input)).unzip();
        let kernel = LaunchKernel::MulTensor(Box::new(MulTensorSpec { ty, limb, inputs, plan, target }));
        if is_result {
            self.launches.push(Launch { kernel, inputs: sources, output: Sink::Result });
            self.has_result = true;
            return Ok(());
        }
        let buffer = self.buffer(words.into());
        self.launches.push(Launch { kernel, inputs: sources, output: Sink::Buffer(buffer) });
        let input = InputSpec::integers(&format!("%{node}"), Layout::InstanceMajor, false);
        self.values.insert(node, Value { source: Source::Buffer(buffer), input });
        Ok(())
    }

    /// A node's value as integers whose limbs are neighbours.
    fn instances(&mut self, node: usize) -> Result<Value, SpecError> {
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
        let buffer = self.buffer(words.into());
        let copy = Expr::input(&value.input.name);
        self.expression(&copy, ty, ty, Layout::InstanceMajor, Sink::Buffer(buffer));
        let input = InputSpec { layout: Layout::InstanceMajor, ..value.input };
        let value = Value { source: Source::Buffer(buffer), input };
        self.values.insert(node, value.clone());
        Ok(value)
    }
}
