//! From an expression to its kernels.

use std::collections::HashMap;

use limbforge_algos::expr::{Dag, Expr, Op};
use limbforge_limb::{IntType, Layout};

use super::products::{Batch, Products, is_product};
use super::{Launch, LaunchKernel, Product, Program, ProgramSpec, Sink, Source, buffers, choice};
use crate::error::SpecError;
use crate::mapping::Mapping;
use crate::ntt::{
    Addend, Destination, Factor, Form, MulNttSpec, NttInput, NttStep, Pointwise, ProductPlan, Residues,
};
use crate::resources::Limits;
use crate::spec::{InputForm, InputSpec, KernelSpec};

/// A value that is on the device: where, and as what a kernel reads it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) source: Source,
    pub(super) input: InputSpec,
}

pub(super) struct Builder<'s> {
    pub(super) spec: &'s ProgramSpec,
    products: Products<'s>,
    terms: u32,
    /// Whether products go through transforms.
    transforms: bool,
    pub(super) launches: Vec<Launch>,
    /// Whether one of them computes the result.
    pub(super) has_result: bool,
    /// Words per instance of the buffers.
    buffers: Vec<u64>,
    tables: Vec<ProductPlan>,
    pub(super) values: HashMap<usize, Value>,
    /// The transformed part of a sum, by the number of the sum.
    spectra: HashMap<usize, (Source, NttInput)>,
}

pub(super) fn build(spec: &ProgramSpec, limits: &Limits) -> Result<Program, SpecError> {
    for name in spec.dag.inputs() {
        let found = spec.inputs.iter().filter(|input| input.name == name).count();
        if found != 1 {
            return Err(SpecError::Input { name: name.to_owned(), found });
        }
    }
    let result = spec.dag.result_type(spec.ty)?;
    let product = match spec.product {
        Product::Auto => {
            choice::choose(spec, limits, || build_with(spec, limits, Product::Tensor, result).ok())
        }
        product => product,
    };
    build_with(spec, limits, product, result)
}

fn build_with(
    spec: &ProgramSpec,
    limits: &Limits,
    product: Product,
    result: IntType,
) -> Result<Program, SpecError> {
    let mut builder = Builder::new(spec, product);
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
    let words = u64::from(spec.limb.instance_words(spec.ty));
    let input_words = spec.inputs.iter().map(|input| if input.broadcast { 0 } else { words }).collect();
    let Builder { mut launches, buffers, tables, .. } = builder;
    let buffers = buffers::share(&mut launches, &buffers);
    let result_words = spec.limb.instance_words(result).into();
    let chunk = chunk(spec, buffers.iter().sum());
    Ok(Program { launches, buffers, tables, chunk, input_words, result_words })
}

/// Words of the buffers between kernels of a chunk: many times what a GPU computes at once, so that the last blocks of a
/// kernel, beside which others wait, do not count; few beside the memory of a GPU.
const CHUNK_WORDS: u64 = (512 << 20) / 4;

/// See [`Program::chunk`].
fn chunk(spec: &ProgramSpec, buffer_words: u64) -> u64 {
    let layouts = spec.inputs.iter().map(|input| input.layout).chain([spec.output]);
    if buffer_words == 0 || layouts.into_iter().any(|layout| layout == Layout::Interleaved) {
        return u64::MAX;
    }
    // Four instances of any number of words are whole vectors of 16 bytes, which kernels write.
    (CHUNK_WORDS / buffer_words / 4 * 4).max(4)
}

