//! Batches of polynomials of different lengths: padded to few shapes, so that few programs serve them all.

use core::fmt;

use limbforge_algos::model::machine::Figures;
use limbforge_algos::model::{Application, Choice, Machine};
use limbforge_field::DynField;

use super::{
    Div, Gcd, Mul, PolyDivSpec, PolyGcdSpec, PolyMulSpec, PolyNewtonSpec, PolyNttSpec, SteppedProgram,
    residue_words,
};
use crate::spec::{Limits, SpecError};
use crate::{invariant::broken_invariant, pipeline::Program};

/// An operation on pairs of polynomials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolyOperation {
    /// a b.
    Mul,
    /// The quotient and the remainder of a by b.
    DivRem,
    /// The monic greatest common divisor.
    Gcd,
}

/// An operation on pairs that are padded to n and m terms.
///
/// Factors and operands of a gcd are padded above their leading coefficients; the longer one of a pair comes
/// first. Both operands of a division are multiplied by the power of x that gives the divisor m terms: the
/// quotient stays, the remainder is multiplied by the same power. So the quotient's terms are padded too, not
/// the dividend's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolyShape {
    operation: PolyOperation,
    n: u32,
    m: u32,
}

/// Terms of the shorter factor from which products go by transforms, if the field has them: as on the CPU.
const LEAST_OF_TRANSFORMS: u32 = 64;
/// Threads of a block where they do not follow from s.
const THREADS: u64 = 256;
/// Least number of terms of a shape.
const LEAST_TERMS: usize = 16;

/// The next number of terms that is 4, 5, 6 or 7 times a power of two: at most a quarter more.
fn padded(terms: usize) -> usize {
    let terms = terms.max(LEAST_TERMS);
    terms.next_multiple_of(1 << (terms.ilog2() - 2))
}

impl PolyShape {
    /// The shape for polynomials of so many terms with nonzero leading coefficients. None if the result needs
    /// no program: one of them is 0, or a dividend is shorter than its divisor.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for more than 2^31 terms.
    pub fn of(operation: PolyOperation, a: usize, b: usize) -> Result<Option<Self>, SpecError> {
        let (n, m) = match operation {
            _ if a == 0 || b == 0 => return Ok(None),
            PolyOperation::DivRem if a < b => return Ok(None),
            PolyOperation::DivRem => (padded(b) - 1 + padded(a - b + 1), padded(b)),
            PolyOperation::Mul | PolyOperation::Gcd => (padded(a.max(b)), padded(a.min(b))),
        };
        let terms = |what, terms: usize| {
            let found = u32::try_from(terms).unwrap_or(u32::MAX);
            super::check(what, found, 1..=1 << 31, "1 to 2^26").map(|()| found)
        };
        Ok(Some(Self { operation, n: terms("terms of a", n)?, m: terms("terms of b", m)? }))
    }

    /// The shape of polynomials of exactly n and m terms, from operands that lie as the program reads them:
    /// row after row, the longer ones of a product or a gcd first. Divisors have a nonzero leading
    /// coefficient; the other operands may end with zeros.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] unless the numbers of terms are 1 to 2^26, n at least m.
    pub fn of_rows(operation: PolyOperation, n: usize, m: usize) -> Result<Self, SpecError> {
        let terms = |what, terms: usize, most: u32, expected| {
            let found = u32::try_from(terms).unwrap_or(u32::MAX);
            super::check(what, found, 1..=most, expected).map(|()| found)
        };
        let n = terms("terms of a", n, super::MOST_TERMS, "1 to 2^26")?;
        let m = terms("terms of b", m, n, "1 to as many as a has")?;
        Ok(Self { operation, n, m })
    }

