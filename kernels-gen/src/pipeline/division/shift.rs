//! What a division begins with: its operands shifted, each for itself or the divisor once for all instances.

use super::{Dividend, Words};
use crate::newton::{Multiple, Part, Plane, QuotientShape, Stage, Steps, aligned, part_factor};
use crate::pipeline::build::{Builder, Value};
use crate::pipeline::products::is_product;
use crate::spec::{InputForm, SpecError};

/// What the kernels that shift the operands leave.
#[derive(Debug)]
pub(super) struct Shifted {
    pub(super) info: Words,
    pub(super) dividend: Words,
    pub(super) dividend_top: Dividend,
    pub(super) divisor_top: Words,
    pub(super) divisor_low: Words,
    /// For the seed and for each step.
    pub(super) prefixes: Vec<Words>,
}

impl Builder<'_> {
    /// Whether the divisor is one for all instances, and not the dividend too: it is shifted and inverted
    /// once then. If it is to be computed first, as `b | 1` is, that is done once too.
    pub(super) fn shares_divisor(&mut self, [dividend, divisor]: [usize; 2]) -> Result<bool, SpecError> {
        if !self.is_one_for_all(divisor) || self.is_one_for_all(dividend) {
            return Ok(false);
        }
        self.uniform(|builder| builder.integers(divisor))?;
        Ok(true)
    }

    /// Whether a node's value is computed from operands that are one for all instances, by operations that
    /// never fail and need no other kernels.
    fn is_one_for_all(&self, node: usize) -> bool {
        let needed = self.needed(node);
        needed.iter().enumerate().filter(|(_, needed)| **needed).all(|(i, _)| match self.values.get(&i) {
            Some(value) => value.input.broadcast && value.input.form == InputForm::Integers,
            None => !self.op(i).is_within_warp() && !is_product(self.op(i)),
        })
    }

    /// The operands, shifted, in the pieces that products read. A shared divisor is shifted once, by a kernel
    /// of its own.
    pub(super) fn shifted(&mut self, steps: &Steps, operands: [usize; 2], shared: bool) -> Shifted {
        let half = steps.half;
        let plane = |of, from, count, words| Plane { of, from, count, words, of_inverse: true };
        let read_at_last = |plane| Plane { of_inverse: false, ..plane };
        // Of p words. Where a product takes fewer of them, those are the lower ones, or of a cyclic one the
        // upper ones.
        let prefix = |precision, words: u32, upper: bool| {
            let all = Steps::prefix(precision);
            let count = all.min(words);
            plane(Part::Divisor, 2 * half - if upper { count } else { all }, count, words)
        };
        let of_step = |&to: &u32| {
            let cyclic = self.newton.difference(to) == Multiple::Cyclic;
            prefix(to, Steps::difference(to, self.newton), cyclic)
        };
        let QuotientShape { splits, factor, .. } = steps.shape(self.newton);
        let part = part_factor(half, splits);
        let mut planes = vec![
            read_at_last(plane(Part::Dividend, 0, 2 * half + 1, aligned(2 * half + 1))),
            read_at_last(plane(Part::Divisor, 0, half, aligned(half))),
            plane(Part::Dividend, 2 * half - 1, half + 1, steps.operand()),
            plane(Part::Dividend, 2 * half - 1 + steps.part(), part.min(steps.part() + 1), part),
            read_at_last(plane(Part::Divisor, half, half, factor)),
        ];
        let seed = steps.precisions[0];
        planes.push(prefix(seed, Steps::prefix(seed).next_multiple_of(4), false));
        planes.extend(steps.precisions[1..].iter().map(of_step));
        let values = operands.map(|operand| self.values[&operand].clone());
        let left = if shared {
            self.shifted_apart(half, &planes, &values)
        } else {
            let [dividend, divisor] = values.each_ref().map(|value| Some(value.input.clone()));
            let sources = values.iter().map(|value| value.source).collect();
            self.stage(half, Stage::Normalise { dividend, divisor, planes }, sources, None)
        };
        Shifted {
            info: left[0],
            dividend: left[1],
            divisor_low: left[2],
            dividend_top: Dividend { top: left[3], part: left[4] },
            divisor_top: left[5],
            prefixes: left[6..].to_vec(),
        }
    }

    /// What is known of each instance's operands, and the planes in their order.
    fn shifted_apart(&mut self, half: u32, planes: &[Plane], [dividend, divisor]: &[Value; 2]) -> Vec<Words> {
        let of = |part| planes.iter().copied().filter(|plane| plane.of == part).collect();
        let stage = Stage::Normalise {
            dividend: None,
            divisor: Some(divisor.input.clone()),
            planes: of(Part::Divisor),
        };
        let of_divisor = self.uniform(|builder| builder.stage(half, stage, vec![divisor.source], None));
        let stage = Stage::Normalise {
            dividend: Some(dividend.input.clone()),
            divisor: None,
            planes: of(Part::Dividend),
        };
        let of_dividend = self.stage(half, stage, vec![dividend.source, of_divisor[0].source], None);
        let [mut v, mut u] = [of_divisor[1..].iter(), of_dividend[1..].iter()];
        let next = |plane: &Plane| if plane.of == Part::Divisor { v.next() } else { u.next() };
        [of_dividend[0]].into_iter().chain(planes.iter().filter_map(next).copied()).collect()
    }
}
