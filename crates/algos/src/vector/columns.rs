//! Products column by column: the low and the high halves of the products of digits, five columns at a time
//! in registers.
//!
//! Column k of `x y` is the sum of the low halves of `x[i] y[k - i]` and of the high halves of `x[i]
//! y[k - 1 - i]`. High halves are summed in the column of their low halves, and move up by one column when
//! the column is resolved. With L products in a column, both sums are below `L 2^52`.

use super::lanes::{Lanes, Words};
use crate::invariant::broken_invariant;

/// Columns that are computed at a time. Their ten sums hide the latency of the instructions and leave
/// registers for factors. Measured: 4 columns take 4 % more time at 1024 to 4096 bits and 6 columns 4 %, which
/// also pad more, while five fit 20, 40 and 80 digits.
pub(super) const COLUMNS: usize = 5;

/// The digits of a block.
pub(super) type Block = [Words; COLUMNS];

/// The sums of a block of columns.
pub(super) struct Sums<L: Lanes> {
    lanes: L,
    pub(super) low: [L::Word; COLUMNS],
    /// Of the same products: they count in the next column.
    pub(super) high: [L::Word; COLUMNS],
}

impl<L: Lanes> Sums<L> {
    #[inline(always)]
    pub(super) fn new(lanes: L) -> Self {
        let zero = lanes.splat(0);
        Self { lanes, low: [zero; COLUMNS], high: [zero; COLUMNS] }
    }

    /// Adds a product of digits to a column.
    #[inline(always)]
    pub(super) fn add(&mut self, column: usize, x: L::Word, y: L::Word) {
        self.low[column] = self.lanes.add_low(self.low[column], x, y);
        self.high[column] = self.lanes.add_high(self.high[column], x, y);
    }

    /// Adds the square of a digit to a column.
    #[inline(always)]
    pub(super) fn add_square(&mut self, column: usize, digit: &Words) {
        let digit = self.lanes.load(digit);
        self.add(column, digit, digit);
    }

    /// Doubles all sums.
    #[inline(always)]
    pub(super) fn double(&mut self) {
        for c in 0..COLUMNS {
            self.low[c] = self.lanes.add(self.low[c], self.low[c]);
            self.high[c] = self.lanes.add(self.high[c], self.high[c]);
        }
    }

    /// Adds `x[u] y[at + c - u]` to column c for the digits u of a block of x, where `takes(c, u)`; all those
    /// digits of y must exist.
    #[inline(always)]
    pub(super) fn add_part(
        &mut self,
        x: &[Words],
        y: &[Words],
        at: usize,
        takes: impl Fn(usize, usize) -> bool,
    ) {
        let x = block(x);
        for u in 0..COLUMNS {
            let factor = self.lanes.load(&x[u]);
            for c in 0..COLUMNS {
                if takes(c, u) {
                    self.add(c, factor, self.lanes.load(&y[at + c - u]));
                }
            }
        }
    }

    /// Adds `x[i] y[k - i]` to column k of those from `first` on, for the digits i of x in `from..to`.
    /// All are multiples of [`COLUMNS`], and all those digits of y must exist.
    #[inline(always)]
    pub(super) fn add_blocks(&mut self, x: &[Words], y: &[Words], first: usize, from: usize, to: usize) {
        let (lanes, mut low, mut high) = (self.lanes, self.low, self.high);
        let mut at = first + 1 - from;
        for x in x[from..to].as_chunks::<COLUMNS>().0 {
            // Digits first - i + c for i in the block: 2 COLUMNS - 1 of them.
            let y = &y[at - COLUMNS..][..2 * COLUMNS - 1];
            for u in 0..COLUMNS {
                let factor = lanes.load(&x[u]);
                for c in 0..COLUMNS {
                    let digit = lanes.load(&y[COLUMNS - 1 + c - u]);
                    low[c] = lanes.add_low(low[c], factor, digit);
                    high[c] = lanes.add_high(high[c], factor, digit);
                }
            }
            at -= COLUMNS;
        }
        // The sums stay in registers in the loop: in memory they take twice the time.
        (self.low, self.high) = (low, high);
    }
}

/// The first digits of a slice.
#[inline(always)]
pub(super) fn block(digits: &[Words]) -> &Block {
    digits.first_chunk().unwrap_or_else(|| broken_invariant("digits come in whole blocks"))
}
