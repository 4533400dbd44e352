//! Powers of residues: a fixed window over the exponent.

use core::mem;

use limbforge_limb::Base;
use limbforge_limb::slice::bits;
use limbforge_limb::slice::mul::Factors;

use super::{Scratch, residues};

/// Residues of words, with a product.
pub(crate) trait Ring {
    /// The modulus, n words.
    fn words(&self) -> &[u64];

    /// `out = product of the residues`, n words each.
    fn mul(&self, out: &mut [u64], factors: Factors<'_, u64>, scratch: &mut Scratch);

    /// `a * b`.
    fn product(&self, a: &[u64], b: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        let mut out = vec![0; a.len()];
        self.mul(&mut out, Factors::Pair(a, b), scratch);
        out
    }

    /// `a = a * a`, by way of `room`.
    fn square(&self, a: &mut Vec<u64>, room: &mut Vec<u64>, scratch: &mut Scratch) {
        room.resize(a.len(), 0);
        self.mul(room, Factors::Square(a), scratch);
        mem::swap(a, room);
    }

    /// `a = a * b`, by way of `room`.
    fn multiply(&self, a: &mut Vec<u64>, b: &[u64], room: &mut Vec<u64>, scratch: &mut Scratch) {
        room.resize(a.len(), 0);
        self.mul(room, Factors::Pair(a, b), scratch);
        mem::swap(a, room);
    }

    /// `a + b`.
    fn sum(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut out = vec![0; a.len()];
        residues::sum(&mut out, a, b, self.words());
        out
    }

    /// `a - b`.
    fn difference(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut out = vec![0; a.len()];
        residues::difference(&mut out, a, b, self.words());
        out
    }
}

/// `base^exponent` for the residue of 1: a table of powers for the digits of the exponent.
pub(crate) fn power<B: Base>(
    ring: &impl Ring,
    base: &[u64],
    one: Vec<u64>,
    exponent: &[B],
    scratch: &mut Scratch,
) -> Vec<u64> {
    let len = bits::bit_len(exponent);
    let window = window_bits(len);
    let digits = len.div_ceil(window);
    let mut table = vec![one];
    for i in 1..1_usize << window {
        let next = if i == 1 { base.to_vec() } else { ring.product(&table[i - 1], base, scratch) };
        table.push(next);
    }
    let digit = |digit: u32| {
        let bit = |i: u32| usize::from(bits::bit(exponent, digit * window + i));
        (0..window).rev().fold(0, |digit, i| 2 * digit + bit(i))
    };
    let Some(top) = digits.checked_sub(1) else { return table.swap_remove(0) };
    let mut power = table[digit(top)].clone();
    let mut room = power.clone();
    for i in (0..top).rev() {
        for _ in 0..window {
            ring.square(&mut power, &mut room, scratch);
        }
        let digit = digit(i);
        if digit != 0 {
            ring.mul(&mut room, Factors::Pair(&power, &table[digit]), scratch);
            mem::swap(&mut power, &mut room);
        }
    }
    power
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
