//! Up to eight neighbouring words of an integer, in a register and back.

use super::lanes::{Lanes, WIDTH, Words};

/// The lowest eight words, with zeros above shorter integers. Whole and half rows are read at once: a
/// register that is read from words which have just been written, one by one, waits for them.
#[inline(always)]
pub(super) fn part<L: Lanes>(lanes: L, words: &[u64]) -> L::Word {
    if let Some(whole) = words.first_chunk() {
        return lanes.load_row(whole);
    }
    if let Ok(half) = words.try_into() {
        return lanes.load_half(half);
    }
    let mut row = Words::ZERO;
    for (word, value) in row.0.iter_mut().zip(words) {
        *word = *value;
    }
    lanes.load(&row)
}

/// Writes the lowest words of an integer, as many as it has of eight.
#[inline(always)]
pub(super) fn put(words: &mut [u64], row: &Words) {
    if let Some(whole) = words.first_chunk_mut() {
        *whole = row.0;
    } else if words.len() == WIDTH / 2 {
        for (word, value) in words.iter_mut().zip(&row.0[..WIDTH / 2]) {
            *word = *value;
        }
    } else {
        words.copy_from_slice(&row.0[..words.len()]);
    }
}
