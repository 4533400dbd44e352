//! The blocks of a quotient, each in two parts by the same inverse, which is half as long as a block.

use super::{Shifted, Term, Words};
use crate::newton::{Multiple, Stage, aligned};
use crate::{ntt::ProductForm, pipeline::build::Builder, spec::SpecError};

/// A block of the quotient, exact or too small by one, and its product by the divisor's top.
pub(super) struct Block {
    pub(super) quotient: Words,
    /// Its H words, if they are a factor of another product too.
    pub(super) factor: Words,
    pub(super) multiple: Words,
}

impl Builder<'_> {
    /// A block of the quotient: the lower part is the quotient of what the upper one leaves.
    pub(super) fn block(
        &mut self,
        of: &Shifted,
        inverse: [Words; 2],
        [top, factor]: [Words; 2],
    ) -> Result<Block, SpecError> {
        let (half, shape) = (self.steps().half, of.shape);
        let h = half / 2;
        let number = Term::high(top, h, h + 1);
        let upper = self.part(of, inverse, number, factor, None, vec![shape.factor])?[0];
        let multiple = self.multiple(of, upper)?;
        let read = self.reads([top, of.divisor_top, of.divisor_low, upper, multiple]);
        let rest = self.stage(Stage::PartialRemainder { shape, unless: self.mask() }, read);
        let (number, factor) = (Term::low(rest[0], h + 2, 0), rest[rest.len() - 1]);
        let mut planes = vec![shape.factor, aligned(half)];
        planes.dedup();
        let block = self.part(of, inverse, number, factor, Some(upper), planes)?;
        let multiple = self.multiple(of, block[0])?;
        Ok(Block { quotient: block[0], factor: block[block.len() - 1], multiple })
    }

    /// The part that is needed of a product of a part or a block of the quotient by the divisor's top.
    fn multiple(&mut self, of: &Shifted, quotient: Words) -> Result<Words, SpecError> {
        let half = self.steps().half;
        let (factors, out) = ([quotient, of.divisor_top], aligned(half + 1));
        match self.newton.multiple(half) {
            Multiple::Cyclic => self.transformed(ProductForm::Cyclic, factors, out),
            Multiple::Transformed => self.transformed(ProductForm::Wide, factors, out),
            Multiple::Tensor => self.product(ProductForm::Low, factors),
        }
    }

    /// A part of the quotient: `floor((R + floor(R F / B^(h + 1))) / B)` plus B^h times the part above, for
    /// the number R of h + 1 or h + 2 words and the inverse F. The product reads `factor`: all words of R or
    /// the h lower ones.
    ///
    /// With R = R' + r B^h and F = F' + f B^h it is `floor((R B + floor(R' F' / B^h) + r F + f R') / B^2)`.
    fn part(
        &mut self,
        of: &Shifted,
        [inverse, inverse_low]: [Words; 2],
        number: Term,
        factor: Words,
        above: Option<Words>,
        planes: Vec<u32>,
    ) -> Result<Vec<Words>, SpecError> {
        let h = self.steps().part();
        let product = self.whole_product([factor, inverse_low])?;
        let drop = if of.shape.splits { 2 } else { 1 };
        let mut terms = vec![Term { place: drop - 1, ..number }];
        if of.shape.splits {
            terms.push(Term::high(product, h, h));
            terms.push(Term { count: h, ..number }.times(inverse, h));
            terms
                .extend((h..number.count).map(|word| {
                    Term::low(inverse, h + 1, word - h).times(number.number, number.from + word)
                }));
        } else {
            terms.push(Term::high(product, h + 1, h + 2));
        }
        terms.extend(above.map(|above| Term::low(above, h, h + drop)));
        let words = if above.is_some() { 2 * h } else { h };
        Ok(self.sum(&terms, None, (words + drop, drop), planes))
    }
}
