//! The first kernels of a division: they shift its operands, and find the inverse of the divisor by a seed
//! and Newton steps.

use limbforge_algos::expr::Expr;
use limbforge_limb::Layout;

use super::{Shifted, Term, Words};
use crate::newton::{Multiple, Part, Plane, QuotientShape, Stage, Steps, aligned, part_factor, part_planes};
use crate::ntt::ProductForm;
use crate::pipeline::build::{Builder, Value};
use crate::pipeline::is_product;
use crate::spec::{InputForm, InputSpec, SpecError};

/// Words of a lane that computes a seed: enough instances allow short lanes, which leave registers free.
const SEED_LANE_WORDS: u32 = 16;

impl Builder<'_> {
    /// Whether only the divisor is one for all instances: it is then shifted and inverted once. One that has
    /// to be computed first, as `b | 1`, is computed once here.
    pub(super) fn shares_divisor(&mut self, [dividend, divisor]: [usize; 2]) -> Result<bool, SpecError> {
        if !self.is_one_for_all(divisor) || self.is_one_for_all(dividend) {
            return Ok(false);
        }
        self.uniform(|builder| builder.integers(divisor))?;
        Ok(true)
    }

    /// Whether a node comes from operands that are the same for all instances, in a kernel that never fails.
    pub(in crate::pipeline) fn is_one_for_all(&self, node: usize) -> bool {
        let needed = self.needed(node);
        needed.iter().enumerate().filter(|(_, needed)| **needed).all(|(i, _)| match self.values.get(&i) {
            Some(value) => value.input.broadcast && value.input.form == InputForm::Integers,
            None => !self.op(i).is_within_warp() && !is_product(self.op(i)),
        })
    }

    /// Shifts the operands. A kernel of its own shifts a shared divisor once.
    pub(super) fn shifted(&mut self, steps: &Steps, operands: [usize; 2], shared: bool) -> Shifted {
        let half = steps.half;
        let plane = |of, from, count, words| Plane { of, from, count, words, of_inverse: true };
        let read_at_last = |plane| Plane { of_inverse: false, ..plane };
        // A prefix of p words. A product that takes fewer reads the lower ones, a cyclic one the upper ones.
        let prefix = |precision, words: u32, upper: bool| {
            let all = Steps::prefix(precision);
            let count = all.min(words);
            plane(Part::Divisor, 2 * half - if upper { count } else { all }, count, words)
        };
        let of_step = |&to: &u32| {
            let cyclic = self.newton.difference(to) == Multiple::Cyclic;
            prefix(to, Steps::difference(to, self.newton), cyclic)
        };
        let shape = QuotientShape { shared, ..steps.shape(self.newton) };
        let part = part_factor(half, shape.splits);
        let mut planes = vec![
            read_at_last(plane(Part::Dividend, 0, 2 * half + 1, aligned(2 * half + 1))),
            read_at_last(plane(Part::Divisor, 0, half, aligned(half))),
            plane(Part::Dividend, 2 * half - 1, half + 1, steps.operand()),
            plane(Part::Dividend, 2 * half - 1 + steps.part(), part.min(steps.part() + 1), part),
            read_at_last(plane(Part::Divisor, half, half, shape.factor)),
        ];
        let seed = steps.precisions[0];
        planes.push(prefix(seed, Steps::prefix(seed).next_multiple_of(4), false));
        planes.extend(steps.precisions[1..].iter().map(of_step));
        let values = operands.map(|operand| self.values[&operand].clone());
        let left = if shared {
            self.shifted_apart(&planes, &values)
        } else {
            let [dividend, divisor] = values.each_ref().map(|value| Some(value.input.clone()));
            let sources = values.iter().map(|value| value.source).collect();
            self.stage(Stage::Normalise { dividend, divisor, planes }, sources)
        };
        Shifted {
            shape,
            info: left[0],
            dividend: left[1],
            divisor_low: left[2],
            dividend_top: [left[3], left[4]],
            divisor_top: left[5],
            prefixes: left[6..].to_vec(),
        }
    }

    /// The flags of each instance and the planes in their order, by one kernel for each operand.
    fn shifted_apart(&mut self, planes: &[Plane], [dividend, divisor]: &[Value; 2]) -> Vec<Words> {
        let of = |part| planes.iter().copied().filter(|plane| plane.of == part).collect();
        let (input, planes_of) = (Some(divisor.input.clone()), of(Part::Divisor));
        let stage = Stage::Normalise { dividend: None, divisor: input, planes: planes_of };
        let of_divisor = self.uniform(|builder| builder.stage(stage, vec![divisor.source]));
        let (input, planes_of) = (Some(dividend.input.clone()), of(Part::Dividend));
        let stage = Stage::Normalise { dividend: input, divisor: None, planes: planes_of };
        let of_dividend = self.stage(stage, vec![dividend.source, of_divisor[0].source]);
        let [mut v, mut u] = [of_divisor[1..].iter(), of_dividend[1..].iter()];
        let next = |plane: &Plane| if plane.of == Part::Divisor { v.next() } else { u.next() };
        [of_dividend[0]].into_iter().chain(planes.iter().filter_map(next).copied()).collect()
    }

    /// The inverse to h + 1 words: all of it, and the words that products read.
    pub(super) fn inverse(&mut self, steps: &Steps, of: &Shifted) -> Result<[Words; 2], SpecError> {
        let (precisions, options) = (&steps.precisions, self.newton);
        let planes = |step: usize| match precisions.get(step + 1) {
            Some(&to) => {
                vec![Steps::difference(to, options), Steps::correction(precisions[step], to, options)]
            }
            None => part_planes(steps.half, steps.splits(options)),
        };
        let first = precisions[0];
        let seed = self.seed(first, of.prefixes[0])?;
        let mut inverse = self.sum(&[Term::low(seed, first, 0)], None, (first, 0), planes(0));
        for (step, pair) in precisions.windows(2).enumerate() {
            let divisor = [of.prefixes[step + 1], of.divisor_top];
            inverse =
                self.newton_step((pair[0], pair[1]), divisor, [inverse[0], inverse[1]], planes(step + 1))?;
        }
        Ok([inverse[0], inverse[inverse.len() - 1]])
    }

    /// `floor(B^(p + t) / (V + 1))`, a leading 1 and t words, with V the divisor's prefix of p = t + 1 words.
    fn seed(&mut self, t: u32, prefix: Words) -> Result<Words, SpecError> {
        let p = Steps::prefix(t);
        let one = Expr::literal(1_u32);
        let expr = (&one << (32 * (p + t))) / (Expr::input("v") + &one);
        let form = InputForm::Narrow { words: prefix.words };
        let input = InputSpec { form, ..InputSpec::integers("v", Layout::InstanceMajor, false) };
        let kernel = self.copy(&expr, input, [p + t + 1, t + 1], Some(SEED_LANE_WORDS))?;
        Ok(self.number(kernel, self.reads([prefix]), t + 1))
    }

    /// From t to t' words of the inverse: `F B^m + floor((F + B^t) D / B^(t + 1))` with D the power
    /// difference of prefix and inverse in units of `B^t`. The inverse is given as the operand of D and of
    /// the product with D.
    fn newton_step(
        &mut self,
        (from, to): (u32, u32),
        divisor: [Words; 2],
        [f, factor]: [Words; 2],
        planes: Vec<u32>,
    ) -> Result<Vec<Words>, SpecError> {
        let (t, count) = (from, to - from + 2);
        let mut left = vec![Steps::correction(from, to, self.newton)];
        let is_split = Steps::splits_correction(from, self.newton);
        if is_split {
            left.insert(0, aligned(count));
        }
        let difference = self.difference((from, to), divisor, f, left)?;
        let [d, lower] = [difference[0], difference[difference.len() - 1]];
        let product = self.whole_product([factor, lower])?;
        if !is_split {
            let terms =
                [Term::low(f, t, to - from + 1), Term::low(d, count, 0), Term::high(product, t, count)];
            return Ok(self.sum(&terms, None, (to + 1, 1), planes));
        }
        // In units of B^(t - 1), with F = F' + f B^(t - 1) and D = D' + d B^(t - 1) + e B^t: D B + F' D' + f
        // D + (d + e B) F'.
        let low = t - 1;
        let mut terms = vec![
            Term::low(f, t, to - from + 2),
            Term::low(d, count, 1),
            Term::high(product, low, low),
            Term::low(d, count, 0).times(f, low),
        ];
        terms.extend((low..count).map(|word| Term::low(f, low, word - low).times(d, word)));
        Ok(self.sum(&terms, None, (to + 2, 2), planes))
    }

    /// D: the words of `B^(p + t) - (V + 1) (F + B^t)` above the lowest t, or up to five units less.
    fn difference(
        &mut self,
        (t, to): (u32, u32),
        [prefix, divisor_top]: [Words; 2],
        f: Words,
        planes: Vec<u32>,
    ) -> Result<Vec<Words>, SpecError> {
        let (p, multiple) = (Steps::prefix(to), self.newton.difference(to));
        let product = match multiple {
            Multiple::Cyclic => {
                let product = self.transformed(ProductForm::Cyclic, [prefix, f], aligned(p))?;
                let (factor, unless) = (divisor_top.words, self.mask());
                let read = self.reads([prefix, f, divisor_top, product]);
                return Ok(self.stage(Stage::Difference { from: t, to, factor, planes, unless }, read));
            }
            Multiple::Transformed => self.transformed(ProductForm::Wide, [prefix, f], aligned(p + 1))?,
            Multiple::Tensor => self.product(ProductForm::Low, [prefix, f])?,
        };
        // -((V + 1) (F + B^t)): of V F, of F, of V B^t and of B^t.
        let mut terms = vec![
            Term::low(product, p + 1, 0).subtracted(),
            Term::low(f, t, 0).subtracted(),
            Term::low(prefix, p.min(prefix.words), t).subtracted(),
        ];
        if multiple == Multiple::Transformed {
            // The two words of V above those of the transform are the divisor's top: times the words of F
            // that count.
            let half = self.steps().half;
            terms.push(Term::low(f, 3, p - 2).times(divisor_top, half - 2).subtracted());
            terms.push(Term::low(f, 2, p - 1).times(divisor_top, half - 1).subtracted());
        }
        Ok(self.sum(&terms, Some(t), (p + 1, t), planes))
    }
}
