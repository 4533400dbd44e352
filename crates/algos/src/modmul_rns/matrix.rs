//! Constant matrices of bytes, whose products with the bytes of words are sums of 32 bits.

use std::sync::{Mutex, PoisonError};
use std::thread;

use super::prime::{Prime, word};
use crate::invariant::broken_invariant;

/// Entries from which several threads make the rows. They are threads of their own: a caller may hold a lock, for
/// which other work of a pool of threads could wait.
const SHARED_FROM: usize = 1 << 16;
/// The most threads.
const MOST_THREADS: usize = 16;

/// A constant matrix: a row for each result, a slot for each word of 32 bits that it takes.
///
/// The result of a row is `S = sum of entry[slot][byte] * byte of word[slot]`. Entries have four digits of
/// 8 bits, so that S is four sums of products of bytes: `S = s0 + 2^8 s1 + 2^16 s2 + 2^24 s3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    slots: usize,
    words: Vec<u32>,
    largest: Vec<[u32; 4]>,
}

impl Matrix {
    /// Entries `entry * 256^byte mod prime` of each row, for the entries of its slots, below its prime.
    pub(crate) fn modular<R>(rows: usize, slots: usize, row: R) -> Self
    where
        R: Fn(usize) -> (Prime, Vec<u32>) + Sync,
    {
        Self::new(rows, slots, |index| {
            let (prime, entries) = row(index);
            entries.into_iter().map(move |entry| {
                let second = prime.times_256(entry);
                let third = prime.times_256(second);
                [entry, second, third, prime.times_256(third)]
            })
        })
    }

    /// Entries of each row, of each slot and byte; slots that a row lacks are zero.
    pub(crate) fn new<I, R>(rows: usize, slots: usize, row: R) -> Self
    where
        I: Iterator<Item = [u32; 4]>,
        R: Fn(usize) -> I + Sync,
    {
        let mut words = vec![0; 4 * slots * rows];
        let mut largest = vec![[0; 4]; rows];
        let fill = |index, words: &mut [u32]| {
            for (slot, entry) in row(index).enumerate() {
                for (digit, digits) in transposed(entry).into_iter().enumerate() {
                    words[digit * slots + slot] = digits;
                }
            }
            let digits = |digit: usize| words[digit * slots..][..slots].iter();
            let sum = |digit| digits(digit).map(|&word| u64::from(sum_of_bytes(word))).sum::<u64>();
            [0, 1, 2, 3].map(|digit| word(255 * sum(digit)))
        };
        let left = Mutex::new(words.chunks_exact_mut(4 * slots).zip(&mut largest).enumerate());
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some((index, (words, largest))) = next() {
                *largest = fill(index, words);
            }
        };
        let threads = match rows * slots {
            0..SHARED_FROM => 1,
            _ => thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS),
        };
        thread::scope(|scope| {
            // Without a thread that cannot be had the others do its work.
            (1..threads).for_each(|_| drop(thread::Builder::new().spawn_scoped(scope, work)));
            work();
        });
        Self { slots, words, largest }
    }

    /// The rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.largest.len()
    }

    /// Words of 32 bits that a product takes.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.slots
    }

    /// The entries, row by row: of each of the four digits a word for each slot, with the digits of its four
    /// bytes.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The largest digit sums of a row: each byte that it takes is 255.
    #[must_use]
    pub fn largest_sums(&self, row: usize) -> [u32; 4] {
        self.largest[row]
    }

    /// The largest S of a row.
    #[must_use]
    pub fn largest(&self, row: usize) -> u64 {
        self.largest[row].iter().rev().fold(0, |sum, &digits| (sum << 8) + u64::from(digits))
    }

    /// The first way to join digit sums whose steps fit 32 bits for all rows.
    #[must_use]
    pub fn joining(&self) -> Joining {
        let ways = [Joining::Halves, Joining::Carried, Joining::Separate];
        ways.into_iter()
            .find(|&way| self.fits(way))
            .unwrap_or_else(|| broken_invariant("digit sums of a residue number system fit 32 bits"))
    }

    /// Whether the steps of this way fit 32 bits for all rows.
    #[must_use]
    pub fn fits(&self, way: Joining) -> bool {
        self.largest.iter().all(|&sums| way.fits(sums))
    }

    /// S of a row and the bytes of these words, with a sum of 32 bits for each digit.
    pub(crate) fn product(&self, row: usize, words: &[u32], joining: Joining) -> u64 {
        let digits = &self.words[4 * row * self.slots..4 * (row + 1) * self.slots];
        joining.join(core::array::from_fn(|digit| {
            let entries = &digits[digit * self.slots..(digit + 1) * self.slots];
            word(entries.iter().zip(words).map(|(&a, &b)| u64::from(dot_bytes(a, b))).sum())
        }))
    }
}

