//! Eight integers of words as digits of 48 bits side by side, each shifted up by bits of its own, and back.

use super::lanes::{Lanes, WIDTH, Words};
use super::rows::{self, part};

/// Bits of a digit of a division.
pub(super) const BITS: u32 = 48;

/// The digits' bits in a word.
pub(super) const MASK: u64 = (1 << BITS) - 1;

/// Words of an integer that are turned at a time.
const BLOCK: usize = WIDTH;

/// Writes the digits of `integer 2^shift` for eight integers, times `2^scale` each: as many as `digits` has.
pub(super) fn enter<L: Lanes>(
    lanes: L,
    digits: &mut [Words],
    integers: [&[u64]; WIDTH],
    shifts: [u32; WIDTH],
    scale: u32,
    columns: &mut Vec<Words>,
) {
    lanes.run(
        #[inline(always)]
        || cut(lanes, digits, integers, shifts, scale, columns),
    );
}

#[inline(always)]
fn cut<L: Lanes>(
    lanes: L,
    digits: &mut [Words],
    integers: [&[u64]; WIDTH],
    shifts: [u32; WIDTH],
    scale: u32,
    columns: &mut Vec<Words>,
) {
    let words = (digits.len() * BITS as usize).div_ceil(64).next_multiple_of(BLOCK);
    columns.resize(words + 1, Words::ZERO);
    columns[words] = Words::ZERO;
    for (block, columns) in columns.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        let mut rows = [lanes.splat(0); WIDTH];
        for ((row, integer), shift) in rows.iter_mut().zip(integers).zip(shifts) {
            *row = row_of(lanes, integer, block * BLOCK, (shift / 64) as usize);
        }
        for (column, words) in columns.iter_mut().zip(lanes.transpose(rows)) {
            *column = lanes.store(words);
        }
    }
    let (up, down) = within_words(lanes, shifts);
    let mut below = lanes.splat(0);
    for column in &mut *columns {
        let word = lanes.load(column);
        *column = lanes.store(lanes.or(lanes.shl_each(word, up), lanes.shr_each(below, down)));
        below = word;
    }
    let mask = lanes.splat(MASK);
    for (i, digit) in digits.iter_mut().enumerate() {
        let bit = i * BITS as usize;
        let (word, at) = (bit / 64, (bit % 64) as u32);
        let low = lanes.shr(lanes.load(&columns[word]), at);
        let high = lanes.shl(lanes.load(&columns[word + 1]), 64 - at);
        *digit = lanes.store(lanes.shl(lanes.and(lanes.or(low, high), mask), scale));
    }
}

/// The bits of each shift within a word, and what is left of a word. Without a closure, which is a call.
#[inline(always)]
fn within_words<L: Lanes>(lanes: L, shifts: [u32; WIDTH]) -> (L::Word, L::Word) {
    let mut bits = Words::ZERO;
    for (bits, shift) in bits.0.iter_mut().zip(shifts) {
        *bits = u64::from(shift % 64);
    }
    let bits = lanes.load(&bits);
    (bits, lanes.sub(lanes.splat(64), bits))
}

/// Eight words from `from` on of an integer that is shifted up by so many words.
#[inline(always)]
fn row_of<L: Lanes>(lanes: L, integer: &[u64], from: usize, words: usize) -> L::Word {
    if let Some(from) = from.checked_sub(words) {
        return part(lanes, integer.get(from..).unwrap_or_default());
    }
    let mut row = Words::ZERO;
    for (i, word) in row.0.iter_mut().enumerate() {
        let at = (from + i).checked_sub(words);
        *word = at.and_then(|at| integer.get(at)).copied().unwrap_or(0);
    }
    lanes.load(&row)
}

/// Inverse of [`enter`] for digits below 2^48 that are not scaled: writes the low words of the integers.
pub(super) fn leave<L: Lanes>(
    lanes: L,
    integers: [&mut [u64]; WIDTH],
    digits: &[Words],
    shifts: [u32; WIDTH],
    columns: &mut Vec<Words>,
) {
    lanes.run(
        #[inline(always)]
        || join(lanes, integers, digits, shifts, columns),
    );
}

#[inline(always)]
fn join<L: Lanes>(
    lanes: L,
    integers: [&mut [u64]; WIDTH],
    digits: &[Words],
    shifts: [u32; WIDTH],
    columns: &mut Vec<Words>,
) {
    let words = (digits.len() * BITS as usize).div_ceil(64);
    columns.resize(words.next_multiple_of(BLOCK) + 1, Words::ZERO);
    columns[words..].fill(Words::ZERO);
    for (i, column) in columns[..words].iter_mut().enumerate() {
        // The word begins within a digit and ends in the next one or the one after it.
        let (digit, at) = (i * 64 / BITS as usize, i as u32 * 64 % BITS);
        let low = lanes.shr(load(lanes, digits, digit), at);
        let middle = lanes.shl(load(lanes, digits, digit + 1), BITS - at);
        let high = lanes.shl(load(lanes, digits, digit + 2), 2 * BITS - at);
        *column = lanes.store(lanes.or(lanes.or(low, middle), high));
    }
    let (down, up) = within_words(lanes, shifts);
    for i in 0..words {
        let (word, above) = (lanes.load(&columns[i]), lanes.load(&columns[i + 1]));
        columns[i] = lanes.store(lanes.or(lanes.shr_each(word, down), lanes.shl_each(above, up)));
    }
    let mut integers = integers;
    for (integer, shift) in integers.iter_mut().zip(shifts) {
        // Above the words that are written below.
        let written = columns.len() - 1 - (shift / 64) as usize;
        if let Some(above @ [_, ..]) = integer.get_mut(written..) {
            above.fill(0);
        }
    }
    for (block, columns) in columns.as_chunks::<BLOCK>().0.iter().enumerate() {
        let mut rows = [lanes.splat(0); WIDTH];
        for (row, column) in rows.iter_mut().zip(columns) {
            *row = lanes.load(column);
        }
        for ((integer, row), shift) in integers.iter_mut().zip(lanes.transpose(rows)).zip(shifts) {
            put(integer, &lanes.store(row), block * BLOCK, (shift / 64) as usize);
        }
    }
}

/// Writes eight words, those from `from` on of an integer that is shifted down by so many words.
#[inline(always)]
fn put(integer: &mut [u64], row: &Words, from: usize, words: usize) {
    if let Some(from) = from.checked_sub(words) {
        return rows::put(integer.get_mut(from..).unwrap_or_default(), row);
    }
    for (i, &word) in row.0.iter().enumerate() {
        let at = (from + i).checked_sub(words);
        if let Some(out) = at.and_then(|at| integer.get_mut(at)) {
            *out = word;
        }
    }
}

/// A digit, 0 above the highest.
#[inline(always)]
fn load<L: Lanes>(lanes: L, digits: &[Words], digit: usize) -> L::Word {
    match digits.get(digit) {
        Some(digit) => lanes.load(digit),
        None => lanes.splat(0),
    }
}
