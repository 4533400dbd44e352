//! Divisions by an inverse from below (`div_newton`), each a sequence of launches between those of other
//! operations.

mod blocks;
mod inverse;
mod launches;

use limbforge_limb::Layout;

use super::build::Builder;
use super::{Sink, Source};
use crate::invariant::broken_invariant;
use crate::newton::{DivOutput, QuotientShape, Stage, Steps};
use crate::ntt::ProductForm;
use crate::spec::{InputForm, LimbKind, SpecError};

/// The limb of numbers between a division's kernels.
const LIMB: LimbKind = LimbKind::of::<u32>();
/// Bits up to which every width has exact products: tensor cores multiply 8256 words exactly, but not the
/// next longer numbers. Wider types are named with this limit where no transform is proved.
const EVERY_WIDTH: u32 = 528_256;

/// A number between kernels: where it is, and its words in memory.
#[derive(Clone, Copy, Debug)]
struct Words {
    source: Source,
    words: u32,
}

/// The shifted operands, in the pieces that products read.
struct Shifted {
    shape: QuotientShape,
    /// Bits, signs and flags of each instance's operands.
    info: Words,
    dividend: Words,
    /// The H + 1 upper words of a block's dividend, and the factor of its upper part's product.
    dividend_top: [Words; 2],
    divisor_top: Words,
    divisor_low: Words,
    /// Prefixes of the divisor for the seed and for each step.
    prefixes: Vec<Words>,
}

/// A slice of a number in a sum, perhaps times a word of another number.
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
}

impl Builder<'_> {
    /// Whether a node is a division that is computed here.
    pub(super) fn is_newton(&self, node: usize) -> bool {
        let fits = self.limits.matrices && self.spec.ty.bits() >= self.newton.from_bits;
        fits && DivOutput::of(self.op(node)).is_some()
    }

    /// Adds the kernels of all divisions of the operands of a node. What they compute become values, or
    /// results if no other operation takes any of it.
    pub(super) fn division(&mut self, node: usize) -> Result<(), SpecError> {
        let (nodes, divisions) = (self.spec.dag.nodes(), self.same_divisions(node));
        let wanted: Vec<DivOutput> =
            divisions.iter().filter_map(|&node| DivOutput::of(self.op(node))).collect();
        let operands = [0, 1].map(|i| nodes[node].args[i].index());
        let (shape, sources) = self.quotient(operands).map_err(|error| self.refused(node, error))?;
        // All outputs are results and nothing else, or all stay for later kernels.
        let roots: Option<Vec<usize>> = divisions.iter().map(|&division| self.last(division)).collect();
        let (apart, output) = match roots {
            None => (false, Layout::InstanceMajor),
            Some(_) => (self.done.len() > 1, self.spec.output),
        };
        let fails = self.fails(&divisions);
        let kernel = self.division_kernel(Stage::CorrectLow { wanted, output, shape, apart, fails });
        if let Some(roots) = roots {
            roots.iter().for_each(|&root| self.done[root] = true);
            self.program.push(kernel, sources, roots.into_iter().map(Sink::Result).collect());
            return Ok(());
        }
        for (node, number) in divisions.into_iter().zip(self.planes(kernel, sources)) {
            self.keep(node, number.source, &format!("%{node}"), InputForm::Integers);
        }
        Ok(())
    }

    /// The error of a division: that of a product does not name the division's width.
    fn refused(&self, node: usize, error: SpecError) -> SpecError {
        use SpecError::{Digits, ResidueRange, Transform};
        let ty = self.spec.ty;
        let of_product = matches!(error, Digits(_) | ResidueRange { .. } | Transform { .. });
        match self.spec.dag.ids().nth(node).filter(|_| of_product && ty.bits() > EVERY_WIDTH) {
            Some(id) => SpecError::Division { operation: self.spec.dag.describe(id), ty, limit: EVERY_WIDTH },
            None => error,
        }
    }

    /// Adds the kernels before the last one of a division; returns the sources that the last one reads.
    fn quotient(&mut self, operands: [usize; 2]) -> Result<(QuotientShape, Vec<Source>), SpecError> {
        let is_shared = self.shares_divisor(operands)?;
        for operand in operands {
            self.integers(operand)?;
        }
        let steps = self.steps();
        let of = self.shifted(&steps, operands, is_shared);
        let Shifted { shape, info, dividend, dividend_top, divisor_top, divisor_low, .. } = of;
        let flags = info.source;
        let inverse = if is_shared {
            self.uniform(|builder| builder.inverse(&steps, &of))
        } else {
            self.skipping(Stage::NO_INVERSE, flags, |builder| builder.inverse(&steps, &of))
        }?;
        let block = |builder: &mut Self, dividend, mask| {
            builder.skipping(mask, flags, |builder| builder.block(&of, inverse, dividend))
        };
        let first = block(self, dividend_top, Stage::SHORT_BLOCK)?;
        let top = dividend_top[0];
        let read = self.reads([info, dividend, top, divisor_top, inverse[0], first.quotient, first.multiple]);
        let [rest, part, upper] = self.stage(Stage::CorrectHigh { shape }, read)[..] else {
            broken_invariant("the first correction leaves three planes")
        };
        let product = self.skipping(Stage::SHORT_DIVISOR, flags, |builder| {
            builder.whole_product([first.factor, divisor_low])
        })?;
        let last = block(self, [rest, part], Stage::ONE_BLOCK)?;
        let read = [info, dividend, top, divisor_top, divisor_low, rest, upper, first.multiple, product];
        let sources = [&read[..], &[last.quotient, last.multiple]].concat();
        Ok((shape, sources.into_iter().map(|number| number.source).collect()))
    }

    /// The lengths of all divisions in the type of the operands.
    fn steps(&self) -> Steps {
        Steps::new(self.spec.ty.bits().div_ceil(32), self.newton)
    }

    /// Whether a number is one for all instances, in a launch for all of them.
    fn is_for_all(&self, number: Words) -> bool {
        !self.is_uniform && matches!(number.source, Source::Uniform { .. })
    }

    /// All words of a product of two numbers of as many words.
    fn whole_product(&mut self, factors: [Words; 2]) -> Result<Words, SpecError> {
        let words = factors[0].words;
        if self.newton.transforms_wide(words) {
            self.transformed(ProductForm::Wide, factors, 2 * words)
        } else {
            self.product(ProductForm::Wide, factors)
        }
    }
}