    /// The program for a device with these figures and limits (threads and shared memory of a block are those
    /// of the limits): products by transforms from 64 terms on where the field has them, divisions by
    /// Newton's inverse where its launches take less than the model's time of long division, else the program
    /// with the parameter of the least refined time.
    ///
    /// # Errors
    /// [`SpecError`] for sizes that no program has, or a block that needs more than the limits give.
    pub fn program(&self, field: &DynField, figures: Figures, limits: &Limits) -> Result<Program, SpecError> {
        let &Self { operation, n, m } = self;
        let figures = Figures {
            shared_bytes: limits.shared_bytes,
            block_threads: limits.threads.into(),
            word_bytes: 4 * u64::from(residue_words(field.modulus())),
            ..figures
        };
        let (a, b) = (u64::from(n), u64::from(m));
        match operation {
            PolyOperation::Mul => {
                if m >= LEAST_OF_TRANSFORMS
                    && let Ok(spec) = PolyNttSpec::new(field, n, m)
                {
                    return spec.program(limits);
                }
                let of = Application::Multiplication { n: a, m: b };
                let (s, threads, _) = parameters::<Mul>(&of, figures);
                PolyMulSpec::new(field, n, m, s, threads)?.program(limits)
            }
            PolyOperation::DivRem => {
                let of = Application::Division { n: a, m: b };
                let (s, threads, seconds) = parameters::<Div>(&of, figures);
                let newton = PolyNewtonSpec::new(field, n, m).and_then(|spec| spec.program(limits));
                match newton {
                    Ok(newton) if newton.launches.len() as f64 * figures.launch_seconds < seconds => {
                        Ok(newton)
                    }
                    _ => PolyDivSpec::new(field, n, m, s, threads)?.program(limits),
                }
            }
            PolyOperation::Gcd => {
                let (s, threads, _) = parameters::<Gcd>(&Application::Gcd { n: a, m: b }, figures);
                PolyGcdSpec::new(field, n, m, s, threads)?.program(limits)
            }
        }
    }

    /// Appends a pair of this shape, residues from low to high, to the operands in words of 32 bits.
    pub fn pack(&self, field: &DynField, pair: [&[u64]; 2], operands: &mut [Vec<u32>; 2]) {
        let [a, b] = pair;
        let (terms, words) = ([self.n as usize, self.m as usize], residue_words(field.modulus()) as usize);
        let (pair, low) = match self.operation {
            PolyOperation::DivRem => (pair, terms[1].saturating_sub(b.len())),
            _ if a.len() < b.len() => ([b, a], 0),
            _ => (pair, 0),
        };
        for ((residues, operand), terms) in pair.into_iter().zip(operands).zip(terms) {
            let end = operand.len() + terms * words;
            operand.resize(operand.len() + low * words, 0);
            for residue in residues {
                operand.extend([*residue as u32, (residue >> 32) as u32].iter().take(words));
            }
            operand.resize(end, 0);
        }
    }

    /// The result of a pair whose second one has `b` terms, from an instance of the program's result: the
    /// product, the gcd, or the quotient and the remainder, without zeros above the leading coefficients.
    ///
    /// # Panics
    /// If `words` are not those of one instance of the program's result.
    #[must_use]
    pub fn unpack(&self, field: &DynField, b: usize, words: &[u32]) -> [Vec<u64>; 2] {
        let size = residue_words(field.modulus()) as usize;
        let residues = |words: Option<&[u32]>| -> Vec<u64> {
            let words =
                words.unwrap_or_else(|| broken_invariant("the state of a division holds both results"));
            let residue =
                |words: &[u32]| words.iter().rev().fold(0, |high, &word| high << 32 | u64::from(word));
            let mut residues: Vec<u64> = words.chunks_exact(size).map(residue).collect();
            residues.truncate(residues.iter().rposition(|&residue| residue != 0).map_or(0, |last| last + 1));
            residues
        };
        if self.operation != PolyOperation::DivRem {
            return [residues(Some(words)), vec![]];
        }
        // The state of a division: two words, the remainder times a power of x, the quotient.
        let m = self.m as usize;
        [residues(words.get(size * (m + 1)..)), residues(words.get(size * (2 + m - b)..size * (m + 1)))]
    }
}

/// The canonical text.
impl fmt::Display for PolyShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, n, m } = self;
        write!(f, "{operation:?} n={n} m={m}")
    }
}

