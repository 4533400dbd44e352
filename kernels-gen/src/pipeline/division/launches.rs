//! Single launches of a division: products, sums of slices, and its own kernels.

use limbforge_algos::expr::Expr;
use limbforge_limb::{IntType, Layout};

use super::{Flagged, LIMB, Term, Words};
use crate::invariant::broken_invariant;
use crate::newton::{DivNewtonSpec, Factor, Slice, Stage, aligned};
use crate::ntt::{
    Destination, Factor as NttFactor, MulNttSpec, NttInput, NttStep, Pointwise, ProductForm, ProductPlan,
    Residues,
};
use crate::pipeline::build::Builder;
use crate::pipeline::build::internal;
use crate::pipeline::{ProgramKernel, Sink, Source};
use crate::spec::{InputForm, InputSpec, KernelSpec, Mapping, SkipMask, SpecError};
use crate::tensor::{MulTensorSpec, Phases, TensorPlan};

impl Builder<'_> {
    /// The product of two numbers of as many words on tensor cores, mod B to these, or all of it, but of
    /// instances that may be left out.
    pub(super) fn product(
        &mut self,
        form: ProductForm,
        [x, y]: [Words; 2],
        unless: Flagged,
    ) -> Result<Words, SpecError> {
        let words = x.words;
        let plan = TensorPlan::new(words, form, self.limits)?;
        let out = if form == ProductForm::Low { words } else { 2 * words };
        let input = |(name, number): (&str, Words)| {
            InputSpec::integers(name, Layout::InstanceMajor, self.is_for_all(number))
        };
        let inputs = [("a", x), ("b", y)].map(input).to_vec();
        let (ty, result, target) = (unsigned(words)?, unsigned(out)?, self.spec.target);
        let phases = Phases::product(2);
        let (unless, flags) = unless.unzip();
        let spec = MulTensorSpec { ty, result, limb: LIMB, inputs, phases, plan, unless, target };
        let sources = [x.source, y.source].into_iter().chain(flags).collect();
        Ok(self.number(spec, sources, out))
    }

    /// The `out` lowest words of the product of two numbers of as many words, by transforms: one kernel
    /// leaves residues, another one makes words of them. A cyclic one is a number below `B^(W + 3)` for W
    /// words, not reduced.
    pub(super) fn transformed(
        &mut self,
        form: ProductForm,
        [x, y]: [Words; 2],
        out: u32,
        unless: Flagged,
    ) -> Result<Words, SpecError> {
        let plan = ProductPlan::new(x.words, form, 1)?;
        let (left_out, flags) = unless.unzip();
        let of = |name| NttInput::Integers(InputSpec::integers(name, Layout::InstanceMajor, false));
        let (second, input, right, operands) = if self.is_for_all(y) {
            let spectrum = NttInput::Spectrum { broadcast: true, first: 0 };
            (self.shared_spectrum(&plan, y), spectrum, NttFactor::Spectrum(1), vec![0])
        } else {
            (y.source, of("b"), NttFactor::Operand(1), vec![0, 1])
        };
        let product = Pointwise { left: 0, right, addends: vec![], to: Destination::Residues };
        let steps = vec![NttStep { operands, results: vec![product] }];
        let spec = MulNttSpec {
            words: x.words,
            limb: LIMB,
            inputs: vec![of("a"), input],
            steps,
            plan,
            unless: left_out,
            target: self.spec.target,
        };
        let (primes, digits) = (spec.plan.primes.clone(), spec.plan.out_digits);
        let table = self.table(&spec.plan);
        let sources = [x.source, second, table].into_iter().chain(flags).collect();
        let words = spec.out_words();
        let residues = self.launch(spec, sources, words);
        let mut input = InputSpec::integers("x", Layout::InstanceMajor, false);
        input.form = InputForm::Residues(Residues { primes, digits, index: 0 });
        let kernel = self.copy(&Expr::input("x"), input, [out; 2], None, left_out)?;
        let sources = [residues].into_iter().chain(flags).collect();
        Ok(self.number(kernel, sources, out))
    }

    /// The transform of a number that is one for all instances, for products by this plan.
    fn shared_spectrum(&mut self, plan: &ProductPlan, number: Words) -> Source {
        let known =
            |(other, source, _): &&(ProductPlan, Source, Source)| other == plan && *source == number.source;
        if let Some((.., spectrum)) = self.shared_spectra.iter().find(known) {
            return *spectrum;
        }
        let input = NttInput::Integers(InputSpec::integers("a", Layout::InstanceMajor, false));
        let source =
            self.uniform(|builder| builder.spectrum(plan, (number.words, LIMB), input, number.source));
        self.shared_spectra.push((plan.clone(), number.source, source));
        source
    }

    /// A kernel of an expression of one operand in a type of so many words, with fewer in its result; with so
    /// many words to a lane if that is given.
    pub(super) fn copy(
        &self,
        expr: &Expr,
        input: InputSpec,
        [words, result]: [u32; 2],
        lane_words: Option<u32>,
        unless: Option<SkipMask>,
    ) -> Result<KernelSpec, SpecError> {
        let (dag, inputs, output) = (expr.to_dag(), vec![input], Layout::InstanceMajor);
        let (ty, result) = (unsigned(words)?, unsigned(result)?);
        let mapping = match lane_words {
            Some(q) => Mapping::from_limbs_per_thread(&dag, ty, LIMB, q, 1)?.with_full_blocks(),
            None => Mapping::plan_inputs(&dag, ty, LIMB, &inputs, output),
        };
        let target = self.spec.target;
        let spec = KernelSpec { dag, ty, result, limb: LIMB, inputs, output, mapping, unless, target };
        Ok(spec)
    }

    /// A sum: words of it, and how many are dropped; one plane for each of these numbers of words.
    pub(super) fn sum(
        &mut self,
        half: u32,
        terms: &[Term],
        minus: Option<u32>,
        (words, drop): (u32, u32),
        planes: Vec<u32>,
        unless: Flagged,
    ) -> Vec<Words> {
        let mut sources: Vec<Source> = vec![];
        for number in terms.iter().flat_map(Term::numbers) {
            if !sources.contains(&number.source) {
                sources.push(number.source);
            }
        }
        let input = |number: Words| {
            let place = sources.iter().position(|source| *source == number.source);
            place.unwrap_or_else(|| broken_invariant("a term's number is an operand of its kernel"))
        };
        // What is dropped is whole vectors, so that the others are stored as such.
        let below = drop.next_multiple_of(4) - drop;
        let slice = |term: &Term| {
            let Term { number, from, count, place, negative, factor } = *term;
            let factor = factor.map(|(number, word)| {
                let broadcast = self.is_for_all(number);
                Factor { input: input(number), stride: number.words, word, broadcast }
            });
            let (stride, place, broadcast) = (number.words, place + below, self.is_for_all(number));
            let slice = Slice { stride, from, count, place, negative, factor, broadcast };
            (input(number), slice)
        };
        let slices = terms.iter().map(slice).collect();
        let (words, drop, minus) = (words + below, drop + below, minus.map(|word| word + below));
        let operands = sources.len();
        let (unless, flags) = unless.unzip();
        sources.extend(flags);
        let stage = Stage::Sum { slices, operands, minus, words, drop, planes, unless };
        self.stage(half, stage, sources, None)
    }

    /// A launch of a kernel with one number as its result.
    pub(super) fn number(
        &mut self,
        kernel: impl Into<ProgramKernel>,
        inputs: Vec<Source>,
        words: u32,
    ) -> Words {
        Words { source: self.launch(kernel, inputs, words.into()), words }
    }

    /// A launch of a division's own kernel: its planes.
    pub(super) fn stage(
        &mut self,
        half: u32,
        stage: Stage,
        inputs: Vec<Source>,
        sink: Option<Sink>,
    ) -> Vec<Words> {
        let (ty, limb, target) = (self.spec.ty, self.spec.limb, self.spec.target);
        let spec = DivNewtonSpec { ty, limb, half, stage, target };
        let planes = spec.planes();
        if let Some(output) = sink {
            self.program.push(spec, inputs, output);
            return vec![];
        }
        let source = self.launch(spec, inputs, planes.iter().copied().map(aligned).map(u64::from).sum());
        let mut first = 0;
        let mut numbers = vec![];
        for words in planes {
            let source = source.plane(first, words.into());
            numbers.push(Words { source, words });
            first += u64::from(aligned(words));
        }
        numbers
    }
}

/// The unsigned type of so many words. Products of wider ones than there are have no plan.
fn unsigned(words: u32) -> Result<IntType, SpecError> {
    IntType::unsigned(32 * u64::from(words)).map_err(|error| internal(&error.to_string()))
}
