//! The first kernels of a division: its operands shifted, each for itself or the divisor once for all
//! instances.

use super::{Shifted, Words};
use crate::newton::{Multiple, Part, Plane, QuotientShape, Stage, Steps, aligned, part_factor};
use crate::pipeline::build::{Builder, Value};
use crate::pipeline::products::is_product;
use crate::spec::{InputForm, SpecError};

impl Builder<'_> {
    /// Whether the divisor is one for all instances but the dividend is not: then it is shifted and inverted
    /// once. If it has to be computed first, as `b | 1`, that is done once too.
    pub(super) fn shares_divisor(&mut self, [dividend, divisor]: [usize; 2]) -> Result<bool, SpecError> {
        if !self.is_one_for_all(divisor) || self.is_one_for_all(dividend) {
            return Ok(false);
        }
        self.uniform(|builder| builder.integers(divisor))?;
        Ok(true)
    }

    /// Whether a node comes from operands that are the same for all instances, in a kernel that never fails.
    fn is_one_for_all(&self, node: usize) -> bool {
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
}
