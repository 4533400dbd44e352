//! From an expression to its kernels.

mod expressions;

pub(super) use expressions::double;

use std::collections::HashMap;

use limbforge_algos::expr::Op;
use limbforge_limb::Layout;

use super::products::{Batch, Products, is_product};
use super::{
    LaunchKernel, Product, ProductMapping, Program, ProgramSpec, Sink, Source, Table, buffers, chunk,
};
use crate::error::SpecError;
use crate::invariant::broken_invariant;
use crate::newton::DivNewton;
use crate::ntt::{
    Addend, Destination, Factor, Form, MulNttSpec, NttInput, NttStep, Pointwise, ProductPlan, Residues,
};
use crate::resources::Limits;
use crate::spec::{InputForm, InputSpec};

/// A value that is on the device: where, and as what a kernel reads it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) source: Source,
    pub(super) input: InputSpec,
}

pub(super) struct Builder<'s> {
    pub(super) spec: &'s ProgramSpec,
    pub(super) limits: &'s Limits,
    pub(super) newton: DivNewton,
    /// In place of what is planned.
    pub(super) mapping: Option<ProductMapping>,
    products: Products<'s>,
    terms: u32,
    /// Whether products go through transforms.
    transforms: bool,
    /// As far as it is made; it does not share buffers yet.
    pub(super) program: Program,
    /// Whether a launch computes the result.
    pub(super) has_result: bool,
    /// Whether the next launches compute what is the same for all instances.
    pub(super) is_uniform: bool,
    /// Transforms of what is the same for all instances: plan, what is transformed, and where they are.
    pub(super) shared_spectra: Vec<(ProductPlan, Source, Source)>,
    pub(super) values: HashMap<usize, Value>,
    /// The transformed part of a sum, by the number of the sum.
    spectra: HashMap<usize, (Source, NttInput)>,
}

/// With this product in place of the specification's, and this mapping in place of the planned one.
pub(crate) fn build_with(
    spec: &ProgramSpec,
    limits: &Limits,
    product: Product,
    mapping: Option<ProductMapping>,
    newton: DivNewton,
) -> Result<Program, SpecError> {
    for name in spec.dag.inputs() {
        let found = spec.inputs.iter().filter(|input| input.name == name).count();
        if found != 1 {
            return Err(SpecError::Input { name: name.to_owned(), found });
        }
    }
    let result = spec.dag.result_type(spec.ty)?;
    let mut builder = Builder { mapping, ..Builder::new(spec, product, limits, newton) };
    if builder.transforms {
        for batch in builder.products.batches() {
            builder.batch(&batch)?;
        }
    }
    if product == Product::Tensor {
        builder.tensor_products(limits)?;
    }
    if !builder.has_result {
        builder.result(result)?;
    }
    let mut program = builder.program;
    program.buffers = buffers::share(&mut program.launches, &program.buffers);
    program.result_words = spec.limb.instance_words(result).into();
    program.chunk = chunk::of_expression(&program, spec);
    Ok(program)
}

impl<'s> Builder<'s> {
    fn new(spec: &'s ProgramSpec, product: Product, limits: &'s Limits, newton: DivNewton) -> Self {
        let words = spec.limb.instance_words(spec.ty);
        let shares = ProductPlan::new(words, Form::Low, 1).is_ok_and(|plan| plan.holds_pairs());
        let products = Products::new(&spec.dag, shares);
        let terms = products.most_terms() as u32;
        let of_input = |input: &InputSpec| if input.broadcast { 0 } else { words.into() };
        let mut values = HashMap::new();
        for (node, op) in spec.dag.nodes().iter().map(|node| &node.op).enumerate() {
            if let Op::Input(name) = op
                && let Some(i) = spec.inputs.iter().position(|input| *input.name == **name)
            {
                values.insert(node, Value { source: Source::Input(i), input: spec.inputs[i].clone() });
            }
        }
        Self {
            spec,
            limits,
            newton,
            mapping: None,
            products,
            terms,
            transforms: product == Product::Ntt && spec.dag.nodes().iter().any(|node| is_product(&node.op)),
            program: Program::empty(spec.inputs.iter().map(of_input).collect()),
            has_result: false,
            is_uniform: false,
            shared_spectra: vec![],
            values,
            spectra: HashMap::new(),
        }
    }

