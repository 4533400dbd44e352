//! From an expression to its kernels.

mod divisions;
mod expressions;
mod long;
mod transforms;

pub(super) use expressions::double;

use std::collections::HashMap;

use limbforge_algos::expr::Op;
use limbforge_limb::Layout;

use super::products::{Products, is_product};
use super::{Product, ProductMapping, Program, ProgramKernel, ProgramSpec, Sink, Source, memory};
use crate::newton::DivNewton;
use crate::ntt::{NttInput, ProductForm, ProductPlan};
use crate::spec::{InputForm, InputSpec, Limits, SkipMask, SpecError};

/// A value that is on the device: where it is, and the operand as which kernels read it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) source: Source,
    pub(super) input: InputSpec,
}

/// A program of an expression that is being made.
pub(super) struct Builder<'s> {
    pub(super) spec: &'s ProgramSpec,
    pub(super) limits: &'s Limits,
    pub(super) newton: DivNewton,
    /// In place of the planned one.
    pub(super) mapping: Option<ProductMapping>,
    products: Products<'s>,
    /// Whether products go through transforms.
    transforms: bool,
    /// Whether powers modulo numbers are computed in residue number systems.
    pub(super) has_rns_powers: bool,
    /// Whether those modulo one number for all instances are computed by folds.
    pub(super) has_folds: bool,
    /// What kernels in residue number systems may take.
    pub(super) rns_limits: Limits,
    /// As far as it is made; it does not share buffers yet.
    pub(super) program: Program,
    /// For each result, whether a launch computes it.
    pub(super) done: Vec<bool>,
    /// For each node, the results that are computed from it, as bits.
    needed_by: Vec<u32>,
    /// For each node, whether another one is computed from it.
    is_operand: Vec<bool>,
    /// Whether the next launches compute values that are the same for all instances.
    pub(super) is_uniform: bool,
    /// The instances that the next launches may skip, and their flags.
    pub(super) skip: Option<(SkipMask, Source)>,
    /// Transforms of numbers that are the same for all instances: plan, number, transform.
    pub(super) shared_spectra: Vec<(ProductPlan, Source, Source)>,
    pub(super) values: HashMap<usize, Value>,
    /// The transformed part of a sum, by the number of the sum.
    spectra: HashMap<usize, (NttInput, Source)>,
}

/// The program with this product and mapping in place of the specification's and the planned one.
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
    let results = spec.dag.result_types(spec.ty)?;
    if results.len() > Program::MOST_RESULTS {
        return Err(SpecError::TooManyResults { found: results.len(), limit: Program::MOST_RESULTS });
    }
    let mut builder = Builder { mapping, ..Builder::new(spec, product, limits, newton) };
    if builder.transforms {
        for batch in builder.products.batches() {
            builder.batch(&batch)?;
        }
    }
    if product == Product::Tensor {
        builder.tensor_products()?;
    }
    builder.results(&results)?;
    let mut program = builder.program;
    program.buffers = memory::share(&mut program.launches, &program.buffers);
    program.result_words = results.into_iter().map(|ty| spec.limb.instance_words(ty).into()).collect();
    program.chunk = memory::chunk_of_expression(&program, spec);
    Ok(program)
}

