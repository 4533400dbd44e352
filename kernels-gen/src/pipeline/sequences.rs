//! Rounds of a sequence of products of sums: loops of programs over residues of one modulus.
//!
//! [In residue number systems](super::rns) the modulus may be one of each instance; [by folds](super::fold) it is one for
//! all.

use core::fmt;

use limbforge_algos::expr::{Dag, Expr};
use limbforge_algos::sequence::{Sequence, Step, Term};
use limbforge_limb::{IntType, Layout};

use super::build::{Builder, Value, internal};
use super::{Product, Program, ProgramSpec, Sink, Source, memory};
use crate::kernel::modmul_fold;
use crate::kernel::modmul_rns::System;
use crate::spec::{InputSpec, LimbKind, Limits, SpecError, Target};

/// Words of 32 bits of the rounds: their number, the place of the bit of the first one, and two that are not
/// read.
pub const ROUND_WORDS: usize = 4;

/// Rounds of a sequence for a batch of instances.
///
/// The program's operands are n, the numbers of the sequence, the bits of all rounds in words of 32 bits, and
/// [`ROUND_WORDS`]; the last two are one for all instances. In round i the bit is the one of place `place -
/// i`. Its results are those of the sequence modulo n. In residue number systems four words of flags follow, of which
/// the second is 1 unless n has no inverse in the system or is 0: then the results mean nothing.
#[derive(Clone, Debug)]
pub struct SequenceSpec<'s> {
    /// The steps.
    pub sequence: &'s Sequence,
    /// The unsigned type of n, the numbers and the results.
    pub ty: IntType,
    /// Whether n is one for all instances, and whether each number is.
    pub broadcast: (bool, Vec<bool>),
    /// [`Product::Rns`], or [`Product::Fold`] if n is one for all instances.
    pub product: Product,
    /// The compiler of the kernels.
    pub target: Target,
}

/// The canonical text, which identifies the program.
impl fmt::Display for SequenceSpec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sequence, ty, broadcast, product, target } = self;
        write!(f, "sequence of {ty} product={product} broadcast={broadcast:?} target={target} {sequence:?}")
    }
}

impl SequenceSpec<'_> {
    /// Whether numbers of this type have kernels: in a residue number system, or by folds.
    ///
    /// ```
    /// use limbforge_kernels_gen::{Product, SequenceSpec};
    /// let [short, long] = [1024, 4096].map(|bits| limbforge_limb::IntType::unsigned(bits).unwrap());
    /// assert!(SequenceSpec::exists(Product::Fold, short) && !SequenceSpec::exists(Product::Fold, long));
    /// assert!(SequenceSpec::exists(Product::Rns, long));
    /// ```
    #[must_use]
    pub fn exists(product: Product, ty: IntType) -> bool {
        let unsigned = !ty.is_signed();
        match product {
            Product::Rns => unsigned && System::exists(ty.bits()),
            Product::Fold => unsigned && modmul_fold::Shape::exists(ty.bits().div_ceil(32)),
            _ => false,
        }
    }

    /// The product by which loops run where none was measured: folds if they can.
    ///
    /// ```
    /// use limbforge_kernels_gen::{Product, SequenceSpec};
    /// let ty = limbforge_limb::IntType::unsigned(1024).unwrap();
    /// let products = [true, false].map(|one_modulus| SequenceSpec::product_of(ty, one_modulus));
    /// assert_eq!(products, [Some(Product::Fold), Some(Product::Rns)]);
    /// ```
    #[must_use]
    pub fn product_of(ty: IntType, one_modulus: bool) -> Option<Product> {
        let folds = Some(Product::Fold).filter(|_| one_modulus);
        folds.into_iter().chain([Product::Rns]).find(|&product| Self::exists(product, ty))
    }

    /// Whether terms depend on the bits of rounds.
    pub(super) fn has_bits(&self) -> bool {
        let terms = self.sequence.steps().iter().flat_map(Step::sums).flatten();
        terms.into_iter().any(|Term { variables: [zero, one], .. }| zero != one)
    }

    /// The program for a device with these limits.
    ///
    /// # Errors
    /// [`SpecError`] if the device has no matrix products or too little shared memory, or there are no kernels of this
    /// width and product.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let Self { sequence, ty, broadcast: (modulus, numbers), product, target } = self;
        if !Self::exists(*product, *ty) || numbers.len() != usize::from(sequence.inputs()) {
            return Err(internal(
                "a sequence has a width with kernels, and says of each number whether it is one",
            ));
        }
        let names: Vec<String> = (0..numbers.len()).map(|i| format!("x{i}")).collect();
        let exprs: Vec<Expr> =
            ["n"].into_iter().chain(names.iter().map(String::as_str)).map(Expr::input).collect();
        let layout = Layout::InstanceMajor;
        let inputs = ["n"].into_iter().chain(names.iter().map(String::as_str));
        let inputs = inputs.zip([modulus].into_iter().chain(numbers));
        let spec = ProgramSpec {
            dag: Dag::of_all(&exprs),
            ty: *ty,
            limb: LimbKind::of::<u32>(),
            inputs: inputs.map(|(name, &one)| InputSpec::integers(name, layout, one)).collect(),
            output: layout,
            product: *product,
            target: *target,
        };
        let mut builder = Builder::of_operands(&spec, limits);
        builder.sequence(self)?;
        let mut program = builder.program;
        program.buffers = memory::share(&mut program.launches, &program.buffers);
        program.chunk = memory::chunk_of_expression(&program, &spec);
        Ok(program)
    }
}

/// What the kernels of a sequence read, on the device.
pub(super) struct Operands {
    /// The node of n, for the names of values.
    pub(super) node: usize,
    pub(super) n: Value,
    pub(super) numbers: Vec<Value>,
    /// The bits of all rounds, and the words of the rounds.
    pub(super) bits: Source,
    pub(super) rounds: Source,
}

impl Builder<'_> {
    fn sequence(&mut self, of: &SequenceSpec<'_>) -> Result<(), SpecError> {
        let roots: Vec<usize> = self.spec.dag.roots().iter().map(|root| root.index()).collect();
        let values: Vec<Value> = roots.iter().map(|root| self.values[root].clone()).collect();
        let (Some((n, numbers)), Some(&node)) = (values.split_first(), roots.first()) else {
            return Err(internal("a sequence has a modulus"));
        };
        let [bits, rounds] = [0, 1].map(|i| Source::Input(values.len() + i));
        self.program.input_words.extend([0; 2]);
        self.program.result_words.clear();
        let operands = Operands { node, n: n.clone(), numbers: numbers.to_vec(), bits, rounds };
        if of.product == Product::Fold {
            self.folded_sequence(of, &operands)
        } else {
            self.residue_sequence(of, &operands)
        }
    }

    /// Makes numbers modulo n, which the returned expression is, a result.
    pub(super) fn residues_as_result(
        &mut self,
        (result, number): (usize, &Expr),
        words: u32,
        operands: &Operands,
    ) -> Result<(), SpecError> {
        let instance_words = self.spec.limb.instance_words(self.spec.ty);
        let ty = super::rns::unsigned(32 * u64::from(words.max(instance_words)))?;
        // An instance without a modulus has failed before, or is flagged.
        let expr = number % super::rns::named(&operands.n).max(&Expr::literal(1_u32));
        self.expression(&expr, [ty, self.spec.ty], Sink::Result(result), operands.node);
        self.program.result_words.push(instance_words.into());
        Ok(())
    }
}
