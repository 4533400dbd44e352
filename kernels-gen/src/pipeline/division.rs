//! Divisions by an inverse from below (`div_newton`): each is a sequence of launches between those of other
//! operations.

mod blocks;
mod inverse;
mod launches;
mod numbers;
mod shift;

use limbforge_limb::Layout;

use self::blocks::Shared;
use self::numbers::{Dividend, Operand, Term, Words};
use self::shift::Shifted;
use super::build::{Builder, Value};
use super::{Sink, Source};
use crate::newton::{DivOutput, QuotientShape, Stage, Steps};
use crate::ntt::ProductForm;
use crate::spec::{InputSpec, LimbKind, SkipMask, SpecError};

/// The limb of numbers between a division's kernels.
const LIMB: LimbKind = LimbKind::of::<u32>();

/// Bits up to which every width has exact products: those of 8256 words on tensor cores are, the next longer
/// ones are not. Above, it is where all of a division's products go by transforms that are proved.
const EVERY_WIDTH: u32 = 528_256;

/// What kernels have left of a division: all that quotient and remainder are made of.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    half: u32,
    /// What is known of the products.
    shape: QuotientShape,
    /// The operands of the last kernel.
    sources: Vec<Source>,
}

/// Which instances a launch may leave out, and where their flags are.
type Flagged = Option<(SkipMask, Source)>;

impl Builder<'_> {
    /// Whether a node is a division that is computed here.
    pub(super) fn is_newton(&self, node: usize) -> bool {
        let fits = self.limits.matrices && self.spec.ty.bits() >= self.newton.from_bits;
        fits && DivOutput::of(self.op(node)).is_some()
    }

    /// The kernels of a division, its result a value on the device; so are those of all divisions of the same
    /// operands.
    pub(super) fn division(&mut self, node: usize) -> Result<(), SpecError> {
        let nodes = self.spec.dag.nodes();
        let args = &nodes[node].args;
        let of_these =
            |&other: &usize| DivOutput::of(&nodes[other].op).is_some() && nodes[other].args == *args;
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
        let wanted: Vec<DivOutput> = nodes.iter().filter_map(|&node| DivOutput::of(self.op(node))).collect();
        let [dividend, divisor] = [0, 1].map(|i| self.spec.dag.nodes()[nodes[0]].args[i].index());
        let quotient = self.quotient([dividend, divisor]).map_err(|error| self.refused(nodes[0], error))?;
        let stage = Stage::CorrectLow { wanted, output, shape: quotient.shape };
        let results = self.stage(quotient.half, stage, quotient.sources, sink);
        Ok(results.into_iter().map(|result| result.source).collect())
    }

    /// Why there is no division: that of a product says nothing of its width.
    fn refused(&self, node: usize, error: SpecError) -> SpecError {
        let ty = self.spec.ty;
        let of_product = matches!(
            error,
            SpecError::Digits(_) | SpecError::ResidueRange { .. } | SpecError::Transform { .. }
        );
        match self.spec.dag.ids().nth(node).filter(|_| of_product && ty.bits() > EVERY_WIDTH) {
            Some(id) => SpecError::Division { operation: self.spec.dag.describe(id), ty, limit: EVERY_WIDTH },
            None => error,
        }
    }

    fn quotient(&mut self, operands: [usize; 2]) -> Result<Quotient, SpecError> {
        let shared = self.shares_divisor(operands)?;
        for operand in operands {
            self.integers(operand)?;
        }
        let steps = Steps::new(self.spec.ty.bits().div_ceil(32), self.newton);
        let half = steps.half;
        let shape = QuotientShape { shared, ..steps.shape(self.newton) };
        let shifted = self.shifted(&steps, operands, shared);
        let inverse = if shared {
            self.uniform(|builder| builder.inverse(&steps, &shifted))
        } else {
            self.inverse(&steps, &shifted)
        }?;
        let Shifted { info, dividend, dividend_top, divisor_top, divisor_low, .. } = shifted;
        let multiple = self.newton.multiple(half);
        let shared = Shared { half, shape, multiple, divisor_top, divisor_low, inverse };

        let flags = info.source;
        let first = self.block(&shared, dividend_top, Some((Stage::SHORT_BLOCK, flags)))?;
        let read =
            [info, dividend, dividend_top.top, divisor_top, inverse.whole, first.quotient, first.multiple];
        let read = read.map(|number| number.source).to_vec();
        let next = self.stage(half, Stage::CorrectHigh { shape }, read, None);
        let rest = Dividend { top: next[0], part: next[1] };
        let upper = next[2];

        let unless = Some((Stage::SHORT_DIVISOR, flags));
        let product = self.whole_product([first.factor, divisor_low], unless)?;
        let last = self.block(&shared, rest, Some((Stage::ONE_BLOCK, flags)))?;
        let read = [
            info,
            dividend,
            dividend_top.top,
            divisor_top,
            divisor_low,
            rest.top,
            upper,
            first.multiple,
            product,
            last.quotient,
            last.multiple,
        ];
        Ok(Quotient { half, shape, sources: read.map(|number| number.source).to_vec() })
    }

    /// Whether a number is one for all instances, in a launch for all of them.
    fn is_for_all(&self, number: Words) -> bool {
        !self.is_uniform && matches!(number.source, Source::Uniform { .. })
    }

    /// All words of a product of two numbers of as many words.
    fn whole_product(&mut self, factors: [Words; 2], unless: Flagged) -> Result<Words, SpecError> {
        let words = factors[0].words;
        if self.newton.transforms_wide(words) {
            self.transformed(ProductForm::Wide, factors, 2 * words, unless)
        } else {
            self.product(ProductForm::Wide, factors, unless)
        }
    }
}
