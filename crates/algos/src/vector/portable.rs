//! Eight words without vector instructions: the same results as the hardware's, for tests.

use core::array::from_fn;

use super::lanes::{DIGIT_BITS, HALVES, Lanes, MASK, WIDTH, Words};

/// Any machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

type Word = [u64; WIDTH];

/// The exact product of two digits.
fn product(a: u64, b: u64) -> u128 {
    u128::from(a & MASK) * u128::from(b & MASK)
}

impl Lanes for Portable {
    type Word = Word;

    fn run<R>(self, function: impl FnOnce() -> R) -> R {
        function()
    }

    fn load(self, words: &Words) -> Word {
        words.0
    }

    fn load_row(self, row: &Word) -> Word {
        *row
    }

    fn load_half(self, row: &[u64; WIDTH / 2]) -> Word {
        from_fn(|i| row.get(i).copied().unwrap_or(0))
    }

    fn store(self, words: Word) -> Words {
        Words(words)
    }

    fn splat(self, word: u64) -> Word {
        [word; WIDTH]
    }

    fn add(self, a: Word, b: Word) -> Word {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }

    fn sub(self, a: Word, b: Word) -> Word {
        from_fn(|i| a[i].wrapping_sub(b[i]))
    }

    fn and(self, a: Word, b: Word) -> Word {
        from_fn(|i| a[i] & b[i])
    }

    fn or(self, a: Word, b: Word) -> Word {
        from_fn(|i| a[i] | b[i])
    }

    fn shr(self, a: Word, bits: u32) -> Word {
        a.map(|word| word.checked_shr(bits).unwrap_or(0))
    }

    fn shl(self, a: Word, bits: u32) -> Word {
        a.map(|word| word.checked_shl(bits).unwrap_or(0))
    }

    fn funnel(self, low: Word, high: Word, bits: u32) -> Word {
        from_fn(|i| ((u128::from(high[i]) << 64 | u128::from(low[i])) >> bits) as u64)
    }

    fn shr_each(self, a: Word, bits: Word) -> Word {
        from_fn(|i| u32::try_from(bits[i]).ok().and_then(|bits| a[i].checked_shr(bits)).unwrap_or(0))
    }

    fn shl_each(self, a: Word, bits: Word) -> Word {
        from_fn(|i| u32::try_from(bits[i]).ok().and_then(|bits| a[i].checked_shl(bits)).unwrap_or(0))
    }

    fn estimate(self, high: Word, low: Word, inverse: Word) -> Word {
        from_fn(|i| {
            let sum = (high[i] as i64 as f64) * (1_u64 << 48) as f64 + low[i] as i64 as f64;
            (sum * f64::from_bits(inverse[i])) as i64 as u64
        })
    }

    fn add_low(self, sum: Word, a: Word, b: Word) -> Word {
        from_fn(|i| sum[i].wrapping_add(product(a[i], b[i]) as u64 & MASK))
    }

    fn add_high(self, sum: Word, a: Word, b: Word) -> Word {
        from_fn(|i| sum[i].wrapping_add((product(a[i], b[i]) >> DIGIT_BITS) as u64))
    }

    fn transpose(self, rows: [Word; WIDTH]) -> [Word; WIDTH] {
        from_fn(|i| from_fn(|j| rows[j][i]))
    }

    fn transpose_halves(self, rows: [Word; WIDTH / 2]) -> [Word; WIDTH / 2] {
        from_fn(|i| HALVES.map(|row| rows[row / 2][row % 2 * (WIDTH / 2) + i]))
    }

    fn transpose_to_halves(self, words: [Word; WIDTH / 2]) -> [Word; WIDTH / 2] {
        let mut rows = [[0; WIDTH]; WIDTH / 2];
        for (lane, row) in HALVES.into_iter().enumerate() {
            for (i, words) in words.iter().enumerate() {
                rows[row / 2][row % 2 * (WIDTH / 2) + i] = words[lane];
            }
        }
        rows
    }
}
