//! Eight integers of 64-bit words as digits of 52 bits side by side, and back.

use super::lanes::{DIGIT_BITS, Lanes, MASK, WIDTH, Words};
use super::rows::{part, put};

/// Words of an integer that are turned at a time.
const BLOCK: usize = WIDTH;

/// Writes the digits of eight integers below `2^(52 n)` to `digits`, n of them; integers that are shorter
/// have zeros above. `columns` is room.
pub(super) fn enter<L: Lanes>(
    lanes: L,
    digits: &mut [Words],
    integers: [&[u64]; WIDTH],
    columns: &mut Vec<Words>,
) {
    lanes.run(
        #[inline(always)]
        || cut(lanes, digits, integers, columns),
    );
}

#[inline(always)]
fn cut<L: Lanes>(lanes: L, digits: &mut [Words], integers: [&[u64]; WIDTH], columns: &mut Vec<Words>) {
    let words = (digits.len() * DIGIT_BITS as usize).div_ceil(64).next_multiple_of(BLOCK);
    let longest = integers.iter().map(|integer| integer.len()).max().unwrap_or(0);
    let filled = words.min(longest.next_multiple_of(BLOCK));
    // One more column above, which a digit across two words reads.
    columns.resize(words + 1, Words::ZERO);
    columns[filled..].fill(Words::ZERO);
    for (block, columns) in columns[..filled].as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        let mut rows = [lanes.splat(0); WIDTH];
        for (row, integer) in rows.iter_mut().zip(integers) {
            *row = part(lanes, integer.get(block * BLOCK..).unwrap_or_default());
        }
        for (column, words) in columns.iter_mut().zip(lanes.transpose(rows)) {
            *column = lanes.store(words);
        }
    }
    let mask = lanes.splat(MASK);
    for (i, digit) in digits.iter_mut().enumerate() {
        let (word, at) = place(i, DIGIT_BITS, u64::BITS);
        let low = lanes.shr(lanes.load(&columns[word]), at);
        let high = lanes.shl(lanes.load(&columns[word + 1]), u64::BITS - at);
        *digit = lanes.store(lanes.and(lanes.or(low, high), mask));
    }
}

/// Inverse of [`enter`]: writes the low words of the integers with these digits, all below 2^52.
pub(super) fn leave<L: Lanes>(
    lanes: L,
    integers: [&mut [u64]; WIDTH],
    digits: &[Words],
    columns: &mut Vec<Words>,
) {
    lanes.run(
        #[inline(always)]
        || join(lanes, integers, digits, columns),
    );
}

#[inline(always)]
fn join<L: Lanes>(lanes: L, integers: [&mut [u64]; WIDTH], digits: &[Words], columns: &mut Vec<Words>) {
    let words = integers.iter().map(|integer| integer.len()).max().unwrap_or(0);
    columns.resize(words.next_multiple_of(BLOCK), Words::ZERO);
    for (i, column) in columns[..words].iter_mut().enumerate() {
        let (digit, at) = place(i, u64::BITS, DIGIT_BITS);
        let low = lanes.shr(load(lanes, digits, digit), at);
        let middle = lanes.shl(load(lanes, digits, digit + 1), DIGIT_BITS - at);
        let high = lanes.shl(load(lanes, digits, digit + 2), 2 * DIGIT_BITS - at);
        *column = lanes.store(lanes.or(lanes.or(low, middle), high));
    }
    let mut integers = integers;
    for (block, columns) in columns.as_chunks::<BLOCK>().0.iter().enumerate() {
        let mut rows = [lanes.splat(0); WIDTH];
        for (row, column) in rows.iter_mut().zip(columns) {
            *row = lanes.load(column);
        }
        for (integer, row) in integers.iter_mut().zip(lanes.transpose(rows)) {
            let (row, from) = (lanes.store(row), block * BLOCK);
            let Some(part) = integer.get_mut(from..) else { continue };
            put(part, &row);
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

/// The word, and the bit in it, where unit i of so many bits begins.
const fn place(i: usize, unit: u32, word: u32) -> (usize, u32) {
    let bit = i * unit as usize;
    (bit / word as usize, (bit % word as usize) as u32)
}
