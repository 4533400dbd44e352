//! The constants of eight odd moduli.

use core::array::from_fn;

use super::lanes::{WIDTH, Words};
use crate::integer::{Scratch, div::divide, montgomery::negated_inverse};

/// The constants of the last moduli: a modulus that comes again in the same lane is not prepared again.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    /// Of R.
    bits: u32,
    moduli: [Vec<u64>; WIDTH],
    /// `R^2 mod m`.
    squares: [Vec<u64>; WIDTH],
}

impl Constants {
    /// For `R = 2^bits`.
    pub(super) fn prepare(&mut self, bits_of_r: u32, moduli: [&[u64]; WIDTH], scratch: &mut Scratch) {
        let bits = 2 * bits_of_r as usize;
        let mut square_of_r = vec![0; bits / 64 + 1];
        square_of_r[bits / 64] = 1 << (bits % 64);
        for (lane, modulus) in moduli.into_iter().enumerate() {
            if self.bits == bits_of_r && self.moduli[lane] == modulus {
                continue;
            }
            self.squares[lane] = match lane.checked_sub(1).filter(|&below| self.moduli[below] == modulus) {
                Some(below) => self.squares[below].clone(),
                None => divide(&square_of_r, modulus, scratch).1,
            };
            modulus.clone_into(&mut self.moduli[lane]);
        }
        self.bits = bits_of_r;
    }

    /// `R^2 mod m` of each modulus.
    pub(super) fn squares(&self) -> [&[u64]; WIDTH] {
        self.squares.each_ref().map(|square| &square[..])
    }

    /// The lowest digit of `-1/m mod 2^64` of each modulus.
    pub(super) fn negated_inverses(&self, digit: impl Fn(u64) -> u64) -> Words {
        Words(from_fn(|lane| digit(negated_inverse(self.moduli[lane][0]))))
    }
}
