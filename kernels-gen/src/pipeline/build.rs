//! From an expression to its kernels.

mod expressions;
mod transforms;

pub(super) use expressions::double;

use std::collections::HashMap;

use limbforge_algos::expr::Op;

use super::products::{Products, is_product};
use super::{Product, ProductMapping, Program, ProgramKernel, ProgramSpec, Sink, Source, buffers, chunk};
use crate::newton::DivNewton;
use crate::ntt::{NttInput, ProductForm, ProductPlan};
use crate::spec::{InputSpec, Limits, SpecError};

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
        let shares = ProductPlan::new(words, ProductForm::Low, 1).is_ok_and(|plan| plan.holds_pairs());
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

    /// Where the next launch leaves so many words per instance, and where they are read.
    pub(super) fn sink(&mut self, words: u64) -> (Sink, Source) {
        if self.is_uniform {
            self.program.uniforms.push(words);
            let buffer = self.program.uniforms.len() - 1;
            return (Sink::Uniform(buffer), Source::Uniform { buffer, first: 0, words });
        }
        self.program.buffers.push(words);
        let buffer = self.program.buffers.len() - 1;
        (Sink::Buffer(buffer), Source::Buffer(buffer))
    }

    /// A launch that leaves so many words per instance, and where they are read.
    pub(super) fn launch(
        &mut self,
        kernel: impl Into<ProgramKernel>,
        inputs: Vec<Source>,
        words: u64,
    ) -> Source {
        let (output, source) = self.sink(words);
        self.program.push(kernel, inputs, output);
        source
    }

    /// With launches that compute what is the same for all instances.
    pub(super) fn uniform<T>(&mut self, launches: impl FnOnce(&mut Self) -> T) -> T {
        let before = core::mem::replace(&mut self.is_uniform, true);
        let left = launches(self);
        self.is_uniform = before;
        left
    }
}

/// The error for a broken invariant of this crate.
pub(super) fn internal(what: &str) -> SpecError {
    SpecError::Internal { what: what.to_owned() }
}
