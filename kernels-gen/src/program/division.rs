//! Divisions by an inverse from below (`div_newton`): each is a sequence of launches between those of other operations.

mod launches;

use limbforge_algos::expr::Expr;
use limbforge_limb::Layout;

use super::build::{Builder, Value};
use super::{Sink, Source};
use crate::error::SpecError;
use crate::newton::{Part, Plane, Stage, Steps, Wanted, aligned};
use crate::ntt::Form;
use crate::spec::{InputForm, InputSpec, LimbKind, Unless};

/// The limb of numbers between a division's kernels.
const LIMB: LimbKind = LimbKind::of::<u32>();

/// Words of a lane that computes a seed: there are enough instances for short lanes, which leave registers free.
const SEED_LANE_WORDS: u32 = 16;

/// What kernels have left of a division: all that quotient and remainder are made of.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    half: u32,
    /// Whether products of all words are of the H lower ones.
    splits: bool,
    /// The operands of the last kernel.
    sources: Vec<Source>,
}

/// Which instances a launch may leave out, and where their flags are.
type Flagged = Option<(Unless, Source)>;

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

/// A factor of a quotient's products: all of its H + 1 words, and the H lower ones where a product takes them (else the same
/// again).
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

/// A part of a sum: words of a number, perhaps times a word of another one.
#[derive(Clone, Copy, Debug)]
struct Term {
    number: Words,
    from: u32,
    count: u32,
    place: u32,
    negative: bool,
    factor: Option<(Words, u32)>,
}

impl Term {
    /// The `count` lowest words, added at `place`.
    const fn low(number: Words, count: u32, place: u32) -> Self {
        Self { number, from: 0, count, place, negative: false, factor: None }
    }

    /// `count` words from this one on, added at 0.
    const fn high(number: Words, from: u32, count: u32) -> Self {
        Self { from, ..Self::low(number, count, 0) }
    }

    const fn times(self, factor: Words, word: u32) -> Self {
        Self { factor: Some((factor, word)), ..self }
    }

    const fn subtracted(self) -> Self {
        Self { negative: true, ..self }
    }

    /// All numbers that it is made of.
    fn numbers(&self) -> impl Iterator<Item = Words> {
        [Some(self.number), self.factor.map(|(factor, _)| factor)].into_iter().flatten()
    }
}