impl<'s> Builder<'s> {
    fn new(spec: &'s ProgramSpec, product: Product, limits: &'s Limits, newton: DivNewton) -> Self {
        let words = spec.limb.instance_words(spec.ty);
        let shares = ProductPlan::new(words, ProductForm::Low, 1).is_ok_and(|plan| plan.holds_pairs());
        let of_input = |input: &InputSpec| if input.broadcast { 0 } else { words.into() };
        let mut values = HashMap::new();
        for (node, op) in spec.dag.nodes().iter().map(|node| &node.op).enumerate() {
            if let Op::Input(name) = op
                && let Some(i) = spec.inputs.iter().position(|input| *input.name == **name)
            {
                values.insert(node, Value { source: Source::Input(i), input: spec.inputs[i].clone() });
            }
        }
        let nodes = spec.dag.nodes();
        let (mut needed_by, mut is_operand) = (vec![0; nodes.len()], vec![false; nodes.len()]);
        for (root, &node) in spec.dag.roots().iter().enumerate() {
            let needed = spec.dag.needed_for(node);
            needed_by.iter_mut().zip(needed).for_each(|(by, needed)| *by |= u32::from(needed) << root);
        }
        nodes.iter().flat_map(|node| &node.args).for_each(|arg| is_operand[arg.index()] = true);
        Self {
            spec,
            limits,
            newton,
            mapping: None,
            products: Products::new(&spec.dag, shares),
            transforms: product == Product::Ntt && spec.dag.nodes().iter().any(|node| is_product(&node.op)),
            has_rns_powers: product.is_rns(),
            has_folds: product == Product::Fold,
            rns_limits: Limits { warpgroups: limits.warpgroups && product == Product::Rns, ..*limits },
            program: Program::empty(spec.inputs.iter().map(of_input).collect()),
            done: vec![false; spec.dag.roots().len()],
            needed_by,
            is_operand,
            is_uniform: false,
            skip: None,
            shared_spectra: vec![],
            values,
            spectra: HashMap::new(),
        }
    }

    /// For launches whose operands are those of the specification.
    pub(super) fn of_operands(spec: &'s ProgramSpec, limits: &'s Limits) -> Self {
        Self::new(spec, spec.product, limits, DivNewton::default())
    }

    pub(super) fn op(&self, node: usize) -> &'s Op {
        &self.spec.dag.nodes()[node].op
    }

    /// The results that no launch computes yet.
    pub(super) fn left(&self) -> impl Iterator<Item = usize> + use<'s> {
        let left: Vec<usize> = (0..self.done.len()).filter(|&root| !self.done[root]).collect();
        left.into_iter()
    }

    /// The result that a node is if no other node is computed from it.
    pub(super) fn last(&self, node: usize) -> Option<usize> {
        let root = self.spec.dag.roots().iter().position(|root| root.index() == node);
        root.filter(|_| !self.is_operand[node])
    }

    /// For each of these nodes the results that an instance lacks where it fails; none in a program of one
    /// result.
    pub(super) fn fails(&self, nodes: &[usize]) -> Vec<u32> {
        if self.done.len() == 1 { vec![] } else { nodes.iter().map(|&node| self.needed_by[node]).collect() }
    }

    /// Makes what a launch has left the value of a node.
    pub(super) fn keep(&mut self, node: usize, source: Source, name: &str, form: InputForm) {
        let input = InputSpec { form, ..InputSpec::integers(name, Layout::InstanceMajor, self.is_uniform) };
        self.values.insert(node, Value { source, input });
    }

    /// The instances that the next launches may skip.
    pub(super) fn mask(&self) -> Option<SkipMask> {
        self.skip.map(|skip| skip.0)
    }

    /// The buffer of so many words per instance that the next launch writes, and the source that reads it.
    pub(super) fn sink(&mut self, words: u64) -> (Sink, Source) {
        let Program { buffers, uniforms, .. } = &mut self.program;
        if self.is_uniform {
            uniforms.push(words);
            let buffer = uniforms.len() - 1;
            return (Sink::Uniform(buffer), Source::Uniform { buffer, first: 0, words });
        }
        buffers.push(words);
        (Sink::Buffer(buffers.len() - 1), Source::Buffer(buffers.len() - 1))
    }

    /// Adds a launch that writes so many words per instance; returns the source that reads them.
    pub(super) fn launch(
        &mut self,
        kernel: impl Into<ProgramKernel>,
        inputs: Vec<Source>,
        words: u64,
    ) -> Source {
        let (output, source) = self.sink(words);
        self.program.push(kernel, inputs, vec![output]);
        source
    }

    /// With launches that compute values that are the same for all instances, of which they skip none.
    pub(super) fn uniform<T>(&mut self, launches: impl FnOnce(&mut Self) -> T) -> T {
        let before = (core::mem::replace(&mut self.is_uniform, true), self.skip.take());
        let left = launches(self);
        (self.is_uniform, self.skip) = before;
        left
    }
}

/// The error for a broken invariant of this crate.
pub(crate) fn internal(what: &str) -> SpecError {
    SpecError::Internal { what: what.to_owned() }
}
