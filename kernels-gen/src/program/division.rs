//! Divisions by an inverse from below (`div_newton`): each is a sequence of launches between those of other operations.

use limbforge_algos::expr::{Dag, Expr};
use limbforge_limb::{IntType, Layout};

use super::build::{Builder, Value};
use super::{Launch, LaunchKernel, Sink, Source};
use crate::error::SpecError;
use crate::mapping::Mapping;
use crate::newton::{DivNewtonSpec, Part, Plane, Slice, Stage, Steps, Wanted};
use crate::ntt::Form;
use crate::spec::{InputForm, InputSpec, KernelSpec, LimbKind};
use crate::tensor::{MulTensorSpec, Phases, TensorPlan};

/// The limb of numbers between a division's kernels.
const LIMB: LimbKind = LimbKind::of::<u32>();

/// Words of a lane that computes a seed: there are enough instances for short lanes, which leave registers free.
const SEED_LANE_WORDS: u32 = 16;

/// What kernels have left of a division: all that quotient and remainder are made of.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    half: u32,
    /// The operands of the last kernel.
    sources: Vec<Source>,
}

/// A number between kernels: where it is, and its words in memory.
#[derive(Clone, Copy, Debug)]
struct Words {
    source: Source,
    words: u32,
}

/// An inverse without its leading 1, as the operand of one product and of another.
#[derive(Clone, Copy, Debug)]
struct Inverse {
    difference: Words,
    correction: Words,
}

/// What the kernel that shifts the operands leaves.
#[derive(Debug)]
struct Shifted {
    info: Words,
    dividend: Words,
    dividend_top: Words,
    divisor_top: Words,
    divisor_low: Words,
    /// For the seed and for each step.
    prefixes: Vec<Words>,
}

impl Slice {
    /// All of the `count` lowest words, added at `place`.
    const fn low(number: Words, count: u32, place: u32) -> Self {
        Self { stride: number.words, from: 0, count, place, negative: false }
    }

    const fn subtracted(self) -> Self {
        Self { negative: true, ..self }
    }
}