impl Builder<'_> {
    /// Whether a node is a division that is computed here.
    pub(super) fn is_newton(&self, node: usize) -> bool {
        let fits = self.limits.matrices && self.spec.ty.bits() >= self.newton.from_bits;
        fits && Wanted::of(self.op(node)).is_some()
    }

    /// The kernels of a division, its result a value on the device; so are those of all divisions of the same operands.
    pub(super) fn division(&mut self, node: usize) -> Result<(), SpecError> {
        let nodes = self.spec.dag.nodes();
        let args = &nodes[node].args;
        let of_these = |&other: &usize| Wanted::of(&nodes[other].op).is_some() && nodes[other].args == *args;
        let divisions: Vec<usize> = (0..nodes.len()).filter(of_these).collect();
        let results = self.division_to(&divisions, Layout::InstanceMajor, None)?;
        for (node, source) in divisions.into_iter().zip(results) {
            let input = InputSpec::integers(&format!("%{node}"), Layout::InstanceMajor, false);
            self.values.insert(node, Value { source, input });
        }
        Ok(())
    }

    /// The kernels of divisions of the same operands, their results in the sink if there is one.
    pub(super) fn division_to(
        &mut self,
        nodes: &[usize],
        output: Layout,
        sink: Option<Sink>,
    ) -> Result<Vec<Source>, SpecError> {
        let wanted: Vec<Wanted> = nodes.iter().filter_map(|&node| Wanted::of(self.op(node))).collect();
        let [dividend, divisor] = [0, 1].map(|i| self.spec.dag.nodes()[nodes[0]].args[i].index());
        let quotient = self.quotient([dividend, divisor])?;
        let stage = Stage::Finish { wanted, output, splits: quotient.splits };
        let results = self.stage(quotient.half, stage, quotient.sources, sink);
        Ok(results.into_iter().map(|result| result.source).collect())
    }

    fn quotient(&mut self, operands: [usize; 2]) -> Result<Quotient, SpecError> {
        for operand in operands {
            self.integers(operand)?;
        }
        let steps = Steps::new(self.spec.ty.bits().div_ceil(32), self.newton);
        let half = steps.half;
        let splits = steps.splits(self.newton);
        let shifted = self.shifted(&steps, operands);
        let inverse = self.inverse(&steps, &shifted)?;

        let flags = shifted.info.source;
        let unless = Some((Stage::SHORT_BLOCK, flags));
        let product = self.block_product(&steps, [shifted.dividend_top, inverse], unless)?;
        let upper = self.upper_words(&steps, [shifted.dividend_top, inverse], product, unless);
        let multiple = self.multiple(&steps, [upper, shifted.divisor_top], unless)?;
        let Shifted { info, dividend, divisor_top, divisor_low, .. } = shifted;
        let read = [info, dividend, divisor_top.whole, divisor_low, inverse.whole, upper.whole, multiple];
        let read = read.map(|number| number.source).to_vec();
        let next = self.stage(half, Stage::Middle { splits }, read, None);
        let lower = |at: usize| if splits { next[at] } else { next[at - 3] };
        let rest = Operand { whole: next[0], lower: lower(3) };
        let factor = Operand { whole: next[1], lower: lower(4) };
        let upper = next[2];

        let product = self.block_product(&steps, [rest, factor], None)?;
        let unless = Some((Stage::ONE_BLOCK, flags));
        let last = self.upper_words(&steps, [rest, factor], product, unless);
        let last_multiple = self.multiple(&steps, [last, divisor_top], unless)?;
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
        Ok(Quotient { half, splits, sources: read.map(|number| number.source).to_vec() })
    }

    /// The operands, shifted, in the pieces that products read.
    fn shifted(&mut self, steps: &Steps, operands: [usize; 2]) -> Shifted {
        let half = steps.half;
        let plane = |of, from, count, words| Plane { of, from, count, words };
        // Where a product takes fewer words of it, those are the lower ones.
        let prefix = |precision, words: u32| {
            let count = Steps::prefix(precision);
            plane(Part::Divisor, 2 * half - count, count.min(words), words)
        };
        let (wide, [_, low]) = (steps.splits(self.newton), steps.transforms(self.newton));
        let operands_of = |of, from, count: u32, lower| {
            steps.planes(lower).into_iter().map(move |words| plane(of, from, count.min(words), words))
        };
        let mut planes = vec![
            plane(Part::Dividend, 0, 2 * half + 1, (2 * half + 1).next_multiple_of(4)),
            plane(Part::Divisor, 0, half, half.next_multiple_of(4)),
        ];
        planes.extend(operands_of(Part::Dividend, 2 * half - 1, half + 1, wide));
        planes.extend(operands_of(Part::Divisor, half, half, low));
        let seed = steps.precisions[0];
        planes.push(prefix(seed, Steps::prefix(seed).next_multiple_of(4)));
        planes.extend(steps.precisions[1..].iter().map(|&to| prefix(to, Steps::difference(to, self.newton))));
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
        let splits = steps.splits(self.newton);
        let options = self.newton;
        let planes = |step: usize| match precisions.get(step + 1) {
            Some(&to) => {
                vec![Steps::difference(to, options), Steps::correction(precisions[step], to, options)]
            }
            None => steps.planes(splits),
        };
        let seed = self.seed(precisions[0], shifted.prefixes[0])?;
        let first = precisions[0];
        let mut inverse =
            self.sum(steps.half, &[Term::low(seed, first, 0)], None, (first, 0), planes(0), None);
        for (step, pair) in precisions.windows(2).enumerate() {
            let operands = Inverse { difference: inverse[0], correction: inverse[1] };
            inverse = self.newton_step(
                steps.half,
                (pair[0], pair[1]),
                [shifted.prefixes[step + 1], shifted.divisor_top.whole],
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
        let kernel = self.copy(&expr, input, [p + t + 1, t + 1], Some(SEED_LANE_WORDS), None)?;
        Ok(self.launch(kernel, vec![prefix.source], t + 1))
    }

    /// From t to t' words of the inverse: `F B^m + floor((F + B^t) D / B^(t + 1))` with D the power difference of prefix and
    /// inverse in units of `B^t`.
    fn newton_step(
        &mut self,
        half: u32,
        (from, to): (u32, u32),
        [prefix, divisor_top]: [Words; 2],
        inverse: Inverse,
        planes: Vec<u32>,
    ) -> Result<Vec<Words>, SpecError> {
        let (t, p) = (from, Steps::prefix(to));
        let count = to - from + 2;
        let f = inverse.difference;
        let is_transformed = self.newton.transforms_difference(to);
        let product = if is_transformed {
            self.transformed([prefix, f], aligned(p + 1), None)?
        } else {
            self.product(Form::Low, [prefix, f], None)?
        };
        // -((V + 1) (F + B^t)): of V F, of F, of V B^t and of B^t.
        let mut terms = vec![
            Term::low(product, p + 1, 0).subtracted(),
            Term::low(f, t, 0).subtracted(),
            Term::low(prefix, p.min(prefix.words), t).subtracted(),
        ];
        if is_transformed {
            // The two words of V above those of the transform are the divisor's top: times the words of F that count.
            terms.push(Term::low(f, 3, p - 2).times(divisor_top, half - 2).subtracted());
            terms.push(Term::low(f, 2, p - 1).times(divisor_top, half - 1).subtracted());
        }
        let (whole, lower) = (aligned(count), Steps::correction(from, to, self.newton));
        let is_split = Steps::splits_correction(from, self.newton);
        let left = if is_split { vec![whole, lower] } else { vec![lower] };
        let difference = self.sum(half, &terms, Some(t), (p + 1, t), left, None);
        let [d, lower] = [difference[0], difference[difference.len() - 1]];
        let operands = [inverse.correction, lower];
        let product = if self.newton.transforms_wide(from - 1) {
            self.transformed(operands, 2 * (from - 1), None)?
        } else {
            self.product(Form::Wide, operands, None)?
        };
        if !is_split {
            let terms =
                [Term::low(f, t, to - from + 1), Term::low(d, count, 0), Term::high(product, t, count)];
            return Ok(self.sum(half, &terms, None, (to + 1, 1), planes, None));
        }
        // In units of B^(t - 1), with F = F' + f B^(t - 1) and D = D' + d B^(t - 1) + e B^t: D B + F' D' + f D + (d + e B) F'.
        let low = t - 1;
        let mut terms = vec![
            Term::low(f, t, to - from + 2),
            Term::low(d, count, 1),
            Term::high(product, low, low),
            Term::low(d, count, 0).times(f, low),
        ];
        terms.extend((low..count).map(|word| Term::low(f, low, word - low).times(d, word)));
        Ok(self.sum(half, &terms, None, (to + 2, 2), planes, None))
    }

    /// R F for a block of the quotient, or of the H lower words of both.
    fn block_product(
        &mut self,
        steps: &Steps,
        [x, y]: [Operand; 2],
        unless: Flagged,
    ) -> Result<Words, SpecError> {
        match steps.transforms(self.newton) {
            [true, _] => self.transformed([x.lower, y.lower], 2 * steps.half, unless),
            _ => self.product(Form::Wide, [x.lower, y.lower], unless),
        }
    }

    /// The lower words of a block of the quotient by the divisor's top.
    fn multiple(&mut self, steps: &Steps, [x, y]: [Operand; 2], unless: Flagged) -> Result<Words, SpecError> {
        match steps.transforms(self.newton) {
            [_, true] => self.transformed([x.lower, y.lower], steps.operand(), unless),
            _ => self.product(Form::Low, [x.whole, y.whole], unless),
        }
    }

    /// A block of the quotient, exact or one too small: `floor((R + floor(R F / B^(H + 1))) / B)`.
    ///
    /// With R = R' + r B^H and F = F' + f B^H it is `floor((R B + floor(R' F' / B^H) + r F + f R') / B^2)`.
    fn upper_words(
        &mut self,
        steps: &Steps,
        [r, f]: [Operand; 2],
        product: Words,
        unless: Flagged,
    ) -> Operand {
        let (half, count) = (steps.half, steps.half + 1);
        let [_, is_factor_of_transform] = steps.transforms(self.newton);
        let planes = steps.planes(is_factor_of_transform);
        let left = if steps.splits(self.newton) {
            let (r, f) = (r.whole, f.whole);
            let terms = [
                Term::low(r, count, 1),
                Term::high(product, half, half),
                Term::low(f, count, 0).times(r, half),
                Term::low(r, half, 0).times(f, half),
            ];
            self.sum(half, &terms, None, (half + 3, 2), planes, unless)
        } else {
            let terms = [Term::low(r.whole, count, 0), Term::high(product, count, count)];
            self.sum(half, &terms, None, (half + 2, 1), planes, unless)
        };
        Operand::of(&left)
    }
}
