//! Digits to machine words.
//!
//! Few chunks are joined one by one: `value * C + chunk`. More are split at a power `P_k`: `high * P_k + low`.

use super::digits::parse_chunk;
use super::scratch::{Scratch, product};
use super::table::{LEAF, Radix};
use crate::slice::{Scratch as ProductScratch, add};

/// Chunks that are joined one by one, at most. Halves win where Karatsuba's product does; measured best.
const SHORT: usize = 4 * LEAF;

/// Sets `scratch.value` to the number with these digits of the radix.
pub(super) fn parse(digits: &[u8], table: &Radix, scratch: &mut Scratch) {
    let Scratch { value, room, product, .. } = scratch;
    let chunks = digits.len().div_ceil(table.digits);
    value.clear();
    value.resize(chunks, 0);
    if chunks == 0 {
        return;
    }
    // The shorter, upper half takes its words and three times as many; the product takes all words, too.
    if room.len() < 3 * chunks {
        room.resize(3 * chunks, 0);
    }
    parse_into(digits, table, value, room, product);
}

/// `out = number`, a word for each chunk.
fn parse_into(digits: &[u8], table: &Radix, out: &mut [u64], room: &mut [u64], scratch: &mut ProductScratch) {
    if out.len() <= SHORT {
        return parse_short(digits, table, out);
    }
    // The highest level below all chunks; a chunk fits a word, and so the powers have at most as many words.
    let k = ((out.len() - 1) / LEAF).ilog2() as usize;
    let low_chunks = LEAF << k;
    let (high_digits, low_digits) = digits.split_at(digits.len() - low_chunks * table.digits);
    let (low, above) = out.split_at_mut(low_chunks);
    parse_into(low_digits, table, low, room, scratch);
    let (high, room) = room.split_at_mut(above.len());
    parse_into(high_digits, table, high, room, scratch);
    above.fill(0);
    let power = &table.level(k).power;
    let shifted = &mut room[..high.len() + power.len()];
    product(shifted, high, power, scratch);
    add::add_assign(out, shifted, false);
}

/// Multiplies and adds.
fn parse_short(digits: &[u8], table: &Radix, out: &mut [u64]) {
    let (first, chunks) = digits.split_at(digits.len() - (out.len() - 1) * table.digits);
    out.fill(0);
    out[0] = parse_chunk(first, table.radix);
    for (used, chunk) in (1..).zip(chunks.chunks_exact(table.digits)) {
        out[used] = add::mul_add_limb(&mut out[..used], table.power, parse_chunk(chunk, table.radix));
    }
}
