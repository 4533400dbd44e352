//! Division by Newton's inverse of the reversed divisor: its kernels.

mod launches;

use core::fmt;

use limbforge_algos::transform::ntt::Direction;
use limbforge_field::DynField;

use self::launches::other;
use super::builder::{BOTH, Builder};
use super::mul::points_for;
use super::{MOST_TERMS, check};
use crate::pipeline::{Program, Source};
use crate::spec::{Limits, SpecError};

const APPEND: &str = include_str!("../../templates/poly_newton_append.cu.j2");
const FINISH: &str = include_str!("../../templates/poly_newton_finish.cu.j2");
/// Most terms of the inverse that one block finds term by term: fewer launches, but as many waits.
const MOST_START: u32 = 96;
/// The buffers of pairs of transforms, of single ones and of inverses: launches write the two in turn.
const PAIR: [usize; 2] = [0, 1];
const SINGLE: [usize; 2] = [2, 3];
const INVERSES: [usize; 2] = [4, 5];

/// Quotients and remainders of polynomials of n terms by polynomials of m terms with a nonzero leading
/// coefficient, in about log n transforms instead of n - m + 1 steps.
///
/// With f the reversed divisor, each step doubles the known terms of 1/f: from k terms g to `g - x^k (g h mod
/// x^k)` for `f g = 1 + x^k h mod x^2k`. A cyclic product of 2k points gives h, as its first k terms are
/// known. The quotient is the reversed dividend times 1/f to n - m + 1 terms; of `a - b q` only the terms of
/// the remainder are computed (von zur Gathen and Gerhard, Modern Computer Algebra, section 9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolyNewtonSpec {
    field: DynField,
    n: u32,
    m: u32,
    /// Terms of the inverse, at least n - m + 1: points of a transform.
    precision: u32,
    /// Points of the transforms for the quotient and for the remainder.
    points: [u32; 2],
}

/// A slice of a polynomial that a kernel reads: its buffer; terms from one instance to the next, the first
/// term, 1 if the others lie below it, and their number.
type Slice = (Source, [u32; 4]);

impl PolyNewtonSpec {
    /// Divisions of `n` by `m` terms, with `2 <= m <= n <= 2^26`.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for other numbers, [`SpecError::Points`] if the field lacks the roots of unity
    /// for transforms of twice the terms of the quotient or of the terms of the remainder.
    pub fn new(field: &DynField, n: u32, m: u32) -> Result<Self, SpecError> {
        check("terms of b", m, 2..=MOST_TERMS, "2 to 2^26")?;
        check("terms of a", n, m..=MOST_TERMS, "as many as b has or more, up to 2^26")?;
        let terms = n - m + 1;
        let points = [points_for(field, 2 * terms - 1)?, points_for(field, m - 1)?];
        Ok(Self { field: *field, n, m, precision: points_for(field, terms)?, points })
    }

    /// p.
    #[must_use]
    pub fn modulus(&self) -> u64 {
        self.field.modulus()
    }

    /// Terms of the inverse that the first kernel finds.
    const fn start(&self) -> u32 {
        let mut start = self.precision;
        while start > MOST_START {
            start /= 2;
        }
        start
    }

    /// The program; its result is the last state of a [`PolyDivSpec`](super::PolyDivSpec).
    ///
    /// # Errors
    /// [`SpecError`] if a transform needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let builder = Builder::new(self.modulus(), [self.n, self.m], limits);
        let mut division = Division { spec: self, builder };
        let inverse = division.inverse()?;
        division.quotient_and_remainder(inverse)?;
        Ok(division.builder.program.finished())
    }
}

/// A division whose program is being made.
struct Division<'s> {
    spec: &'s PolyNewtonSpec,
    builder: Builder<'s>,
}

impl Division<'_> {
    /// Finds the inverse of the reversed divisor; returns its buffer.
    fn inverse(&mut self) -> Result<usize, SpecError> {
        let (m, mut known) = (self.spec.m, self.spec.start());
        let mut inverse = INVERSES[0];
        self.start(inverse, known)?;
        while known < self.spec.precision {
            let points = 2 * known;
            let (forward, back) = ((points, Direction::Forward), (points, Direction::Inverse));
            let divisor = (Source::Input(1), [m, m - 1, 1, m.min(points)]);
            let known_terms = (Source::Buffer(inverse), [known, 0, 0, known]);
            let pair = self.transformed_pair([divisor, known_terms], points)?;
            let single = SINGLE[0];
            self.products(single, [(pair, 0, 2), (pair, points, 2)], points)?;
            let single = self.transform(SINGLE, single, back, 1)?;
            let wrong = (Source::Buffer(single), [points, known, 0, known]);
            let single = other(SINGLE, single);
            self.slices(single, [wrong], points)?;
            let single = self.transform(SINGLE, single, forward, 1)?;
            let product = other(SINGLE, single);
            self.products(product, [(single, 0, 1), (pair, points, 2)], points)?;
            let product = self.transform(SINGLE, product, back, 1)?;
            let read = [inverse, product].map(Source::Buffer).to_vec();
            inverse = other(INVERSES, inverse);
            self.sized(inverse, APPEND, read, &[points], points)?;
            known = points;
        }
        Ok(inverse)
    }

    fn quotient_and_remainder(&mut self, inverse: usize) -> Result<(), SpecError> {
        let &PolyNewtonSpec { n, m, precision, points: [long, short], .. } = self.spec;
        let terms = n - m + 1;
        let dividend = (Source::Input(0), [n, n - 1, 1, terms]);
        let first = (Source::Buffer(inverse), [precision, 0, 0, terms]);
        let pair = self.transformed_pair([dividend, first], long)?;
        let quotient = SINGLE[0];
        self.products(quotient, [(pair, 0, 2), (pair, long, 2)], long)?;
        let quotient = self.transform(SINGLE, quotient, (long, Direction::Inverse), 1)?;

        let divisor = (Source::Input(1), [m, 0, 0, m]);
        let factor = (Source::Buffer(quotient), [long, terms - 1, 1, terms]);
        let pair = self.transformed_pair([divisor, factor], short)?;
        let product = other(PAIR, pair);
        self.products(product, [(pair, 0, 2), (pair, short, 2)], short)?;
        let product = self.transform(PAIR, product, (short, Direction::Inverse), 1)?;
        let read = [BOTH, [quotient, product].map(Source::Buffer)].concat();
        self.sized(PAIR[0], FINISH, read, &[n, m, long, short], n)?;
        // Two words of the field lie before the n coefficients.
        self.builder.program.result_words = vec![self.builder.words(u64::from(n) + 2)];
        Ok(())
    }
}

impl fmt::Display for PolyNewtonSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n, m, .. } = self;
        write!(f, "poly div newton p={} n={n} m={m}", self.modulus())
    }
}
