//! Eight rows of words as digits of 52 bits, and columns as eight rows of words.

use core::array::from_fn;

use super::super::lanes::{HALVES, MASK};
use super::{DIGIT_BITS, Lanes, WIDTH};
use crate::vector::rows::part;

/// The digits of eight numbers, with any bits above 52.
#[inline(always)]
pub(super) fn enter<L: Lanes, const M: usize, const N: usize>(
    lanes: L,
    rows: &[[u64; M]; WIDTH],
) -> [L::Word; N] {
    let words: [L::Word; M] = turned(lanes, rows);
    let mut digits = [lanes.splat(0); N];
    unrolled!(i < N => digits[i] = digit(lanes, &words, i));
    digits
}

/// Digit i of eight numbers, with any bits above.
#[inline(always)]
fn digit<L: Lanes, const M: usize>(lanes: L, words: &[L::Word; M], i: usize) -> L::Word {
    let bit = i as u32 * DIGIT_BITS;
    let (word, at) = ((bit / u64::BITS) as usize, bit % u64::BITS);
    match words.get(word + 1) {
        Some(&above) if at > u64::BITS - DIGIT_BITS => lanes.funnel(words[word], above, at),
        _ => lanes.shr(words[word], at),
    }
}

/// Words of eight rows side by side.
#[inline(always)]
fn turned<L: Lanes, const M: usize>(lanes: L, rows: &[[u64; M]; WIDTH]) -> [L::Word; M] {
    let mut words = [lanes.splat(0); M];
    if M == WIDTH / 2 {
        let mut pairs = [lanes.splat(0); WIDTH / 2];
        for (pair, rows) in pairs.iter_mut().zip(rows.as_flattened().as_chunks().0) {
            *pair = lanes.load_row(rows);
        }
        words.copy_from_slice(&lanes.transpose_halves(pairs));
        return words;
    }
    for (block, words) in words.chunks_exact_mut(WIDTH).enumerate() {
        let mut parts = [lanes.splat(0); WIDTH];
        for (lane, row) in rows.iter().enumerate() {
            parts[lane] = part(lanes, &row[block * WIDTH..]);
        }
        words.copy_from_slice(&lanes.transpose(parts));
    }
    words
}

/// Writes the words of the products of numbers of M words from C columns, of which only the low 52 bits count.
#[inline(always)]
pub(super) fn leave<L: Lanes, const M: usize, const C: usize, const R: usize>(
    lanes: L,
    rows: &mut [[u64; R]; WIDTH],
    columns: &[L::Word; C],
) {
    let mut words = [lanes.splat(0); R];
    unrolled!(i < R => words[i] = word(lanes, columns, i));
    write::<L, M, R>(lanes, rows, &words);
}

/// Word i of eight products.
#[inline(always)]
fn word<L: Lanes, const C: usize>(lanes: L, columns: &[L::Word; C], i: usize) -> L::Word {
    let (bit, above) = (i as u32 * u64::BITS, u64::BITS - DIGIT_BITS);
    let (digit, at) = ((bit / DIGIT_BITS) as usize, bit % DIGIT_BITS);
    let lowest = lanes.shl(columns[digit], above);
    let next = columns.get(digit + 1).copied().unwrap_or(lanes.splat(0));
    // The bits below those of the third column.
    let bits = 2 * DIGIT_BITS - at;
    match columns.get(digit + 2) {
        Some(&third) if bits < u64::BITS => {
            let next = lanes.and(next, lanes.splat(MASK));
            lanes.or(lanes.funnel(lowest, next, above + at), lanes.shl(third, bits))
        }
        _ => lanes.funnel(lowest, next, above + at),
    }
}

#[inline(always)]
fn write<L: Lanes, const M: usize, const R: usize>(
    lanes: L,
    rows: &mut [[u64; R]; WIDTH],
    words: &[L::Word; R],
) {
    if R == WIDTH / 2 {
        let pairs = lanes.transpose_to_halves(from_fn(|i| words[i]));
        for (rows, pair) in rows.as_flattened_mut().as_chunks_mut().0.iter_mut().zip(pairs) {
            *rows = lanes.store(pair).0;
        }
        return;
    }
    for (block, words) in words.as_chunks::<WIDTH>().0.iter().enumerate() {
        for (lane, part) in lanes.transpose(*words).into_iter().enumerate() {
            let row = if M == WIDTH / 2 { HALVES[lane] } else { lane };
            if let Some(out) = rows[row][block * WIDTH..].first_chunk_mut() {
                *out = lanes.store(part).0;
            }
        }
    }
}
