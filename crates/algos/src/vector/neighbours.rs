//! Products and squares of neighbouring numbers, all of one length of eight words or more, eight at a time: from
//! the words of a batch to those of its results, without a slice of each number. Measured beside products of
//! slices ([`multiply`](super::multiply)), microseconds: 0.032 and 0.059 (low, 1024 bits), 0.098 and 0.126 (low,
//! 2048), 0.058 and 0.080 (wide, 1024), 3.85 and 3.95 (low, 16384). Those of sixteen words are
//! [`short`](super::short).

use super::columns::COLUMNS;
use super::lanes::{DIGIT_BITS, Lanes, WIDTH, Words};
use super::multiply::{digits_of, resolve};
use super::path::{Kept, Path, with_lanes};
use super::product::{Pair, Square};

/// Memory of products of neighbouring numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    a: Vec<Words>,
    b: Vec<Words>,
    product: Vec<Words>,
    words: Vec<Words>,
}

impl Neighbours {
    /// Writes the products, or the squares of the first operand, of the first numbers of so many words, as many as come in
    /// groups of eight; returns their number. They have eight words or more.
    pub(crate) fn products(
        &mut self,
        path: Path,
        kept: Kept,
        words: usize,
        out: &mut [u64],
        operands: [&[u64]; 2],
    ) -> usize {
        with_lanes!(path, lanes => self.run(lanes, kept, words, out, operands))
    }

    fn run<L: Lanes>(
        &mut self,
        lanes: L,
        kept: Kept,
        words: usize,
        out: &mut [u64],
        [a, b]: [&[u64]; 2],
    ) -> usize {
        let is_square = matches!(kept, Kept::LowOfSquare | Kept::WideOfSquare);
        let is_wide = matches!(kept, Kept::Wide | Kept::WideOfSquare);
        let (n, kept_words) = (digits_of(words), if is_wide { 2 * words } else { words });
        for (digits, len) in [(&mut self.a, n), (&mut self.b, n), (&mut self.product, 2 * n)] {
            digits.resize(len, Words::ZERO);
        }
        // A word above, which the highest digit reads.
        self.words.clear();
        self.words.resize((kept_words + COLUMNS).next_multiple_of(WIDTH), Words::ZERO);
        let Self { a: a_digits, b: b_digits, product, words: room } = self;
        let product = &mut product[..if is_wide { 2 * n } else { n }];
        let all = a.chunks_exact(WIDTH * words).zip(b.chunks_exact(WIDTH * words));
        lanes.run(
            #[inline(always)]
            || {
                let mut count = 0;
                for (out, (a, b)) in out.chunks_exact_mut(WIDTH * kept_words).zip(all) {
                    enter(lanes, a_digits, a, words, room);
                    if is_square {
                        resolve(lanes, product, &Square { a: a_digits }, n);
                    } else {
                        enter(lanes, b_digits, b, words, room);
                        resolve(lanes, product, &Pair { a: a_digits, b: b_digits }, n);
                    }
                    leave(lanes, out, kept_words, product);
                    count += WIDTH;
                }
                count
            },
        )
    }
}

/// The first words of the blocks of eight of a row, of which the last one overlaps the one before.
#[inline(always)]
fn blocks(words: usize) -> impl Iterator<Item = usize> {
    (0..words).step_by(WIDTH).map(move |from| from.min(words - WIDTH))
}

/// Writes the digits of eight rows of words, with any bits above 52, which the multiply-adds do not read. `room`
/// is zero from `words` on.
#[inline(always)]
fn enter<L: Lanes>(lanes: L, digits: &mut [Words], rows: &[u64], words: usize, room: &mut [Words]) {
    for from in blocks(words) {
        let mut parts = [lanes.splat(0); WIDTH];
        for (part, row) in parts.iter_mut().zip(rows.chunks_exact(words)) {
            if let Some(block) = row[from..].first_chunk() {
                *part = lanes.load_row(block);
            }
        }
        let columns = lanes.transpose(parts);
        for (room, column) in room[from..].iter_mut().zip(&columns) {
            *room = lanes.store(*column);
        }
    }
    let mut bit = 0;
    for digit in digits {
        let (word, at) = ((bit / u64::BITS) as usize, bit % u64::BITS);
        *digit = lanes.store(lanes.funnel(lanes.load(&room[word]), lanes.load(&room[word + 1]), at));
        bit += DIGIT_BITS;
    }
}

/// Writes eight rows of words from their digits below 2^52.
#[inline(always)]
fn leave<L: Lanes>(lanes: L, rows: &mut [u64], words: usize, digits: &[Words]) {
    for from in blocks(words) {
        let mut columns = [lanes.splat(0); WIDTH];
        for (i, column) in columns.iter_mut().enumerate() {
            *column = word(lanes, digits, from + i);
        }
        let parts = lanes.transpose(columns);
        for (row, part) in rows.chunks_exact_mut(words).zip(&parts) {
            if let Some(block) = row[from..].first_chunk_mut() {
                *block = lanes.store(*part).0;
            }
        }
    }
}

/// A word of the numbers with these digits; 0 above them.
#[inline(always)]
fn word<L: Lanes>(lanes: L, digits: &[Words], word: usize) -> L::Word {
    let bit = word as u32 * u64::BITS;
    let (digit, at) = ((bit / DIGIT_BITS) as usize, bit % DIGIT_BITS);
    let load = |digit: usize| digits.get(digit).unwrap_or(&Words::ZERO);
    let above = u64::BITS - DIGIT_BITS;
    let low = lanes.shl(lanes.load(load(digit)), above);
    let two = lanes.funnel(low, lanes.load(load(digit + 1)), above + at);
    lanes.or(two, lanes.shl(lanes.load(load(digit + 2)), 2 * DIGIT_BITS - at))
}