impl<'s> Builder<'s> {
    fn new(spec: &'s ProgramSpec, product: Product) -> Self {
        let words = spec.limb.instance_words(spec.ty);
        let shares = ProductPlan::new(words, Form::Low, 1).is_ok_and(|plan| plan.holds_pairs());
        let products = Products::new(&spec.dag, shares);
        let terms = products.most_terms() as u32;
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
            products,
            terms,
            transforms: product == Product::Ntt && spec.dag.nodes().iter().any(|node| is_product(&node.op)),
            launches: vec![],
            has_result: false,
            buffers: vec![],
            tables: vec![],
            values,
            spectra: HashMap::new(),
        }
    }

    fn op(&self, node: usize) -> &'s Op {
        &self.spec.dag.nodes()[node].op
    }

    pub(super) fn buffer(&mut self, words: u64) -> usize {
        self.buffers.push(words);
        self.buffers.len() - 1
    }

    /// A kernel of transforms, after those that compute its operands.
    fn batch(&mut self, batch: &Batch) -> Result<(), SpecError> {
        let form = Form::of(self.op(batch.residues[0]));
        let words = self.spec.limb.instance_words(self.spec.ty);
        let plan = ProductPlan::new(words, form, self.terms)?.for_results(batch.results());
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
        let left = batch.sum.filter(|_| batch.takes_spectrum).and_then(|sum| self.spectra.get(&sum));
        if let Some((source, input)) = left {
            spectrum = Some(inputs.len());
            inputs.push(input.clone());
            sources.push(*source);
        }
        let mut steps = self.steps(batch, &nodes, spectrum);
        if !plan.holds_pairs() {
            self.transform_second(&plan, &mut inputs, &mut sources, &mut steps);
        }
        let (limb, target) = (self.spec.limb, self.spec.target);
        let spec = MulNttSpec { words, limb, inputs, steps, plan, target };
        sources.push(Source::Table(self.table(&spec.plan)));
        let buffer = self.buffer(spec.out_words());
        self.results(batch, &spec, buffer);
        let kernel = LaunchKernel::MulNtt(Box::new(spec));
        self.launches.push(Launch { kernel, inputs: sources, output: Sink::Buffer(buffer) });
        Ok(())
    }

    /// What the kernel does with each pair: products of the sum are added up, the last pair's other products come out.
    fn steps(&self, batch: &Batch, nodes: &[usize], spectrum: Option<usize>) -> Vec<NttStep> {
        let input = |node: &usize| nodes.iter().position(|other| other == node).unwrap_or(0);
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
                    let operand =
                        |arg: usize| pair.operands.iter().position(|&node| node == arg).unwrap_or(0);
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
            target,
        };
        let buffer = self.buffer(spec.out_words());
        let read = vec![sources[second], Source::Table(self.table(plan))];
        let kernel = LaunchKernel::MulNtt(Box::new(spec));
        self.launches.push(Launch { kernel, inputs: read, output: Sink::Buffer(buffer) });
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

    fn table(&mut self, plan: &ProductPlan) -> usize {
        let same = |table: &ProductPlan| (table.radices, &table.primes) == (plan.radices, &plan.primes);
        self.tables.iter().position(same).unwrap_or_else(|| {
            self.tables.push(plan.clone());
            self.tables.len() - 1
        })
    }

    /// Makes a node's value integers in memory, if it is not.
    pub(super) fn integers(&mut self, node: usize) -> Result<(), SpecError> {
        if let Some(value) = self.values.get(&node)
            && matches!(value.input.form, InputForm::Integers)
        {
            return Ok(());
        }
        let expr = self.expr(node)?;
        let ty = self.spec.ty;
        let buffer = self.buffer(self.spec.limb.instance_words(ty).into());
        self.expression(&expr, ty, ty, Layout::InstanceMajor, Sink::Buffer(buffer));
        let name = format!("%{node}");
        let input = InputSpec::integers(&name, Layout::InstanceMajor, false);
        self.values.insert(node, Value { source: Source::Buffer(buffer), input });
        Ok(())
    }

    fn result(&mut self, result: IntType) -> Result<(), SpecError> {
        let last = self.spec.dag.nodes().len() - 1;
        let output = self.spec.output;
        if self.spec.dag.is_wide() && self.values.contains_key(&last) {
            let expr = self.wide(last);
            let double = double(self.spec.ty)?;
            self.expression(&expr, double, double, output, Sink::Result);
        } else {
            let expr = self.expr(last)?;
            self.expression(&expr, self.spec.ty, result, output, Sink::Result);
        }
        Ok(())
    }

    /// A kernel that computes `expr` in type `ty` and stores it as `result`.
    pub(super) fn expression(
        &mut self,
        expr: &Expr,
        ty: IntType,
        result: IntType,
        output: Layout,
        sink: Sink,
    ) {
        let dag = expr.to_dag();
        let mut inputs = vec![];
        let mut sources = vec![];
        for name in dag.inputs() {
            if let Some(value) = self.values.values().find(|value| value.input.name == name) {
                let mut input = value.input.clone();
                if ty != self.spec.ty && input.form == InputForm::Integers {
                    input.form = InputForm::Narrow { words: self.spec.limb.instance_words(self.spec.ty) };
                }
                inputs.push(input);
                sources.push(value.source);
            }
        }
        let (limb, target) = (self.spec.limb, self.spec.target);
        let mapping = Mapping::plan_inputs(&dag, ty, limb, &inputs, output);
        let spec = KernelSpec { dag, ty, result, limb, inputs, output, mapping, target };
        let kernel = LaunchKernel::Expression(Box::new(spec));
        self.launches.push(Launch { kernel, inputs: sources, output: sink });
    }

    /// A node's value in terms of the values that are on the device.
    fn expr(&mut self, node: usize) -> Result<Expr, SpecError> {
        let dag: &Dag = &self.spec.dag;
        let needed = self.needed(node);
        for (i, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
            if *self.op(i) == Op::MulHigh {
                self.high(i)?;
            }
        }
        let mut exprs: Vec<Option<Expr>> = vec![];
        for (i, dag_node) in dag.nodes()[..=node].iter().enumerate() {
            let expr = if !needed[i] || (self.transforms && self.products.is_absorbed(i)) {
                None
            } else if let Some(value) = self.values.get(&i) {
                Some(Expr::input(&value.input.name))
            } else {
                let args: Vec<Expr> =
                    dag_node.args.iter().filter_map(|arg| exprs[arg.index()].clone()).collect();
                // A sum without its absorbed products is what is left of it.
                match args.len() {
                    len if len == dag_node.args.len() => Some(Expr::operation(dag_node.op.clone(), args)),
                    _ => args.into_iter().next(),
                }
            };
            exprs.push(expr);
        }
        Ok(exprs.pop().flatten().unwrap_or_else(|| Expr::literal(0u32)))
    }

    /// The nodes that a node's value is computed from, down to those that are on the device.
    fn needed(&self, node: usize) -> Vec<bool> {
        let mut needed = vec![false; node + 1];
        needed[node] = true;
        for i in (0..=node).rev() {
            if needed[i] && !self.values.contains_key(&i) {
                for arg in &self.spec.dag.nodes()[i].args {
                    needed[arg.index()] = true;
                }
            }
        }
        needed
    }

    /// Turns a product's residues into its high half.
    fn high(&mut self, node: usize) -> Result<(), SpecError> {
        let is_residues = |value: &Value| matches!(value.input.form, InputForm::Residues(_));
        if !self.values.get(&node).is_some_and(is_residues) {
            return Ok(());
        }
        let ty = self.spec.ty;
        let expr = self.wide(node) >> ty.bits();
        let buffer = self.buffer(self.spec.limb.instance_words(ty).into());
        self.expression(&expr, double(ty)?, ty, Layout::InstanceMajor, Sink::Buffer(buffer));
        let name = format!("%{node}");
        let input = InputSpec::integers(&name, Layout::InstanceMajor, false);
        self.values.insert(node, Value { source: Source::Buffer(buffer), input });
        Ok(())
    }

    /// The exact product of two operands in the type of twice the bits, from its residues.
    ///
    /// Of signed operands a = A - 2^N [a < 0], with A in [0, 2^N): a b = A B - 2^N ([a < 0] B + [b < 0] A) mod 2^2N. The
    /// sum in brackets matters mod 2^N and is computed first.
    fn wide(&mut self, node: usize) -> Expr {
        let ty = self.spec.ty;
        let product = Expr::input(&self.values[&node].input.name);
        if !ty.is_signed() {
            return product;
        }
        let args = &self.spec.dag.nodes()[node].args;
        let [x, y] =
            [args[0], args[args.len() - 1]].map(|arg| Expr::input(&self.values[&arg.index()].input.name));
        let zero = Expr::literal(0u32);
        let correction = x.cmp_lt(&zero).select(&y, &zero) + y.cmp_lt(&zero).select(&x, &zero);
        let buffer = self.buffer(self.spec.limb.instance_words(ty).into());
        self.expression(&correction, ty, ty, Layout::InstanceMajor, Sink::Buffer(buffer));
        let name = format!("%{node}s");
        let input = InputSpec::integers(&name, Layout::InstanceMajor, false);
        // No node has this number.
        let key = self.spec.dag.nodes().len() + node;
        self.values.insert(key, Value { source: Source::Buffer(buffer), input });
        product - (Expr::input(&name) << ty.bits())
    }
}

/// The unsigned type of twice the bits, in which a wide product is put together.
fn double(ty: IntType) -> Result<IntType, SpecError> {
    let dag = Expr::input("a").sqr_wide().to_dag();
    Ok(dag.result_type(IntType::unsigned(ty.bits().into()).unwrap_or(ty))?)
}
