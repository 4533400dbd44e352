//! The inverse of a division's divisor: a seed, then Newton steps.

use limbforge_algos::expr::Expr;
use limbforge_limb::Layout;

use super::{Shifted, Term, Words};
use crate::newton::{Multiple, Stage, Steps, aligned, part_planes};
use crate::spec::{InputForm, InputSpec, SpecError};
use crate::{ntt::ProductForm, pipeline::build::Builder};

/// Words of a lane that computes a seed: enough instances allow short lanes, which leave registers free.
const SEED_LANE_WORDS: u32 = 16;

impl Builder<'_> {
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