    pub(super) fn op(&self, node: usize) -> &'s Op {
        &self.spec.dag.nodes()[node].op
    }

    pub(super) fn buffer(&mut self, words: u64) -> usize {
        self.program.buffers.push(words);
        self.program.buffers.len() - 1
    }

    /// Where the next launch leaves so many words per instance, and where they are read.
    pub(super) fn sink(&mut self, words: u64) -> (Sink, Source) {
        if self.is_uniform {
            self.program.uniforms.push(words);
            let buffer = self.program.uniforms.len() - 1;
            return (Sink::Uniform(buffer), Source::Uniform { buffer, first: 0, words });
        }
        let buffer = self.buffer(words);
        (Sink::Buffer(buffer), Source::Buffer(buffer))
    }

    /// With launches that compute what is the same for all instances.
    pub(super) fn uniform<T>(&mut self, launches: impl FnOnce(&mut Self) -> T) -> T {
        let before = core::mem::replace(&mut self.is_uniform, true);
        let left = launches(self);
        self.is_uniform = before;
        left
    }

    /// A kernel of transforms, after those that compute its operands.
    fn batch(&mut self, batch: &Batch) -> Result<(), SpecError> {
        let form = Form::of(self.op(batch.residues[0]));
        let words = self.spec.limb.instance_words(self.spec.ty);
        let mut plan = ProductPlan::new(words, form, self.terms)?;
        if let Some(ProductMapping::Points { threads, instances }) = self.mapping {
            plan = plan.with_threads(words, threads, instances)?;
        }
        let plan = plan.for_results(batch.results());
        let mut nodes: Vec<usize> = batch.pairs.iter().flat_map(|pair| pair.operands.clone()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for &node in &nodes {
            self.integers(node)?;
        }
        let values: Vec<Value> = nodes.iter().map(|node| self.values[node].clone()).collect();
        let mut inputs: Vec<NttInput> =
            values.iter().map(|value| NttInput::Integers(value.input.clone())).collect();
        let mut sources: Vec<Source> = values.iter().map(|value| value.source).collect();
        let mut spectrum = None;
        if batch.takes_spectrum {
            let left = batch.sum.and_then(|sum| self.spectra.get(&sum));
            let (source, input) =
                left.ok_or_else(|| internal("an earlier kernel has left a part of the sum"))?;
            spectrum = Some(inputs.len());
            inputs.push(input.clone());
            sources.push(*source);
        }
        let mut steps = self.steps(batch, &nodes, spectrum);
        if !plan.holds_pairs() {
            self.transform_second(&plan, &mut inputs, &mut sources, &mut steps);
        }
        let (limb, target) = (self.spec.limb, self.spec.target);
        let spec = MulNttSpec { words, limb, inputs, steps, plan, unless: None, target };
        sources.push(self.table(&spec.plan));
        let buffer = self.buffer(spec.out_words());
        self.results(batch, &spec, buffer);
        let kernel = LaunchKernel::MulNtt(Box::new(spec));
        self.program.push(kernel, sources, Sink::Buffer(buffer));
        Ok(())
    }

    /// What the kernel does with each pair: products of the sum are added up, the last pair's other products come out.
    fn steps(&self, batch: &Batch, nodes: &[usize], spectrum: Option<usize>) -> Vec<NttStep> {
        let input = |node: &usize| place(nodes, *node);
        let last = batch.pairs.len() - 1;
        let steps = batch.pairs.iter().enumerate().map(|(i, pair)| {
            let mut results = vec![];
            if pair.is_term {
                let mut addends = vec![];
                if i > 0 {
                    addends.push(Addend::Sum);
                }
                if i == last {
                    addends.extend(spectrum.map(Addend::Spectrum));
                }
                let to = match (i == last, batch.ends_sum) {
                    (false, _) => Destination::Sum,
                    (true, true) => Destination::Residues,
                    (true, false) => Destination::Spectrum,
                };
                let right = Factor::Operand(pair.operands.len() - 1);
                results.push(Pointwise { left: 0, right, addends, to });
            }
            if i == last && !batch.ends_sum {
                for &product in &batch.residues {
                    let args = &self.spec.dag.nodes()[product].args;
                    let operand = |arg: usize| place(&pair.operands, arg);
                    let left = operand(args[0].index());
                    let right = args.last().map_or(left, |arg| operand(arg.index()));
                    let (right, addends, to) = (Factor::Operand(right), vec![], Destination::Residues);
                    results.push(Pointwise { left, right, addends, to });
                }
            }
            NttStep { operands: pair.operands.iter().map(input).collect(), results }
        });
        steps.collect()
    }

    /// Where shared memory holds one operand only, the second one is transformed by a kernel of its own.
    fn transform_second(
        &mut self,
        plan: &ProductPlan,
        inputs: &mut Vec<NttInput>,
        sources: &mut Vec<Source>,
        steps: &mut [NttStep],
    ) {
        let Some(step) = steps.iter_mut().find(|step| step.operands.len() > 1) else { return };
        let second = step.operands.remove(1);
        let spectrum = Pointwise { left: 0, right: Factor::One, addends: vec![], to: Destination::Spectrum };
        let (limb, target) = (self.spec.limb, self.spec.target);
        let spec = MulNttSpec {
            words: limb.instance_words(self.spec.ty),
            limb,
            inputs: vec![inputs[second].clone()],
            steps: vec![NttStep { operands: vec![0], results: vec![spectrum] }],
            plan: plan.clone(),
            unless: None,
            target,
        };
        let buffer = self.buffer(spec.out_words());
        let read = vec![sources[second], self.table(plan)];
        let kernel = LaunchKernel::MulNtt(Box::new(spec));
        self.program.push(kernel, read, Sink::Buffer(buffer));
        for product in &mut step.results {
            product.right = Factor::Spectrum(inputs.len());
        }
        inputs.push(NttInput::Spectrum { broadcast: false, first: 0 });
        sources.push(Source::Buffer(buffer));
    }

    /// The values that a kernel of transforms leaves.
    fn results(&mut self, batch: &Batch, spec: &MulNttSpec, buffer: usize) {
        let (primes, digits) = (spec.plan.primes.clone(), spec.plan.out_digits);
        for (index, &node) in batch.residues.iter().enumerate() {
            let residues = Residues { primes: primes.clone(), digits, index: index as u32 };
            let input = InputSpec {
                name: format!("%{node}"),
                layout: Layout::InstanceMajor,
                broadcast: false,
                form: InputForm::Residues(residues),
            };
            self.values.insert(node, Value { source: Source::Buffer(buffer), input });
        }
        if let Some(sum) = batch.sum.filter(|_| !batch.ends_sum) {
            let input = NttInput::Spectrum { broadcast: false, first: spec.residue_words() };
            self.spectra.insert(sum, (Source::Buffer(buffer), input));
        }
    }

    /// The factors of a plan's transforms.
    pub(super) fn table(&mut self, plan: &ProductPlan) -> Source {
        let key = (plan.radices, plan.rows, &plan.primes);
        let same = |table: &Table| matches!(table, Table::Product(other) if (other.radices, other.rows, &other.primes) == key);
        let known = self.program.tables.iter().position(same);
        known.map_or_else(|| self.program.add_table(Table::Product(Box::new(plan.clone()))), Source::Table)
    }
}

/// Where a node is among some of which it must be one: another factor would be multiplied.
fn place(nodes: &[usize], node: usize) -> usize {
    let place = nodes.iter().position(|&other| other == node);
    place.unwrap_or_else(|| broken_invariant("a product's factors are operands of its kernel"))
}

/// The error for a broken invariant of this crate.
pub(super) fn internal(what: &str) -> SpecError {
    SpecError::Internal { what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "a product's factors are operands of its kernel")]
    fn a_factor_that_is_no_operand_is_no_other_one() {
        assert_eq!(place(&[3, 5], 5), 1);
        place(&[3, 5], 4);
    }
}
