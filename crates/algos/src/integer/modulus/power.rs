//! Powers and inverses of residues.

use core::mem;

use limbforge_limb::Base;
use limbforge_limb::slice::{bits, mul::Factors};

use super::constants::{Reduction, Ring};
use crate::integer::modinv::{ModInvError, modinv};
use crate::integer::{Scratch, packed::as_words};
use windows::Windows;

mod windows;

impl Ring {
    /// `out = 1/a`; zero if there is none.
    pub(crate) fn inverse(
        &self,
        out: &mut [u64],
        a: &[u64],
        scratch: &mut Scratch,
    ) -> Result<(), ModInvError> {
        let result = modinv(out, a, &self.modulus, scratch);
        match &self.reduction {
            _ if result.is_err() => out.fill(0),
            Reduction::Barrett { .. } => {}
            // 1/(a R): times R^2 it is the number 1/a, and once more its residue.
            Reduction::Montgomery { square, .. } => {
                let number = self.product(out, square, scratch);
                self.mul(out, Factors::Pair(&number, square), scratch);
            }
        }
        result
    }

    /// `x^exponent` of a number.
    pub(crate) fn power_of<E: Base>(&self, x: &[u64], exponent: &[E], scratch: &mut Scratch) -> Vec<u64> {
        let base = self.enter(x, scratch);
        let power = self.power(&base, exponent, scratch);
        self.leave(&power, scratch)
    }

    /// `base^exponent` of a residue by sliding windows: a table of odd powers, for digits that end in a one.
    pub(crate) fn power<E: Base>(&self, base: &[u64], exponent: &[E], scratch: &mut Scratch) -> Vec<u64> {
        let exponent = as_words(exponent);
        let mut windows = Windows::new(bits::significant(&exponent));
        // The squares before the first digit are those of 1.
        let Some((_, first)) = windows.next() else { return self.one.clone() };
        let mut table = mem::take(&mut scratch.table);
        self.fill_odd_powers(&mut table, base, windows.odd_powers(), scratch);
        let odd_power = |digit: usize| &table[digit / 2 * base.len()..][..base.len()];
        let (mut power, mut room) = (odd_power(first).to_vec(), vec![]);
        for (squares, digit) in windows {
            self.square_times(&mut power, squares, &mut room, scratch);
            if digit != 0 {
                self.mul_assign(&mut power, Some(odd_power(digit)), &mut room, scratch);
            }
        }
        scratch.table = table;
        power
    }

    /// `base, base^3, base^5, ..`, `count` of them, one after the other.
    fn fill_odd_powers(&self, table: &mut Vec<u64>, base: &[u64], count: usize, scratch: &mut Scratch) {
        let n = base.len();
        table.clear();
        table.extend_from_slice(base);
        table.resize(n * count, 0);
        if count > 1 {
            let mut square = vec![0; n];
            self.mul(&mut square, Factors::Square(base), scratch);
            for i in 1..count {
                let (below, next) = table.split_at_mut(i * n);
                self.mul(&mut next[..n], Factors::Pair(&below[(i - 1) * n..], &square), scratch);
            }
        }
    }
}
