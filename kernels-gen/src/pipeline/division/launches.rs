//! Single launches of a division: products, sums of slices, and its own kernels.

use limbforge_algos::expr::Expr;
use limbforge_limb::{IntType, Layout};

use super::{LIMB, Term, Words};
use crate::invariant::broken_invariant;
use crate::newton::{DivNewtonSpec, Factor, Slice, Stage, aligned};
use crate::ntt::{
    Destination, Factor as NttFactor, NttInput, NttStep, Pointwise, ProductForm, ProductPlan, Residues,
};
use crate::pipeline::build::{Builder, internal};
use crate::pipeline::{ProgramKernel, Source};
use crate::spec::{InputForm, InputSpec, KernelSpec, Mapping, Part, SkipMask, SpecError};
use crate::tensor::TensorPlan;

impl Builder<'_> {
    /// With launches that may skip the instances whose flags match `mask`.
    pub(super) fn skipping<T>(
        &mut self,
        mask: SkipMask,
        flags: Source,
        launches: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.skip.replace((mask, flags));
        let left = launches(self);
        self.skip = before;
        left
    }

    /// The sources of a launch: these numbers, and the flags of instances that it may skip.
    pub(super) fn reads<const N: usize>(&self, numbers: [Words; N]) -> Vec<Source> {
        numbers.iter().map(|number| number.source).chain(self.skip.map(|skip| skip.1)).collect()
    }

    /// The product of two numbers of as many words on tensor cores: the low words, or all.
    pub(super) fn product(&mut self, form: ProductForm, [x, y]: [Words; 2]) -> Result<Words, SpecError> {
        let plan = TensorPlan::new(x.words, form, self.limits)?;
        let out = if form == ProductForm::Low { x.words } else { 2 * x.words };
        let input =
            |(name, number)| InputSpec::integers(name, Layout::InstanceMajor, self.is_for_all(number));
        let inputs = [("a", x), ("b", y)].map(input).to_vec();
        let spec = self.tensor_kernel([unsigned(x.words)?, unsigned(out)?], LIMB, inputs, plan);
        Ok(self.number(spec, self.reads([x, y]), out))
    }

    /// The `out` lowest words of a product of two numbers of as many words, by transforms. A cyclic product
    /// of W words is below `B^(W + 3)`, not reduced.
    pub(super) fn transformed(
        &mut self,
        form: ProductForm,
        [x, y]: [Words; 2],
        out: u32,
    ) -> Result<Words, SpecError> {
        let plan = ProductPlan::new(x.words, form, 1)?;
        let integers = |name, number: Words| {
            (NttInput::Integers(InputSpec::integers(name, Layout::InstanceMajor, false)), number.source)
        };
        let (second, right, factors) = if self.is_for_all(y) {
            let input = NttInput::Spectrum { broadcast: true, first: 0 };
            ((input, self.shared_spectrum(&plan, y)), NttFactor::Spectrum(1), vec![0])
        } else {
            (integers("b", y), NttFactor::Operand(1), vec![0, 1])
        };
        let product = Pointwise { left: 0, right, addends: vec![], to: Destination::Residues };
        let steps = vec![NttStep { operands: factors, results: vec![product] }];
        let (primes, digits) = (plan.primes.clone(), plan.out_digits);
        let operands = vec![integers("a", x), second];
        let (source, spec) = self.transforms((x.words, LIMB), operands, steps, plan);
        let residues = Words { source, words: spec.words };
        let form = InputForm::Residues(Residues { primes, digits, index: 0 });
        let input = InputSpec { form, ..InputSpec::integers("x", Layout::InstanceMajor, false) };
        let kernel = self.copy(&Expr::input("x"), input, [out; 2], None)?;
        Ok(self.number(kernel, self.reads([residues]), out))
    }

    /// The transform of a number that is one for all instances, for products by this plan.
    fn shared_spectrum(&mut self, plan: &ProductPlan, number: Words) -> Source {
        let is_known =
            |(other, source, _): &&(ProductPlan, Source, Source)| other == plan && *source == number.source;
        if let Some((.., spectrum)) = self.shared_spectra.iter().find(is_known) {
            return *spectrum;
        }
        let input = NttInput::Integers(InputSpec::integers("a", Layout::InstanceMajor, false));
        let source =
            self.uniform(|builder| builder.spectrum(plan, (number.words, LIMB), input, number.source));
        self.shared_spectra.push((plan.clone(), number.source, source));
        source
    }

    /// A kernel of an expression of one operand, with these words of its type, its result and perhaps a lane.
    pub(super) fn copy(
        &self,
        expr: &Expr,
        input: InputSpec,
        [words, result]: [u32; 2],
        lane_words: Option<u32>,
    ) -> Result<KernelSpec, SpecError> {
        let (dag, inputs, output) = (expr.to_dag(), vec![input], Layout::InstanceMajor);
        let (ty, result) = (unsigned(words)?, unsigned(result)?);
        let mapping = match lane_words {
            Some(q) => Mapping::from_limbs_per_thread(&dag, ty, LIMB, q, 1)?.with_full_blocks(),
            None => Mapping::plan_inputs(&dag, ty, LIMB, &inputs, output),
        };
        let (unless, target) = (self.mask(), self.spec.target);
        let (limb, fails, part) = (LIMB, vec![], Part::Whole);
        Ok(KernelSpec { dag, ty, result, limb, inputs, output, mapping, unless, fails, part, target })
    }

    /// A sum of so many words without the lowest `drop`, in one plane for each of these numbers of words.
    pub(super) fn sum(
        &mut self,
        terms: &[Term],
        minus: Option<u32>,
        (words, drop): (u32, u32),
        planes: Vec<u32>,
    ) -> Vec<Words> {
        let mut sources: Vec<Source> = vec![];
        for Term { number, factor, .. } in terms {
            for number in [Some(number), factor.as_ref().map(|(factor, _)| factor)].into_iter().flatten() {
                if !sources.contains(&number.source) {
                    sources.push(number.source);
                }
            }
        }
        let input = |number: Words| {
            let place = sources.iter().position(|source| *source == number.source);
            place.unwrap_or_else(|| broken_invariant("a term's number is an operand of its kernel"))
        };
        // Whole vectors are dropped, so that the others are stored as such.
        let below = drop.next_multiple_of(4) - drop;
        let slice = |&Term { number, from, count, place, negative, factor }: &Term| {
            let factor = factor.map(|(number, word)| {
                let broadcast = self.is_for_all(number);
                Factor { input: input(number), stride: number.words, word, broadcast }
            });
            let (stride, place, broadcast) = (number.words, place + below, self.is_for_all(number));
            (input(number), Slice { stride, from, count, place, negative, factor, broadcast })
        };
        let slices = terms.iter().map(slice).collect();
        let (words, drop, minus) = (words + below, drop + below, minus.map(|word| word + below));
        let (operands, unless) = (sources.len(), self.mask());
        sources.extend(self.skip.map(|skip| skip.1));
        self.stage(Stage::Sum { slices, operands, minus, words, drop, planes, unless }, sources)
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
    pub(super) fn stage(&mut self, stage: Stage, inputs: Vec<Source>) -> Vec<Words> {
        let kernel = self.division_kernel(stage);
        self.planes(kernel, inputs)
    }

    pub(super) fn division_kernel(&self, stage: Stage) -> DivNewtonSpec {
        let (ty, limb, target) = (self.spec.ty, self.spec.limb, self.spec.target);
        DivNewtonSpec { ty, limb, half: self.steps().half, stage, target }
    }

    pub(super) fn planes(&mut self, kernel: DivNewtonSpec, inputs: Vec<Source>) -> Vec<Words> {
        let planes = kernel.planes();
        let source = self.launch(kernel, inputs, planes.iter().map(|&words| u64::from(aligned(words))).sum());
        let mut first = 0;
        let plane = |words: u32| {
            let number = Words { source: source.plane(first, words.into()), words };
            first += u64::from(aligned(words));
            number
        };
        planes.into_iter().map(plane).collect()
    }
}

/// The unsigned type of so many words. Products of wider ones than there are have no plan.
fn unsigned(words: u32) -> Result<IntType, SpecError> {
    IntType::unsigned(32 * u64::from(words)).map_err(|error| internal(&error.to_string()))
}
