//! Machine words to digits.
//!
//! A long number is divided by powers `P_k` with their reciprocals (Barrett 1986; Handbook of Applied
//! Cryptography, algorithm 14.42): two half-size products for each level.
//!
//! A short number x below `C^c` is turned into the fraction `(x + 1/2) / C^c`. Its product with C has the
//! first chunk above the point, the product of the rest the second, and so on (Knuth, TAOCP 2, 4.4, method
//! 2a). That takes half of the time of divisions by C, whose steps wait for each other.
//!
//! The fraction is exact enough: with c + 1 words, the first chunk is right as long as the error is below the
//! half of `C^-c`, which is at least `2^63` units of the last word. The error is that of the reciprocal, times
//! x below `2^(64 c)`, less than a unit; that of the columns that the product leaves out, less than c + 2
//! units; and that of `half`, less than a unit. A step multiplies the error and the half by C. It then drops
//! the last word, which is another unit at most. Hence the error stays below 2 c + 5 units.

use super::digits::{count, write_chunk};
use super::scratch::{Scratch, product};
use super::table::{LEAF, Leaf, Level, Radix};
use crate::slice::mul::schoolbook;
use crate::slice::{Scratch as ProductScratch, add, bits, cmp, sub};
use crate::text::DIGITS;

/// Powers of fewer words are multiplied by the columns that are needed alone; Karatsuba's product has all.
/// Measured best.
const SHORT: usize = 140;

/// Appends the digits of a number that is not zero.
pub(super) fn write(words: &[u64], table: &Radix, text: &mut Vec<u8>, scratch: &mut Scratch) {
    scratch.chunks.clear();
    if let &[word] = words
        && word < table.power
    {
        scratch.chunks.push(word);
    } else {
        let need = 8 * words.len() + 16 * LEAF;
        if scratch.room.len() < need {
            scratch.room.resize(need, 0);
        }
        let Scratch { chunks, room, product, .. } = scratch;
        Converter { table, chunks, product }.convert(words, room);
    }
    let zeros = scratch.chunks.iter().take_while(|&&chunk| chunk == 0).count();
    let Some((&first, chunks)) = scratch.chunks[zeros..].split_first() else {
        text.push(DIGITS[0]);
        return;
    };
    let (start, first_len) = (text.len(), count(first, table.radix));
    text.resize(start + first_len + chunks.len() * table.digits, DIGITS[0]);
    let (first_digits, digits) = text[start..].split_at_mut(first_len);
    write_chunk(first, table.radix, first_digits);
    for (&chunk, digits) in chunks.iter().zip(digits.chunks_exact_mut(table.digits)) {
        write_chunk(chunk, table.radix, digits);
    }
}

struct Converter<'a> {
    table: &'a Radix,
    chunks: &'a mut Vec<u64>,
    product: &'a mut ProductScratch,
}

impl Converter<'_> {
    /// Appends the chunks of a number, the first of which may be zero.
    fn convert(&mut self, number: &[u64], room: &mut [u64]) {
        let number = bits::significant(number);
        let bit_len = bits::bit_len(number);
        let Some(k) = self.table.level_of(number, bit_len) else {
            return self.convert_leaf(number, self.table.leaf(bit_len), room);
        };
        let (quotient, remainder, room) = self.divide(number, self.table.level(k), room);
        self.convert(quotient, room);
        self.convert_below(remainder, k, room);
    }

    /// Appends all chunks of a number below `P_k`, zeros, too.
    fn convert_below(&mut self, number: &[u64], k: usize, room: &mut [u64]) {
        let Some(k) = k.checked_sub(1) else {
            return self.convert_leaf(bits::significant(number), self.table.whole_leaf(), room);
        };
        let (quotient, remainder, room) = self.divide(number, self.table.level(k), room);
        self.convert_below(quotient, k, room);
        self.convert_below(remainder, k, room);
    }

    /// Appends the chunks of a number below `C^count`.
    fn convert_leaf(&mut self, number: &[u64], leaf: &Leaf, room: &mut [u64]) {
        // With a guard word below, which takes the carries that the window lacks.
        schoolbook::window(&mut room[..leaf.count + 2], number, &leaf.reciprocal, leaf.count - 1);
        let mut fraction = &mut room[1..leaf.count + 2];
        add::add_assign(fraction, &leaf.half, false);
        for _ in 0..leaf.count {
            self.chunks.push(add::mul_add_limb(fraction, self.table.power, 0));
            fraction = &mut fraction[1..];
        }
    }

    /// (quotient, remainder, rest of the room) for a number below `P_k^2`.
    fn divide<'r>(
        &mut self,
        number: &[u64],
        level: &Level,
        room: &'r mut [u64],
    ) -> (&'r [u64], &'r [u64], &'r mut [u64]) {
        let n = level.power.len();
        let (quotient, room) = room.split_at_mut(n + 1);
        let (remainder, room) = room.split_at_mut(n + 1);
        let number = bits::significant(number);
        self.estimate(quotient, &number[number.len().min(n - 1)..], &level.reciprocal, room);
        // The remainder is small and not negative: the words above it need not be computed.
        let used = number.len().min(n + 1);
        remainder[..used].copy_from_slice(&number[..used]);
        remainder[used..].fill(0);
        let low = self.low_product(&quotient[..n], &level.power, room);
        sub::sub_assign(remainder, low, false);
        while remainder[n] > 0 || cmp::cmp(&remainder[..n], &level.power).is_ge() {
            sub::sub_assign(remainder, &level.power, false);
            add::increment(quotient, true);
        }
        (&quotient[..n], &remainder[..n], room)
    }

    /// `quotient = floor(top * reciprocal / 2^(64 (n + 1)))`, or one less, for `quotient` and `reciprocal` of
    /// n + 1 words and `top` of as many at most.
    fn estimate(&mut self, quotient: &mut [u64], top: &[u64], reciprocal: &[u64], room: &mut [u64]) {
        let n = reciprocal.len() - 1;
        let used = if n < SHORT {
            // Columns, with two guard words: the lower one takes the carries that the window lacks.
            schoolbook::window(&mut room[..top.len() + 2], top, reciprocal, n - 1);
            &room[2..top.len() + 2]
        } else {
            let room = &mut room[..top.len() + n + 1];
            product(room, top, reciprocal, self.product);
            &room[n + 1..]
        };
        quotient[..used.len()].copy_from_slice(used);
        quotient[used.len()..].fill(0);
    }

    /// `a * b mod 2^(64 (n + 1))` for factors of n words.
    fn low_product<'r>(&mut self, a: &[u64], b: &[u64], room: &'r mut [u64]) -> &'r [u64] {
        let n = a.len();
        if n < SHORT {
            schoolbook::window(&mut room[..n + 1], a, b, 0);
        } else {
            product(&mut room[..2 * n], a, b, self.product);
        }
        &room[..n + 1]
    }
}
