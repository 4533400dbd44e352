//! The inverse of a division's divisor: a seed, then Newton steps.

use limbforge_algos::expr::Expr;
use limbforge_limb::Layout;

use super::{Flagged, Operand, Shifted, Term, Words};
use crate::newton::{Multiple, Stage, Steps, aligned, part_planes};
use crate::ntt::ProductForm;
use crate::pipeline::build::Builder;
use crate::spec::{InputForm, InputSpec, SpecError};

/// Words of a lane that computes a seed: there are enough instances for short lanes, which leave registers
/// free.
const SEED_LANE_WORDS: u32 = 16;

/// An inverse without its leading 1, as the operand of one product and of another.
#[derive(Clone, Copy, Debug)]
struct Inverse {
    difference: Words,
    correction: Words,
}

impl Builder<'_> {
    /// The inverse to h + 1 words.
    pub(super) fn inverse(&mut self, steps: &Steps, shifted: &Shifted) -> Result<Operand, SpecError> {
        let precisions = &steps.precisions;
        let splits = steps.splits(self.newton);
        let options = self.newton;
        // An inverse for all instances has no flags of one.
        let unless = (!self.is_uniform).then_some((Stage::NO_INVERSE, shifted.info.source));
        let planes = |step: usize| match precisions.get(step + 1) {
            Some(&to) => {
                vec![Steps::difference(to, options), Steps::correction(precisions[step], to, options)]
            }
            None => part_planes(steps.half, splits),
        };
        let seed = self.seed(precisions[0], shifted.prefixes[0], unless)?;
        let first = precisions[0];
        let mut inverse =
            self.sum(steps.half, &[Term::low(seed, first, 0)], None, (first, 0), planes(0), unless);
        for (step, pair) in precisions.windows(2).enumerate() {
            let operands = Inverse { difference: inverse[0], correction: inverse[1] };
            inverse = self.newton_step(
                steps.half,
                (pair[0], pair[1]),
                [shifted.prefixes[step + 1], shifted.divisor_top],
                operands,
                planes(step + 1),
                unless,
            )?;
        }
        Ok(Operand::of(&inverse))
    }

    /// `floor(B^(p + t) / (V + 1))` with p = t + 1 and V the divisor's prefix of p words: t words and a
    /// leading 1.
    fn seed(&mut self, t: u32, prefix: Words, unless: Flagged) -> Result<Words, SpecError> {
        let p = Steps::prefix(t);
        let one = Expr::literal(1_u32);
        let expr = (&one << (32 * (p + t))) / (Expr::input("v") + &one);
        let mut input = InputSpec::integers("v", Layout::InstanceMajor, false);
        input.form = InputForm::Narrow { words: prefix.words };
        let (unless, flags) = unless.unzip();
        let kernel = self.copy(&expr, input, [p + t + 1, t + 1], Some(SEED_LANE_WORDS), unless)?;
        let sources = [prefix.source].into_iter().chain(flags).collect();
        Ok(self.number(kernel, sources, t + 1))
    }

    /// From t to t' words of the inverse: `F B^m + floor((F + B^t) D / B^(t + 1))` with D the power
    /// difference of prefix and inverse in units of `B^t`.
    fn newton_step(
        &mut self,
        half: u32,
        (from, to): (u32, u32),
        [prefix, divisor_top]: [Words; 2],
        inverse: Inverse,
        planes: Vec<u32>,
        unless: Flagged,
    ) -> Result<Vec<Words>, SpecError> {
        let (t, count) = (from, to - from + 2);
        let f = inverse.difference;
        let (whole, lower) = (aligned(count), Steps::correction(from, to, self.newton));
        let is_split = Steps::splits_correction(from, self.newton);
        let left = if is_split { vec![whole, lower] } else { vec![lower] };
        let difference = self.difference(half, (from, to), [prefix, divisor_top], f, left, unless)?;
        let [d, lower] = [difference[0], difference[difference.len() - 1]];
        let operands = [inverse.correction, lower];
        let product = self.whole_product(operands, unless)?;
        if !is_split {
            let terms =
                [Term::low(f, t, to - from + 1), Term::low(d, count, 0), Term::high(product, t, count)];
            return Ok(self.sum(half, &terms, None, (to + 1, 1), planes, unless));
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
        Ok(self.sum(half, &terms, None, (to + 2, 2), planes, unless))
    }

    /// D: all that is above the inverse's t words of `B^(p + t) - (V + 1) (F + B^t)`, or up to five words'
    /// units less.
    fn difference(
        &mut self,
        half: u32,
        (t, to): (u32, u32),
        [prefix, divisor_top]: [Words; 2],
        f: Words,
        planes: Vec<u32>,
        unless: Flagged,
    ) -> Result<Vec<Words>, SpecError> {
        let (p, multiple) = (Steps::prefix(to), self.newton.difference(to));
        let product = match multiple {
            Multiple::Cyclic => {
                let product = self.transformed(ProductForm::Cyclic, [prefix, f], aligned(p), unless)?;
                let read = [prefix, f, divisor_top, product].map(|number| number.source);
                let (unless, flags) = unless.unzip();
                let stage = Stage::Difference { from: t, to, factor: divisor_top.words, planes, unless };
                return Ok(self.stage(half, stage, read.into_iter().chain(flags).collect(), None));
            }
            Multiple::Transformed => {
                self.transformed(ProductForm::Wide, [prefix, f], aligned(p + 1), unless)?
            }
            Multiple::Tensor => self.product(ProductForm::Low, [prefix, f], unless)?,
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
            terms.push(Term::low(f, 3, p - 2).times(divisor_top, half - 2).subtracted());
            terms.push(Term::low(f, 2, p - 1).times(divisor_top, half - 1).subtracted());
        }
        Ok(self.sum(half, &terms, Some(t), (p + 1, t), planes, unless))
    }
}
