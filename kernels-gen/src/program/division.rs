//! Divisions by an inverse from below (`div_newton`): each is a sequence of launches between those of other operations.

mod launches;

use limbforge_algos::expr::Expr;
use limbforge_limb::Layout;

use super::build::{Builder, Value};
use super::{Sink, Source};
use crate::error::SpecError;
use crate::newton::{Factor, Part, Plane, Slice, Stage, Steps, Wanted};
use crate::ntt::Form;
use crate::spec::{InputForm, InputSpec, LimbKind};

/// The limb of numbers between a division's kernels.
const LIMB: LimbKind = LimbKind::of::<u32>();

/// Words of a lane that computes a seed: there are enough instances for short lanes, which leave registers free.
const SEED_LANE_WORDS: u32 = 16;

/// What kernels have left of a division: all that quotient and remainder are made of.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    half: u32,
    transforms: bool,
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

/// A factor of a quotient's products: all of its H + 1 words, and the H lower ones where they go through transforms (else the
/// same again).
#[derive(Clone, Copy, Debug)]
struct Operand {
    whole: Words,
    lower: Words,
}

/// What the kernel that shifts the operands leaves.
#[derive(Debug)]
struct Shifted {
    info: Words,
    dividend: Words,
    dividend_top: Operand,
    divisor_top: Operand,
    divisor_low: Words,
    /// For the seed and for each step.
    prefixes: Vec<Words>,
}

impl Operand {
    /// From one plane, or two.
    fn of(planes: &[Words]) -> Self {
        Self { whole: planes[0], lower: planes[planes.len() - 1] }
    }
}

impl Slice {
    /// All of the `count` lowest words, added at `place`.
    const fn low(number: Words, count: u32, place: u32) -> Self {
        Self { stride: number.words, from: 0, count, place, negative: false, factor: None }
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
        self.stage(
            quotient.half,
            Stage::Finish { wanted, output, transforms: quotient.transforms },
            quotient.sources,
            Some(sink),
        );
        Ok(())
    }

    fn quotient(&mut self, operands: [usize; 2]) -> Result<Quotient, SpecError> {
        for operand in operands {
            self.integers(operand)?;
        }
        let steps = Steps::new(self.spec.ty.bits().div_ceil(32), self.newton);
        let half = steps.half;
        let [transforms, _] = steps.transforms(self.newton);
        let shifted = self.shifted(&steps, operands);
        let inverse = self.inverse(&steps, &shifted)?;

        let product = self.block_product(&steps, [shifted.dividend_top, inverse])?;
        let upper = self.upper_words(&steps, [shifted.dividend_top, inverse], product);
        let multiple = self.multiple(&steps, [upper, shifted.divisor_top])?;
        let Shifted { info, dividend, divisor_top, divisor_low, .. } = shifted;
        let read = [info, dividend, divisor_top.whole, divisor_low, inverse.whole, upper.whole, multiple];
        let read = read.map(|number| number.source).to_vec();
        let next = self.stage(half, Stage::Middle { transforms }, read, None);
        let lower = |at: usize| if transforms { next[at] } else { next[at - 3] };
        let rest = Operand { whole: next[0], lower: lower(3) };
        let factor = Operand { whole: next[1], lower: lower(4) };
        let upper = next[2];

        let product = self.block_product(&steps, [rest, factor])?;
        let last = self.upper_words(&steps, [rest, factor], product);
        let last_multiple = self.multiple(&steps, [last, divisor_top])?;
        let read = [
            info,
            dividend,
            divisor_top.whole,
            divisor_low,
            rest.whole,
            upper,
            multiple,
            product,
            last.whole,
            last_multiple,
        ];
        Ok(Quotient { half, transforms, sources: read.map(|number| number.source).to_vec() })
    }