/// The parameter of the least refined time, the threads of a block, and that time in seconds.
fn parameters<O: SteppedProgram>(application: &Application, figures: Figures) -> (u32, u32, f64) {
    let candidates = application.parameters().take_while(|&s| s <= u64::from(O::MOST_S));
    let best = Machine::from_figures(figures)
        .and_then(|machine| application.best_refined(candidates, THREADS, &machine));
    // Where the model has no answer: the naive program runs on every machine.
    let Ok(Choice { s, threads, refined_seconds, .. }) = best else {
        return (1, THREADS as u32, f64::INFINITY);
    };
    let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX >> 1);
    (whole(s), whole(threads).next_multiple_of(32), refined_seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_shapes_serve_all_sizes() {
        for terms in 1..5000 {
            let wide = padded(terms);
            assert!(wide >= terms && (terms < LEAST_TERMS || 4 * wide <= 5 * terms + 4), "{terms} {wide}");
            assert_eq!(padded(wide), wide);
        }
        assert_eq!((16..=4096).filter(|&terms| padded(terms) == terms).count(), 33);
    }

    #[test]
    fn what_needs_no_program() {
        let of = |operation, a, b| PolyShape::of(operation, a, b).unwrap().is_none();
        for operation in [PolyOperation::Mul, PolyOperation::DivRem, PolyOperation::Gcd] {
            assert!(of(operation, 0, 5) && of(operation, 5, 0) && !of(operation, 6, 5));
        }
        assert!(of(PolyOperation::DivRem, 4, 5) && !of(PolyOperation::Gcd, 4, 5));
        assert!(PolyShape::of(PolyOperation::Mul, 1, usize::MAX >> 1).is_err());
    }

    #[test]
    fn algorithms_by_field_and_size() {
        let launches = |p, operation, a, b| {
            let shape = PolyShape::of(operation, a, b).unwrap().unwrap();
            let field = DynField::new(p).unwrap();
            let program = shape.program(&field, Figures::H200, &Limits::SM_90).unwrap();
            (program.launches.len(), program.kernels[0].to_string())
        };
        let (few, many) = (4_294_967_291, 2_013_265_921);
        let name = |p, operation, a, b| launches(p, operation, a, b).1;
        assert!(name(many, PolyOperation::Mul, 100, 64).contains("mul ntt"));
        assert!(name(many, PolyOperation::Mul, 100, 50).contains("poly mul p="));
        assert!(name(few, PolyOperation::Mul, 100, 64).contains("poly mul p="));
        assert!(name(many, PolyOperation::DivRem, 10_000, 5000).contains("div newton"));
        assert!(name(many, PolyOperation::DivRem, 10_000, 9995).contains("poly div p="));
        assert!(name(many, PolyOperation::DivRem, 100, 64).contains("poly div p="));
        assert!(name(few, PolyOperation::DivRem, 10_000, 5000).contains("poly div p="));
        assert!(launches(many, PolyOperation::Gcd, 10_000, 9000).0 < 400);
    }

    /// Quotient and remainder come back from where the program leaves them.
    #[test]
    fn pairs_are_packed_as_they_are_unpacked() {
        let field = DynField::new(18_446_744_073_709_551_557).unwrap();
        let shape = PolyShape::of(PolyOperation::DivRem, 20, 5).unwrap().unwrap();
        assert_eq!((shape.n, shape.m), (31, 16));
        let (a, b): (Vec<u64>, Vec<u64>) = ((1 << 40..).take(20).collect(), (1..=5).collect());
        let mut operands = [vec![], vec![]];
        shape.pack(&field, [&a, &b], &mut operands);
        shape.pack(&field, [&a, &b], &mut operands);
        assert_eq!(operands.each_ref().map(Vec::len), [2 * 2 * 31, 2 * 2 * 16]);
        assert_eq!((operands[0][22], operands[0][23], operands[1][22], operands[1][30]), (0, 1 << 8, 1, 5));
        let mut state = vec![7, 7, 7, 7];
        state.extend([0; 2 * 11]);
        state.extend([1, 2, 3, 4, 0, 0, 5, 0]);
        state.extend([9, 8, 0, 0, 1, 0]);
        state.extend([0; 2 * 13]);
        let [quotient, remainder] = shape.unpack(&field, 5, &state);
        assert_eq!(quotient, [9 | 8 << 32, 0, 1]);
        assert_eq!(remainder, [1 | 2 << 32, 3 | 4 << 32, 0, 5]);
    }
}