/// The bytes of four words: word i has byte i of each.
fn transposed([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    const EVEN: u32 = 0x00ff_00ff;
    // Bytes 0 and 2 of a pair, and bytes 1 and 3.
    let (even, odd) = ((a & EVEN) | ((b & EVEN) << 8), ((a >> 8) & EVEN) | (b & !EVEN));
    let (even_above, odd_above) = ((c & EVEN) | ((d & EVEN) << 8), ((c >> 8) & EVEN) | (d & !EVEN));
    let low = |x: u32, y: u32| (x & 0xffff) | (y << 16);
    let high = |x: u32, y: u32| (x >> 16) | (y & 0xffff_0000);
    [low(even, even_above), low(odd, odd_above), high(even, even_above), high(odd, odd_above)]
}

/// The sum of the bytes of a word.
const fn sum_of_bytes(word: u32) -> u32 {
    (word & 255) + ((word >> 8) & 255) + ((word >> 16) & 255) + (word >> 24)
}

/// The sum of the products of the bytes of two words.
fn dot_bytes(a: u32, b: u32) -> u32 {
    (0..32).step_by(8).map(|shift| (a >> shift & 255) * (b >> shift & 255)).sum()
}

/// How a kernel joins four digit sums: each step has 32 bits, but the products with `2^16` and `2^24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Joining {
    /// `(s0 + 2^8 s1) + 2^16 (s2 + 2^8 s3)`.
    Halves,
    /// `(s0 + 2^8 (s1 mod 2^8)) + 2^16 (s2 + 2^8 s3 + floor(s1 / 2^8))`.
    Carried,
    /// `(s0 + 2^8 (s1 mod 2^8)) + 2^16 (s2 + floor(s1 / 2^8)) + 2^24 s3`.
    Separate,
}

impl Joining {
    /// The words that are multiplied by 1, `2^16` and `2^24`.
    fn parts(self, sums: [u32; 4]) -> [u64; 3] {
        let [s0, s1, s2, s3] = sums.map(u64::from);
        match self {
            Self::Halves => [s0 + (s1 << 8), s2 + (s3 << 8), 0],
            Self::Carried => [s0 + ((s1 & 255) << 8), s2 + (s3 << 8) + (s1 >> 8), 0],
            Self::Separate => [s0 + ((s1 & 255) << 8), s2 + (s1 >> 8), s3],
        }
    }

    /// Whether all parts fit 32 bits for sums that are at most these, and each sum 31 bits.
    #[must_use]
    pub fn fits(self, sums: [u32; 4]) -> bool {
        // s1 mod 2^8 is not monotone in s1.
        let remainder = if self == Self::Halves { 0 } else { 255 << 8 };
        let [low, ..] = self.parts(sums);
        let low = low.max(u64::from(sums[0]) + remainder);
        let [_, high, top] = self.parts(sums);
        [low, high, top].iter().all(|&part| part <= u32::MAX.into()) && sums.iter().all(|&sum| sum >> 31 == 0)
    }

    /// S.
    pub(crate) fn join(self, sums: [u32; 4]) -> u64 {
        let [low, high, top] = self.parts(sums).map(word).map(u64::from);
        low + (high << 16) + (top << 24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_joins_the_same_sum() {
        let cases = [[0; 4], [1, 2, 3, 4], [65_535, 70_000, 1 << 20, 1 << 22], [(1 << 23) - 1; 4]];
        for sums in cases {
            let expected = sums.iter().rev().fold(0_u64, |sum, &digits| (sum << 8) + u64::from(digits));
            for way in [Joining::Halves, Joining::Carried, Joining::Separate] {
                assert!(way.fits(sums), "{way:?} {sums:?}");
                assert_eq!(way.join(sums), expected, "{way:?} {sums:?}");
            }
        }
    }

    #[test]
    fn each_way_ends_where_a_part_has_33_bits() {
        let largest = u32::MAX / 257;
        assert!(Joining::Halves.fits([largest; 4]) && !Joining::Halves.fits([largest + 1; 4]));
        assert!(Joining::Carried.fits([1 << 30, 1 << 30, 0, (1 << 24) - (1 << 14) - 1]));
        assert!(!Joining::Carried.fits([0, 0, 0, 1 << 24]) && Joining::Separate.fits([(1 << 31) - 1; 4]));
        assert!(!Joining::Separate.fits([0, 0, 0, 1 << 31]));
    }

    #[test]
    fn a_product_is_the_sum_of_entries_times_bytes() {
        let prime = Prime::largest(1)[0];
        let (entries, words) =
            ([prime.value - 1, 12_345, 0xdead_beef % prime.value], [u32::MAX, 0, 0x0102_0304]);
        let matrix = Matrix::modular(1, 4, |_| (prime, entries.to_vec()));
        let mut expected = 0;
        for (&entry, word) in entries.iter().zip(words) {
            let mut power = entry;
            for byte in word.to_le_bytes() {
                expected += u64::from(byte) * u64::from(power);
                power = prime.mul(power, 256);
            }
        }
        assert_eq!(matrix.product(0, &[words[0], words[1], words[2], 9], Joining::Halves), expected);
        assert!(expected <= matrix.largest(0));
    }

    #[test]
    fn words_have_the_same_byte_of_four_words() {
        let words = [0x0403_0201, 0x1413_1211, 0x2423_2221, 0xf4f3_f2f1];
        assert_eq!(transposed(words), [0xf121_1101, 0xf222_1202, 0xf323_1303, 0xf424_1404]);
        assert_eq!((sum_of_bytes(0xf424_1404), sum_of_bytes(u32::MAX)), (0xf4 + 0x24 + 0x14 + 4, 1020));
    }

    #[test]
    fn bytes_of_255_reach_the_largest_sum() {
        let primes = Prime::largest(9);
        let row = |i: usize| (primes[i], (1..=8).map(|entry| (primes[i].value - 1) / entry).collect());
        let matrix = Matrix::modular(primes.len(), 8, row);
        for row in 0..matrix.rows() {
            assert_eq!(matrix.product(row, &[u32::MAX; 8], matrix.joining()), matrix.largest(row));
        }
    }
}