    /// The operands, shifted, in the pieces that products read.
    fn shifted(&mut self, steps: &Steps, operands: [usize; 2]) -> Shifted {
        let half = steps.half;
        let plane = |of, from, count, words| Plane { of, from, count, words };
        let prefix = |precision, words| {
            let count = Steps::prefix(precision);
            plane(Part::Divisor, 2 * half - count, count, words)
        };
        let [wide, low] = steps.transforms(self.newton);
        let operands_of = |of, from, count: u32, transforms| {
            steps.planes(transforms).into_iter().map(move |words| plane(of, from, count.min(words), words))
        };
        let mut planes = vec![
            plane(Part::Dividend, 0, 2 * half + 1, (2 * half + 1).next_multiple_of(4)),
            plane(Part::Divisor, 0, half, half.next_multiple_of(4)),
        ];
        planes.extend(operands_of(Part::Dividend, 2 * half - 1, half + 1, wide));
        planes.extend(operands_of(Part::Divisor, half, half, low));
        let seed = steps.precisions[0];
        planes.push(prefix(seed, Steps::prefix(seed).next_multiple_of(4)));
        planes.extend(steps.precisions[1..].iter().map(|&to| prefix(to, Steps::difference(to))));
        let values = operands.map(|operand| self.values[&operand].clone());
        let stage = Stage::Normalise { inputs: values.each_ref().map(|value| value.input.clone()), planes };
        let sources = values.iter().map(|value| value.source).collect();
        let left = self.stage(half, stage, sources, None);
        let (fixed, left) = left.split_at(3);
        let (dividend_top, left) = left.split_at(1 + usize::from(wide));
        let (divisor_top, prefixes) = left.split_at(1 + usize::from(low));
        Shifted {
            info: fixed[0],
            dividend: fixed[1],
            divisor_low: fixed[2],
            dividend_top: Operand::of(dividend_top),
            divisor_top: Operand::of(divisor_top),
            prefixes: prefixes.to_vec(),
        }
    }

    /// The inverse to H + 1 words.
    fn inverse(&mut self, steps: &Steps, shifted: &Shifted) -> Result<Operand, SpecError> {
        let precisions = &steps.precisions;
        let [transforms, _] = steps.transforms(self.newton);
        let planes = |step: usize| match precisions.get(step + 1) {
            Some(&to) => vec![Steps::difference(to), Steps::correction(precisions[step], to)],
            None => steps.planes(transforms),
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
        Ok(Operand::of(&inverse))
    }

    /// `floor(B^(p + t) / (V + 1))` with p = t + 1 and V the divisor's prefix of p words: t words and a leading 1.
    fn seed(&mut self, t: u32, prefix: Words) -> Result<Words, SpecError> {
        let p = Steps::prefix(t);
        let one = Expr::literal(1_u32);
        let expr = (&one << (32 * (p + t))) / (Expr::input("v") + &one);
        let mut input = InputSpec::integers("v", Layout::InstanceMajor, false);
        input.form = InputForm::Narrow { words: prefix.words };
        let kernel = self.copy(&expr, input, [p + t + 1, t + 1], Some(SEED_LANE_WORDS))?;
        Ok(self.launch(kernel, vec![prefix.source], t + 1))
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

    /// R F for a block of the quotient; by transforms of the H lower words of both.
    fn block_product(&mut self, steps: &Steps, [x, y]: [Operand; 2]) -> Result<Words, SpecError> {
        match steps.transforms(self.newton) {
            [true, _] => self.transformed([x.lower, y.lower], 2 * steps.half),
            _ => self.product(Form::Wide, [x.whole, y.whole]),
        }
    }

    /// The lower words of a block of the quotient by the divisor's top.
    fn multiple(&mut self, steps: &Steps, [x, y]: [Operand; 2]) -> Result<Words, SpecError> {
        match steps.transforms(self.newton) {
            [_, true] => self.transformed([x.lower, y.lower], steps.operand()),
            _ => self.product(Form::Low, [x.whole, y.whole]),
        }
    }

    /// A block of the quotient, exact or one too small: `floor((R + floor(R F / B^(H + 1))) / B)`.
    ///
    /// With R = R' + r B^H and F = F' + f B^H it is `floor((R B + floor(R' F' / B^H) + r F + f R') / B^2)`.
    fn upper_words(&mut self, steps: &Steps, [r, f]: [Operand; 2], product: Words) -> Operand {
        let (half, count) = (steps.half, steps.half + 1);
        let [transforms, is_factor_of_transform] = steps.transforms(self.newton);
        let planes = steps.planes(is_factor_of_transform);
        let left = if transforms {
            let of =
                |number: Words, input, upper| Some(Factor { input, stride: number.words, word: half, upper });
            let times = |number, count, factor, upper| {
                let place = u32::from(upper);
                (number, Slice { factor, ..Slice::low(number, count, place) })
            };
            // The operands are numbered as they come first here.
            let (r, f) = (r.whole, f.whole);
            let parts = [
                (r, Slice::low(r, count, 1)),
                (product, Slice { from: half, ..Slice::low(product, half, 0) }),
                times(f, count, of(r, 0, false), false),
                times(f, count, of(r, 0, true), true),
                times(r, half, of(f, 2, false), false),
                times(r, half, of(f, 2, true), true),
            ];
            self.sum(half, &parts, None, (half + 3, 2), planes)
        } else {
            let parts = [
                (r.whole, Slice::low(r.whole, count, 0)),
                (product, Slice { from: count, ..Slice::low(product, count, 0) }),
            ];
            self.sum(half, &parts, None, (half + 2, 1), planes)
        };
        Operand::of(&left)
    }
}
