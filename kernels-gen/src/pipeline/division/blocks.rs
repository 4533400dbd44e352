//! The blocks of a quotient, in two parts each: by the same inverse, which is half as long as a block.

use super::{Dividend, Flagged, Operand, Term, Words};
use crate::newton::{Multiple, QuotientShape, Stage, aligned};
use crate::ntt::ProductForm;
use crate::pipeline::build::Builder;
use crate::spec::SpecError;

/// What the blocks of a quotient share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    /// H: words of a block, an even number.
    pub(super) half: u32,
    pub(super) shape: QuotientShape,
    pub(super) multiple: Multiple,
    pub(super) divisor_top: Words,
    pub(super) divisor_low: Words,
    pub(super) inverse: Operand,
}

/// A block of the quotient, exact or one too small, and its product by the divisor's top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) quotient: Words,
    /// Its H words, if they are a factor of another product too.
    pub(super) factor: Words,
    pub(super) multiple: Words,
}

/// What a part of the quotient is made of.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// R: h + 1 or h + 2 words.
    number: Term,
    /// The factor of the product: its h lower words, or all.
    factor: Words,
    /// The part above.
    above: Option<Words>,
}

impl Builder<'_> {
    /// A block of the quotient: the lower part is that of what the upper one leaves.
    pub(super) fn block(
        &mut self,
        shared: &Shared,
        dividend: Dividend,
        unless: Flagged,
    ) -> Result<Block, SpecError> {
        let Shared { half, shape, divisor_top, divisor_low, .. } = *shared;
        let (h, top) = (half / 2, dividend.top);
        let part = Part { number: Term::high(top, h, h + 1), factor: dividend.part, above: None };
        let upper = self.part(shared, part, vec![shape.factor], unless)?[0];
        let multiple = self.multiple(shared, upper, unless)?;
        let read = [top, divisor_top, divisor_low, upper, multiple].map(|number| number.source);
        let (left_out, flags) = unless.unzip();
        let read = read.into_iter().chain(flags).collect();
        let rest =
            Operand::of(&self.stage(half, Stage::PartialRemainder { shape, unless: left_out }, read, None));
        let part = Part { number: Term::low(rest.whole, h + 2, 0), factor: rest.lower, above: Some(upper) };
        let mut planes = vec![shape.factor];
        if shape.factor != aligned(half) {
            planes.push(aligned(half));
        }
        let block = self.part(shared, part, planes, unless)?;
        let multiple = self.multiple(shared, block[0], unless)?;
        Ok(Block { quotient: block[0], factor: block[block.len() - 1], multiple })
    }

    /// The product of a part or a block of the quotient by the divisor's top, as much of it as is needed.
    fn multiple(&mut self, shared: &Shared, quotient: Words, unless: Flagged) -> Result<Words, SpecError> {
        let (factors, out) = ([quotient, shared.divisor_top], aligned(shared.half + 1));
        match shared.multiple {
            Multiple::Cyclic => self.transformed(ProductForm::Cyclic, factors, out, unless),
            Multiple::Transformed => self.transformed(ProductForm::Wide, factors, out, unless),
            Multiple::Tensor => self.product(ProductForm::Low, factors, unless),
        }
    }

    /// A part of the quotient: `floor((R + floor(R F / B^(h + 1))) / B)`, and the part above added, times
    /// B^h.
    ///
    /// With R = R' + r B^h and F = F' + f B^h it is `floor((R B + floor(R' F' / B^h) + r F + f R') / B^2)`.
    fn part(
        &mut self,
        shared: &Shared,
        Part { number, factor, above }: Part,
        planes: Vec<u32>,
        unless: Flagged,
    ) -> Result<Vec<Words>, SpecError> {
        let (half, splits, f) = (shared.half, shared.shape.splits, shared.inverse.whole);
        let h = half / 2;
        let product = self.whole_product([factor, shared.inverse.lower], unless)?;
        let drop = if splits { 2 } else { 1 };
        let mut terms = vec![Term { place: drop - 1, ..number }];
        if splits {
            terms.push(Term::high(product, h, h));
            terms.push(Term { count: h, ..number }.times(f, h));
            terms.extend(
                (h..number.count)
                    .map(|word| Term::low(f, h + 1, word - h).times(number.number, number.from + word)),
            );
        } else {
            terms.push(Term::high(product, h + 1, h + 2));
        }
        terms.extend(above.map(|above| Term::low(above, h, h + drop)));
        let words = if above.is_some() { half } else { h };
        Ok(self.sum(half, &terms, None, (words + drop, drop), planes, unless))
    }
}
