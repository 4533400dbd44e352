//! Powers and inverses of residues.

use limbforge_limb::Base;
use limbforge_limb::slice::{bits, mul::Factors};

use super::constants::{Reduction, Ring};
use crate::integer::Scratch;
use crate::integer::modinv::{ModInvError, modinv};

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
        let mut left = bits::bit_len(exponent);
        if left == 0 {
            return self.one.clone();
        }
        let window = window_bits(left);
        let table = self.odd_powers(base, 1 << (window - 1), scratch);
        let bit = |i: u32| bits::bit(exponent, i);
        let (mut power, mut room): (Option<Vec<u64>>, _) = (None, vec![]);
        while left > 0 {
            // The bits `low..left` of the next digit: a zero, or at most a window from a one to a one.
            let low = if bit(left - 1) {
                (left.saturating_sub(window)..left).find(|&i| bit(i)).unwrap_or(left - 1)
            } else {
                left - 1
            };
            let digit = (low..left).rev().fold(0, |digit, i| 2 * digit + usize::from(bit(i)));
            if let Some(power) = &mut power {
                self.square_times(power, left - low, &mut room, scratch);
                if digit != 0 {
                    self.mul_assign(power, Some(&table[digit / 2]), &mut room, scratch);
                }
            } else {
                power = Some(table[digit / 2].clone());
            }
            left = low;
        }
        power.unwrap_or_else(|| self.one.clone())
    }

    /// `base, base^3, base^5, ..`, `count` of them.
    fn odd_powers(&self, base: &[u64], count: usize, scratch: &mut Scratch) -> Vec<Vec<u64>> {
        let mut table = vec![base.to_vec()];
        if count > 1 {
            let mut square = vec![0; base.len()];
            self.mul(&mut square, Factors::Square(base), scratch);
            for i in 1..count {
                table.push(self.product(&table[i - 1], &square, scratch));
            }
        }
        table
    }
}

/// Bits of a window for an exponent of `bits` bits: `2^(w - 1)` products for the table, and about one for each
/// w + 1 bits.
const fn window_bits(bits: u32) -> u32 {
    match bits {
        0..=7 => 1,
        8..=25 => 2,
        26..=81 => 3,
        82..=241 => 4,
        242..=673 => 5,
        674..=1793 => 6,
        _ => 7,
    }
}
