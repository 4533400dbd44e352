//! Residues in words.

use limbforge_limb::DivisionByZero;
use limbforge_limb::slice::{bits, cmp, div::LimbDivisor, mul::rows, mul::rows::montgomery::Short, sub};

use super::constants::{Reduction, Ring};
use crate::integer::montgomery::negated_inverse;
use crate::integer::{Scratch, barrett, div::divide, modinv2k};
use crate::{invariant::broken_invariant, transform::mul_ntt};

mod product;

/// From so many words on, Montgomery's products by transforms are faster than others: (with AVX-512, with
/// shorter vectors). Measured, microseconds by words and by transforms: 2.9 and 3.1 at 48 words, 4.9 and 3.7
/// (AVX2: 4.8) at 64, 10.5 and 6.0 (7.9) at 96.
const BY_TRANSFORMS: (usize, usize) = (56, 68);

/// As [`BY_TRANSFORMS`], compared with the reduction by fast rows: 5.8 and 6.0 (7.9) at 96 words, 7.7 and 6.4
/// (8.4) at 112, 9.9 and 7.6 (9.8) at 128, 21 and 12.6 (16.5) at 192.
const BY_TRANSFORMS_AFTER_ROWS: (usize, usize) = (108, 132);

/// From so many words on, a reduction by fast rows is eight words at a time. Those of 9 to 24 words have
/// kernels, which take 0.7 of that time.
const BY_FAST_ROWS: usize = 25;

/// Words of `-1/m` that Montgomery's reduction of a modulus of n words takes.
fn inverse_words(n: usize) -> usize {
    let (long, short) = if rows::are_fast() { BY_TRANSFORMS_AFTER_ROWS } else { BY_TRANSFORMS };
    let by_transforms = if mul_ntt::has_long_vectors() { long } else { short };
    if n >= by_transforms && mul_ntt::is_fast() {
        n
    } else if n >= BY_FAST_ROWS && rows::are_fast() {
        n.min(rows::MOST)
    } else {
        0
    }
}

impl Ring {
    /// The residues modulo any number, in words: Barrett's reduction.
    pub(crate) fn barrett(modulus: &[u64], scratch: &mut Scratch) -> Result<Self, DivisionByZero> {
        let modulus = bits::significant(modulus);
        let reciprocal = barrett::reciprocal(modulus, scratch)?;
        let word = if let [word] = *modulus { Some(LimbDivisor::new(word)?) } else { None };
        let one = small(u64::from(modulus != [1]), modulus.len());
        Ok(Self {
            modulus: modulus.to_vec(),
            one,
            reduction: Reduction::Barrett { reciprocal, word },
            short: None,
        })
    }

    /// The residues modulo an odd number, in words: Montgomery's reduction. `None` if it is even.
    pub(crate) fn montgomery(modulus: &[u64], scratch: &mut Scratch) -> Option<Self> {
        let (m, n) = (bits::significant(modulus), bits::significant(modulus).len());
        if !bits::bit(m, 0) {
            return None;
        }
        let mut negated_long = vec![0; inverse_words(n)];
        modinv2k::lift(&mut negated_long, &m[..inverse_words(n)], scratch)
            .unwrap_or_else(|_| broken_invariant("the modulus is odd"));
        sub::neg_assign(&mut negated_long);
        let mut power = vec![0; 2 * n + 1];
        power[2 * n] = 1;
        let square = divide(&power, m, scratch).1;
        let by_transforms = n > rows::MOST && negated_long.len() == n;
        let transforms = if by_transforms {
            mul_ntt::Reduction::new(m, &negated_long, scratch.product.transforms())
        } else {
            None
        };
        let negated = negated_inverse(m[0]);
        let reduction = Reduction::Montgomery { negated, square, negated_long, transforms };
        let mut ring =
            Self { modulus: m.to_vec(), one: small(1, n), reduction, short: Short::new(m, negated) };
        // A division by one digit takes less time than a long product.
        ring.one =
            if by_transforms { divide(&power[n..], m, scratch).1 } else { ring.enter(&ring.one, scratch) };
        Some(ring)
    }

    /// The residue of a number of any length.
    pub(crate) fn enter(&self, x: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        let (n, x) = (self.modulus.len(), bits::significant(x));
        let mut rest = vec![0; n];
        if x.len() <= n {
            rest[..x.len()].copy_from_slice(x);
        }
        let is_residue = x.len() <= n && cmp::cmp(&rest, &self.modulus).is_lt();
        match &self.reduction {
            Reduction::Montgomery { square, .. } => {
                if !is_residue {
                    rest = divide(x, &self.modulus, scratch).1;
                }
                return self.product(&rest, square, scratch);
            }
            Reduction::Barrett { word: Some(word), .. } if !is_residue => rest[0] = word.rem(x),
            Reduction::Barrett { .. } if !is_residue => {
                // Blocks as long as the modulus, from the top.
                rest.fill(0);
                let mut block = vec![0; 2 * n];
                for part in x.chunks(n).rev() {
                    block[..n].fill(0);
                    block[..part.len()].copy_from_slice(part);
                    block[n..].copy_from_slice(&rest);
                    self.reduce(&mut rest, &block, scratch);
                }
            }
            Reduction::Barrett { .. } => {}
        }
        rest
    }

    /// The number of a residue.
    pub(crate) fn leave(&self, a: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        match self.reduction {
            Reduction::Barrett { .. } => a.to_vec(),
            Reduction::Montgomery { .. } => self.product(a, &small(1, a.len()), scratch),
        }
    }
}

/// A word as n words.
fn small(word: u64, n: usize) -> Vec<u64> {
    let mut words = vec![0; n];
    words[0] = word;
    words
}

#[cfg(test)]
mod tests;
