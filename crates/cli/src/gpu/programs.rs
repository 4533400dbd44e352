//! The GPU's programs of the four applications, their operands, and the CPU's results.

use limbforge::{algos::model::Application, algos::poly::PolyRing};
use limbforge_field::{DynElement, DynField};
use limbforge_kernels_gen::poly::{PolyDivSpec, PolyGcdSpec, PolyMulSpec};
use limbforge_kernels_gen::{Limits, Program, SpecError, sort::SortSpec};

use crate::error::CliError;

/// The program with parameter s and blocks of `threads` threads, rounded up to whole warps.
pub fn program(
    application: &Application,
    field: &DynField,
    s: u64,
    threads: u64,
    limits: &Limits,
) -> Result<Program, SpecError> {
    let (s, threads) = (terms(s), terms(threads).next_multiple_of(32));
    match *application {
        Application::Multiplication { n, m } => {
            PolyMulSpec::new(field, terms(n), terms(m), s, threads)?.program(limits)
        }
        Application::Division { n, m } => {
            PolyDivSpec::new(field, terms(n), terms(m), s, threads)?.program(limits)
        }
        Application::Gcd { n, m } => PolyGcdSpec::new(field, terms(n), terms(m), s, threads)?.program(limits),
        Application::RadixSort { n, bits } => {
            SortSpec::new(terms(n), terms(bits), s, threads)?.program(limits)
        }
    }
}

/// The result of an application of polynomials, after [`skipped_words`].
pub fn expected(
    application: &Application,
    field: DynField,
    a: &[DynElement],
    b: &[DynElement],
) -> Result<Vec<u32>, CliError> {
    let ring = PolyRing::new(field);
    let result = match *application {
        Application::Multiplication { n, m } => padded(ring.mul(a, b), n + m - 1),
        Application::Division { n, m } => {
            let (quotient, remainder) =
                ring.div_rem(a, b).map_err(|error| CliError::Field(error.to_string()))?;
            [padded(remainder, m - 1), padded(quotient, n - m + 1)].concat()
        }
        Application::Gcd { n, .. } => padded(ring.gcd(a, b), n),
        Application::RadixSort { .. } => vec![],
    };
    Ok(words(field, &result))
}

/// Words before those that are compared: the state of a division.
pub fn skipped_words(application: &Application, field: DynField) -> usize {
    if matches!(application, Application::Division { .. }) { residue_bits(field) as usize / 16 } else { 0 }
}

/// Polynomials of at most this many terms with a common factor.
pub fn with_common(field: DynField, terms: [u64; 2], common: &[DynElement]) -> [Vec<DynElement>; 2] {
    let cofactor = |i: usize| polynomial(field, terms[i] + 1 - common.len() as u64, 4 + i as u64);
    [0, 1].map(|i| PolyRing::new(field).mul(&cofactor(i), common))
}

/// The specification refuses sizes that kernels cannot have.
pub fn terms(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX >> 1)
}

/// Bits of the words that hold a residue.
pub fn residue_bits(field: DynField) -> u64 {
    if field.modulus() >> 32 == 0 { 32 } else { 64 }
}

/// Keys of this many bits that look random.
pub fn random_keys(n: u64, bits: u64, seed: u64) -> Vec<u64> {
    let mut state = seed;
    (0..n).map(|_| random(&mut state) >> (64 - bits)).collect()
}

/// Keys of 32 or 64 bits as words of 32 bits.
pub fn key_words(keys: &[u64], bits: u64) -> Vec<u32> {
    let words = |&key: &u64| [key as u32, (key >> 32) as u32].into_iter().take(bits as usize / 32);
    keys.iter().flat_map(words).collect()
}

/// The sorted keys.
pub fn sorted_words(mut keys: Vec<u64>, bits: u64) -> Vec<u32> {
    keys.sort_unstable();
    key_words(&keys, bits)
}

/// A word that looks random.
pub const fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state ^ *state >> 31
}

/// Coefficients that look random, the highest one not 0.
pub fn polynomial(field: DynField, terms: u64, seed: u64) -> Vec<DynElement> {
    let mut state = seed;
    let mut coefficients: Vec<DynElement> = (0..terms).map(|_| field.element(random(&mut state))).collect();
    if let Some(last) = coefficients.last_mut().filter(|last| last.is_zero()) {
        *last = field.one();
    }
    coefficients
}

fn padded(mut a: Vec<DynElement>, terms: u64) -> Vec<DynElement> {
    a.resize(terms as usize, DynElement::ZERO);
    a
}

pub fn words(field: DynField, a: &[DynElement]) -> Vec<u32> {
    let values: Vec<u64> = a.iter().map(|&x| field.value(x)).collect();
    key_words(&values, residue_bits(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands() {
        let words_of = |n, bits| {
            let keys = random_keys(n, bits, n);
            (key_words(&keys, bits), sorted_words(keys, bits))
        };
        let (operand, expected) = words_of(1000, 32);
        assert!(expected.is_sorted() && operand != expected && operand.len() == 1000);
        let (operand, expected) = words_of(10, 64);
        let mut pairs: Vec<_> = operand.chunks(2).map(|pair| (pair[1], pair[0])).collect();
        pairs.sort_unstable();
        assert!(expected.chunks(2).map(|pair| (pair[1], pair[0])).eq(pairs));
        for p in [3, 2_013_265_921, 18_446_744_073_709_551_557] {
            let field = DynField::new(p).unwrap();
            for terms in [1, 2, 40] {
                let a = polynomial(field, terms, 1);
                assert!(a.len() == terms as usize && a.last().is_some_and(|last| !last.is_zero()));
                let wide = padded(a, 50);
                assert_eq!(words(field, &wide).len(), 50 * residue_bits(field) as usize / 32);
            }
        }
    }
}
