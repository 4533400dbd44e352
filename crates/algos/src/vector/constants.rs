//! The constants of eight odd moduli.

use core::array::from_fn;

use super::lanes::{DIGIT_BITS, MASK, WIDTH, Words};
use crate::integer::{Scratch, div::divide, montgomery::negated_inverse};

/// The constants of the last moduli: a modulus that comes again in the same lane is not prepared again.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    digits: usize,
    moduli: [Vec<u64>; WIDTH],
    /// `R^2 mod m`.
    squares: [Vec<u64>; WIDTH],
}

impl Constants {
    /// For n digits.
    pub(super) fn prepare(&mut self, n: usize, moduli: [&[u64]; WIDTH], scratch: &mut Scratch) {
        let bits = 2 * n * DIGIT_BITS as usize;
        let mut square_of_r = vec![0; bits / 64 + 1];
        square_of_r[bits / 64] = 1 << (bits % 64);
        for (lane, modulus) in moduli.into_iter().enumerate() {
            if self.digits == n && self.moduli[lane] == modulus {
                continue;
            }
            self.squares[lane] = match lane.checked_sub(1).filter(|&below| self.moduli[below] == modulus) {
                Some(below) => self.squares[below].clone(),
                None => divide(&square_of_r, modulus, scratch).1,
            };
            modulus.clone_into(&mut self.moduli[lane]);
        }
        self.digits = n;
    }

    /// `R^2 mod m` of each modulus.
    pub(super) fn squares(&self) -> [&[u64]; WIDTH] {
        self.squares.each_ref().map(|square| &square[..])
    }

    /// `-1/m mod 2^52` of each modulus.
    pub(super) fn negated_inverses(&self) -> Words {
        Words(from_fn(|lane| negated_inverse(self.moduli[lane][0]) & MASK))
    }
}
