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

    /// `base^exponent` of a residue: a table of powers for the digits of the exponent.
    pub(crate) fn power<E: Base>(&self, base: &[u64], exponent: &[E], scratch: &mut Scratch) -> Vec<u64> {
        let len = bits::bit_len(exponent);
        let window = window_bits(len);
        let mut table = vec![self.one.clone(), base.to_vec()];
        for i in 2..1_usize << window {
            table.push(self.product(&table[i - 1], base, scratch));
        }
        let digit = |digit: u32| {
            let bit = |i: u32| usize::from(bits::bit(exponent, digit * window + i));
            (0..window).rev().fold(0, |digit, i| 2 * digit + bit(i))
        };
        let Some(top) = len.div_ceil(window).checked_sub(1) else { return table.swap_remove(0) };
        let (mut power, mut room) = (table[digit(top)].clone(), vec![]);
        for i in (0..top).rev() {
            for _ in 0..window {
                self.mul_assign(&mut power, None, &mut room, scratch);
            }
            if digit(i) != 0 {
                self.mul_assign(&mut power, Some(&table[digit(i)]), &mut room, scratch);
            }
        }
        power
    }
}

/// Bits of a digit of an exponent of `bits` bits: the fewest products with its table.
const fn window_bits(bits: u32) -> u32 {
    match bits {
        0..8 => 1,
        8..24 => 2,
        24..80 => 3,
        80..240 => 4,
        240..700 => 5,
        _ => 6,
    }
}
