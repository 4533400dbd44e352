//! Radix sort of unsigned integers, least significant digit first, by `s` bits a pass and a chosen number of
//! threads.
//!
//! The program of section 4 of the model's paper (Satish, Harris and Garland 2009) on a processor. In each
//! pass each thread counts the digits of its tile, the counts are summed up digit by digit and tile by tile,
//! and each thread moves its keys, in their order, to the places that the sums give.
//! [`crate::model::radix_sort`] estimates it.

use core::mem::swap;

use limbforge_limb::Base;
use rayon::prelude::*;
use thiserror::Error;

/// Keys: u32 and u64.
pub trait Key: Base {}
impl Key for u32 {}
impl Key for u64 {}

/// Parameters out of range.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SortError {
    /// No bits, or too many for the tables.
    #[error("digits of {found} bits; expected 1 to {most}")]
    DigitBits {
        /// The requested bits.
        found: u32,
        /// The most bits.
        most: u32,
    },
    /// No thread.
    #[error("{found} threads; expected one or more")]
    Threads {
        /// The requested threads.
        found: usize,
    },
}

/// Most bits of a digit: the counts of a tile take 2^16 words.
pub const MOST_DIGIT_BITS: u32 = 16;

/// Sorts the keys in `ceil(bits of a key / s)` passes over `threads` tiles, on all threads of the pool.
///
/// ```
/// let mut keys = [3_u32, u32::MAX, 0, 3, 7];
/// limbforge_algos::block::sort_radix::sort(&mut keys, 8, 2)?;
/// assert_eq!(keys, [0, 3, 3, 7, u32::MAX]);
/// # Ok::<(), limbforge_algos::block::sort_radix::SortError>(())
/// ```
///
/// # Errors
/// [`SortError`] unless s is 1 to 16 and there is a thread; then no key has moved.
pub fn sort<K: Key>(keys: &mut [K], s: u32, threads: usize) -> Result<(), SortError> {
    if !(1..=MOST_DIGIT_BITS).contains(&s) {
        return Err(SortError::DigitBits { found: s, most: MOST_DIGIT_BITS });
    }
    if threads == 0 {
        return Err(SortError::Threads { found: threads });
    }
    let tile = keys.len().div_ceil(threads).max(1);
    let mut room = keys.to_vec();
    let (mut from, mut to) = (&mut *keys, &mut room[..]);
    let passes = K::BITS.div_ceil(s);
    for pass in 0..passes {
        let digit = |key: K| (key >> (pass * s) as usize).low_word() as usize & ((1 << s) - 1);
        scatter(from, to, tile, 1 << s, digit);
        swap(&mut from, &mut to);
    }
    if passes % 2 == 1 {
        keys.copy_from_slice(&room);
    }
    Ok(())
}

/// Moves the keys to the order of their digits, keys with equal digits staying in their order.
fn scatter<K: Key>(from: &[K], to: &mut [K], tile: usize, digits: usize, digit: impl Fn(K) -> usize + Sync) {
    let histogram = |keys: &[K]| {
        let mut counts = vec![0_usize; digits];
        keys.iter().for_each(|&key| counts[digit(key)] += 1);
        counts
    };
    let counts: Vec<Vec<usize>> = from.par_chunks(tile).map(histogram).collect();
    // Each digit of each tile has a piece of the destination, in order of digits, then of tiles.
    let mut pieces: Vec<Vec<&mut [K]>> = counts.iter().map(|_| Vec::with_capacity(digits)).collect();
    let mut rest = to;
    for value in 0..digits {
        for (pieces, counts) in pieces.iter_mut().zip(&counts) {
            let (piece, after) = rest.split_at_mut(counts[value]);
            pieces.push(piece);
            rest = after;
        }
    }
    from.par_chunks(tile).zip(pieces).for_each(|(keys, mut pieces)| {
        let mut next = vec![0; digits];
        for &key in keys {
            let value = digit(key);
            pieces[value][next[value]] = key;
            next[value] += 1;
        }
    });
}