impl Builder<'_> {
    /// Whether a node is a division that is computed here.
    pub(super) fn is_newton(&self, node: usize) -> bool {
        let fits = self.limits.matrices && self.spec.ty.bits() >= self.newton.from_bits;
        fits && Wanted::of(self.op(node)).is_some()
    }

    /// The kernels of a division, its result a value on the device.
    pub(super) fn division(&mut self, node: usize) -> Result<(), SpecError> {
        let buffer = self.buffer(self.spec.limb.instance_words(self.spec.ty).into());
        self.division_to(node, Layout::InstanceMajor, Sink::Buffer(buffer))?;
        let input = InputSpec::integers(&format!("%{node}"), Layout::InstanceMajor, false);
        self.values.insert(node, Value { source: Source::Buffer(buffer), input });
        Ok(())
    }

    /// The kernels of a division, its result in `sink`. Divisions of the same operands share all but the last kernel.
    pub(super) fn division_to(&mut self, node: usize, output: Layout, sink: Sink) -> Result<(), SpecError> {
        let Some(wanted) = Wanted::of(self.op(node)) else { return Ok(()) };
        let args = &self.spec.dag.nodes()[node].args;
        let operands = [args[0].index(), args[1].index()];
        let quotient = match self.quotients.get(&operands) {
            Some(quotient) => quotient.clone(),
            None => {
                let quotient = self.quotient(operands)?;
                self.quotients.insert(operands, quotient.clone());
                quotient
            }
        };
        self.stage(quotient.half, Stage::Finish { wanted, output }, quotient.sources, Some(sink));
        Ok(())
    }

    fn quotient(&mut self, operands: [usize; 2]) -> Result<Quotient, SpecError> {
        for operand in operands {
            self.integers(operand)?;
        }
        let steps = Steps::new(self.spec.ty.bits().div_ceil(32), self.newton);
        let (half, operand) = (steps.half, steps.operand());
        let shifted = self.shifted(&steps, operands);
        let inverse = self.inverse(&steps, &shifted)?;

        let top = shifted.dividend_top;
        let upper = self.block(half, top, inverse)?;
        let multiple = self.product(Form::Low, [upper, shifted.divisor_top])?;
        let Shifted { info, dividend, divisor_top, divisor_low, .. } = shifted;
        let read = [info, dividend, divisor_top, divisor_low, inverse, upper, multiple];
        let next = self.stage(half, Stage::Middle, read.map(|number| number.source).to_vec(), None);
        let [rest, factor, upper] = [next[0], next[1], next[2]];

        let product = self.product(Form::Wide, [rest, factor])?;
        let last = self.upper_words(half, rest, product);
        let last_multiple = self.product(Form::Low, [last, divisor_top])?;
        debug_assert_eq!(last.words, operand);
        let read =
            [info, dividend, divisor_top, divisor_low, rest, upper, multiple, product, last, last_multiple];
        Ok(Quotient { half, sources: read.map(|number| number.source).to_vec() })
    }

    /// The operands, shifted, in the pieces that products read.
    fn shifted(&mut self, steps: &Steps, operands: [usize; 2]) -> Shifted {
        let (half, operand) = (steps.half, steps.operand());
        let plane = |of, from, count, words| Plane { of, from, count, words };
        let prefix = |precision, words| {
            let count = Steps::prefix(precision);
            plane(Part::Divisor, 2 * half - count, count, words)
        };
        let mut planes = vec![
            plane(Part::Dividend, 0, 2 * half + 1, (2 * half + 1).next_multiple_of(4)),
            plane(Part::Dividend, 2 * half - 1, half + 1, operand),
            plane(Part::Divisor, half, half, operand),
            plane(Part::Divisor, 0, half, half.next_multiple_of(4)),
        ];
        let seed = steps.precisions[0];
        planes.push(prefix(seed, Steps::prefix(seed).next_multiple_of(4)));
        planes.extend(steps.precisions[1..].iter().map(|&to| prefix(to, Steps::difference(to))));
        let values = operands.map(|operand| self.values[&operand].clone());
        let stage = Stage::Normalise { inputs: values.each_ref().map(|value| value.input.clone()), planes };
        let sources = values.iter().map(|value| value.source).collect();
        let mut left = self.stage(half, stage, sources, None);
        let prefixes = left.split_off(5);
        Shifted {
            info: left[0],
            dividend: left[1],
            dividend_top: left[2],
            divisor_top: left[3],
            divisor_low: left[4],
            prefixes,
        }
    }

    /// The inverse to H + 1 words.
    fn inverse(&mut self, steps: &Steps, shifted: &Shifted) -> Result<Words, SpecError> {
        let precisions = &steps.precisions;
        let planes = |step: usize| match precisions.get(step + 1) {
            Some(&to) => vec![Steps::difference(to), Steps::correction(precisions[step], to)],
            None => vec![steps.operand()],
        };
        let seed = self.seed(precisions[0], shifted.prefixes[0])?;
        let first = precisions[0];
        let mut inverse =
            self.sum(steps.half, &[(seed, Slice::low(seed, first, 0))], None, (first, 0), planes(0));
        for (step, pair) in precisions.windows(2).enumerate() {
            let operands = Inverse { difference: inverse[0], correction: inverse[1] };
            inverse = self.newton_step(
                steps.half,
                (pair[0], pair[1]),
                shifted.prefixes[step + 1],
                operands,
                planes(step + 1),
            )?;
        }
        Ok(inverse[0])
    }

    /// `floor(B^(p + t) / (V + 1))` with p = t + 1 and V the divisor's prefix of p words: t words and a leading 1.
    fn seed(&mut self, t: u32, prefix: Words) -> Result<Words, SpecError> {
        let p = Steps::prefix(t);
        let one = Expr::literal(1_u32);
        let expr = (&one << (32 * (p + t))) / (Expr::input("v") + &one);
        let words = p + t + 1;
        let dag: Dag = expr.to_dag();
        let mut input = InputSpec::integers("v", Layout::InstanceMajor, false);
        input.form = InputForm::Narrow { words: prefix.words };
        let [ty, result] = [words, t + 1].map(|words| self.unsigned(words));
        let inputs = vec![input];
        let output = Layout::InstanceMajor;
        let mapping = Mapping::from_limbs_per_thread(&dag, ty, LIMB, SEED_LANE_WORDS, 1)?.with_full_blocks();
        let target = self.spec.target;
        let spec = KernelSpec { dag, ty, result, limb: LIMB, inputs, output, mapping, target };
        Ok(self.launch(LaunchKernel::Expression(Box::new(spec)), vec![prefix.source], t + 1))
    }

    /// From t to t' words of the inverse: `F B^m + floor((F + B^t) D / B^(t + 1))` with D the power difference of prefix and
    /// inverse in units of `B^t`.
    fn newton_step(
        &mut self,
        half: u32,
        (from, to): (u32, u32),
        prefix: Words,
        inverse: Inverse,
        planes: Vec<u32>,
    ) -> Result<Vec<Words>, SpecError> {
        let (t, p) = (from, Steps::prefix(to));
        let count = to - from + 2;
        let product = self.product(Form::Low, [prefix, inverse.difference])?;
        // -((V + 1) (F + B^t)): of V F, of F, of V B^t and of B^t.
        let parts = [
            (product, Slice::low(product, p + 1, 0).subtracted()),
            (inverse.difference, Slice::low(inverse.difference, t, 0).subtracted()),
            (prefix, Slice::low(prefix, p, t).subtracted()),
        ];
        let difference = self.sum(half, &parts, Some(t), (p + 1, t), vec![Steps::correction(from, to)])[0];
        let product = self.product(Form::Wide, [inverse.correction, difference])?;
        let parts = [
            (inverse.correction, Slice::low(inverse.correction, t, to - from + 1)),
            (difference, Slice::low(difference, count, 0)),
            (product, Slice { from: t, ..Slice::low(product, count, 0) }),
        ];
        Ok(self.sum(half, &parts, None, (to + 1, 1), planes))
    }

    /// A block of the quotient, exact or one too small: the upper words of the dividend's top by the inverse.
    fn block(&mut self, half: u32, top: Words, inverse: Words) -> Result<Words, SpecError> {
        let product = self.product(Form::Wide, [top, inverse])?;
        Ok(self.upper_words(half, top, product))
    }

    /// `floor((R + floor(R F / B^(H + 1))) / B)` for the product R F.
    fn upper_words(&mut self, half: u32, top: Words, product: Words) -> Words {
        let count = half + 1;
        let parts = [
            (top, Slice::low(top, count, 0)),
            (product, Slice { from: count, ..Slice::low(product, count, 0) }),
        ];
        self.sum(half, &parts, None, (half + 2, 1), vec![top.words])[0]
    }

    /// The product of two numbers of as many words, mod B to these, or all of it.
    fn product(&mut self, form: Form, [x, y]: [Words; 2]) -> Result<Words, SpecError> {
        let words = x.words;
        let plan = TensorPlan::new(words, form, self.limits)?;
        let out = if form == Form::Low { words } else { 2 * words };
        let inputs = ["a", "b"].map(|name| InputSpec::integers(name, Layout::InstanceMajor, false)).to_vec();
        let (ty, result, target) = (self.unsigned(words), self.unsigned(out), self.spec.target);
        let phases = Phases::product(2);
        let spec = MulTensorSpec { ty, result, limb: LIMB, inputs, phases, plan, target };
        Ok(self.launch(LaunchKernel::MulTensor(Box::new(spec)), vec![x.source, y.source], out))
    }

    /// A sum of slices: words of it, and how many are dropped; one plane for each of these numbers of words.
    fn sum(
        &mut self,
        half: u32,
        parts: &[(Words, Slice)],
        minus: Option<u32>,
        (words, drop): (u32, u32),
        planes: Vec<u32>,
    ) -> Vec<Words> {
        let slices = parts.iter().map(|(_, slice)| *slice).collect();
        let sources = parts.iter().map(|(number, _)| number.source).collect();
        self.stage(half, Stage::Sum { slices, minus, words, drop, planes }, sources, None)
    }

    /// A launch of a kernel with one number as its result.
    fn launch(&mut self, kernel: LaunchKernel, inputs: Vec<Source>, words: u32) -> Words {
        let buffer = self.buffer(words.into());
        self.launches.push(Launch { kernel, inputs, output: Sink::Buffer(buffer) });
        Words { source: Source::Buffer(buffer), words }
    }

    /// A launch of a division's own kernel: its planes.
    fn stage(&mut self, half: u32, stage: Stage, inputs: Vec<Source>, sink: Option<Sink>) -> Vec<Words> {
        let (ty, limb, target) = (self.spec.ty, self.spec.limb, self.spec.target);
        let spec = DivNewtonSpec { ty, limb, half, stage, target };
        let planes = spec.planes();
        let kernel = LaunchKernel::DivNewton(Box::new(spec));
        if let Some(output) = sink {
            self.launches.push(Launch { kernel, inputs, output });
            return vec![];
        }
        let buffer = self.buffer(planes.iter().copied().map(u64::from).sum());
        self.launches.push(Launch { kernel, inputs, output: Sink::Buffer(buffer) });
        let mut first = 0;
        let mut numbers = vec![];
        for words in planes {
            let plane = Source::Plane { buffer, first, words: words.into() };
            numbers.push(Words { source: plane, words });
            first += u64::from(words);
        }
        numbers
    }
}

impl Builder<'_> {
    /// The unsigned type of so many words. Products of wider ones than there are have no plan.
    fn unsigned(&self, words: u32) -> IntType {
        IntType::unsigned(32 * u64::from(words)).unwrap_or(self.spec.ty)
    }
}
