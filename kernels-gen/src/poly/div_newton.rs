//! Division by Newton's inverse of the reversed divisor: its kernels.

mod launches;

use core::fmt;

use limbforge_algos::transform::ntt::Direction;
use limbforge_field::DynField;

use self::launches::other;
use super::mul_ntt::points_for;
use super::{MOST_TERMS, check, residue_words};
use crate::pipeline::{Program, Source};
use crate::spec::{Limits, SpecError};

const APPEND: &str = include_str!("../../templates/poly_newton_append.cu.j2");
const FINISH: &str = include_str!("../../templates/poly_newton_finish.cu.j2");

/// Most terms of the inverse that one block finds term by term: fewer launches, but as many waits.
const MOST_START: u32 = 96;

/// Buffers: two for pairs of transforms, two for single ones, two for inverses. A program writes one of two
/// from the other.
const PAIR: [usize; 2] = [0, 1];
const SINGLE: [usize; 2] = [2, 3];
const INVERSES: [usize; 2] = [4, 5];

/// Quotients and remainders of polynomials of n terms by polynomials of m terms whose highest coefficient is
/// not 0, in about log n transforms instead of n - m + 1 steps.
///
/// With f the divisor's coefficients from the highest one down, 1/f is found to twice the terms in each step:
/// `g - x^k (g h mod x^k)` for `f g = 1 + x^k h mod x^2k`, where h is read off a cyclic product of 2k points,
/// as its first k terms are known. The first n - m + 1 terms of the dividend from the highest one down times
/// 1/f are the quotient; of `a - b q` no more terms are computed than the remainder has (von zur Gathen and
/// Gerhard, Modern Computer Algebra, section 9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolyNewtonSpec {
    field: DynField,
    n: u32,
    m: u32,
    /// Terms of the inverse: points of a transform, n - m + 1 or more.
    precision: u32,
    /// Points for the quotient, and for the remainder.
    points: [u32; 2],
}

/// Terms of a polynomial that a kernel takes.
struct Slice {
    from: Source,
    stride: u32,
    start: u32,
    downwards: bool,
    terms: u32,
}

impl PolyNewtonSpec {
    /// Of `n` by `m` terms, 2 to 2^26 and n at least m.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for other numbers, [`SpecError::Points`] if the field has no transforms of
    /// twice the terms of the quotient, or of as many as the remainder has.
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
        let words = u64::from(residue_words(self.modulus()));
        let inputs = [self.n, self.m].map(|terms| words * u64::from(terms)).to_vec();
        let mut program = Builder { spec: self, program: Program::empty(inputs), words, limits };
        let inverse = program.inverse()?;
        program.quotient_and_remainder(inverse)?;
        Ok(program.program.finished())
    }
}

/// A program that is being made.
struct Builder<'s> {
    spec: &'s PolyNewtonSpec,
    program: Program,
    /// Words of 32 bits of a residue.
    words: u64,
    limits: &'s Limits,
}

impl Builder<'_> {
    /// The inverse of the reversed divisor, and the buffer that it is in.
    fn inverse(&mut self) -> Result<usize, SpecError> {
        let (m, mut known) = (self.spec.m, self.spec.start());
        let mut inverse = INVERSES[0];
        let start = self.start_kernel(known)?;
        self.launch(inverse, start, vec![Source::Input(1)], known);
        while known < self.spec.precision {
            let points = 2 * known;
            let divisor = Slice {
                from: Source::Input(1),
                stride: m,
                start: m - 1,
                downwards: true,
                terms: m.min(points),
            };
            let pair = [divisor, Slice::all(inverse, known)];
            let pair = self.transformed_pair(&pair, points)?;
            let single = SINGLE[0];
            self.products(single, [(pair, 0, 2), (pair, points, 2)], points)?;
            let single = self.transform(SINGLE, single, points, Direction::Inverse, 1)?;
            let wrong = Slice {
                from: Source::Buffer(single),
                stride: points,
                start: known,
                downwards: false,
                terms: known,
            };
            let single = other(SINGLE, single);
            self.slices(single, &[wrong], points)?;
            let single = self.transform(SINGLE, single, points, Direction::Forward, 1)?;
            let product = other(SINGLE, single);
            self.products(product, [(single, 0, 1), (pair, points, 2)], points)?;
            let product = self.transform(SINGLE, product, points, Direction::Inverse, 1)?;
            let read = [inverse, product].map(Source::Buffer).to_vec();
            inverse = other(INVERSES, inverse);
            self.sized(inverse, APPEND, read, vec![points], points)?;
            known = points;
        }
        Ok(inverse)
    }

    fn quotient_and_remainder(&mut self, inverse: usize) -> Result<(), SpecError> {
        let &PolyNewtonSpec { n, m, precision, points: [long, short], .. } = self.spec;
        let terms = n - m + 1;
        let dividend = Slice { from: Source::Input(0), stride: n, start: n - 1, downwards: true, terms };
        let first = Slice { stride: precision, terms, ..Slice::all(inverse, terms) };
        let pair = self.transformed_pair(&[dividend, first], long)?;
        let quotient = SINGLE[0];
        self.products(quotient, [(pair, 0, 2), (pair, long, 2)], long)?;
        let quotient = self.transform(SINGLE, quotient, long, Direction::Inverse, 1)?;

        let divisor = Slice { from: Source::Input(1), stride: m, start: 0, downwards: false, terms: m };
        let factor =
            Slice { from: Source::Buffer(quotient), stride: long, start: terms - 1, downwards: true, terms };
        let pair = self.transformed_pair(&[divisor, factor], short)?;
        let product = other(PAIR, pair);
        self.products(product, [(pair, 0, 2), (pair, short, 2)], short)?;
        let product = self.transform(PAIR, product, short, Direction::Inverse, 1)?;
        let read =
            vec![Source::Input(0), Source::Input(1), Source::Buffer(quotient), Source::Buffer(product)];
        self.sized(PAIR[0], FINISH, read, vec![n, m, long, short], n)?;
        // Before the n coefficients there are two words of the field.
        self.program.result_words = self.words * (u64::from(n) + 2);
        Ok(())
    }
}

impl Slice {
    /// The first terms of what is in a buffer, which has as many for each instance.
    const fn all(buffer: usize, terms: u32) -> Self {
        Self { from: Source::Buffer(buffer), stride: terms, start: 0, downwards: false, terms }
    }
}

impl fmt::Display for PolyNewtonSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n, m, .. } = self;
        write!(f, "poly div newton p={} n={n} m={m}", self.modulus())
    }
}
