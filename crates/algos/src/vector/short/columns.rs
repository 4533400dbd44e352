//! The columns of short products, unrolled.

use super::{DIGIT_BITS, Lanes};

/// Two numbers of N digits, or one.
pub(super) enum Factors<W, const N: usize> {
    Pair([W; N], [W; N]),
    Square([W; N]),
}

/// The sums of the low and of the high halves of a column's products.
type Halves<W> = (W, W);

pub(super) trait Columns<L: Lanes> {
    /// The lowest C columns, each with the carry of those below.
    fn columns<const C: usize>(&self, lanes: L) -> [L::Word; C];
}

impl<L: Lanes, const N: usize> Columns<L> for Factors<L::Word, N> {
    #[inline(always)]
    fn columns<const C: usize>(&self, lanes: L) -> [L::Word; C] {
        let mut columns = [lanes.splat(0); C];
        let mut carry = lanes.splat(0);
        unrolled!(k < C => {
            let (low, high) = self.halves(lanes, k);
            columns[k] = lanes.add(low, carry);
            carry = lanes.add(high, lanes.shr(columns[k], DIGIT_BITS));
        });
        let _ = carry;
        columns
    }
}

impl<W: Copy, const N: usize> Factors<W, N> {
    #[inline(always)]
    fn halves<L: Lanes<Word = W>>(&self, lanes: L, k: usize) -> Halves<W> {
        let (mut low, mut high) = (lanes.splat(0), lanes.splat(0));
        let first = (k + 1).saturating_sub(N);
        match self {
            Self::Pair(a, b) => {
                // The compiler leaves a loop of nine digits as it is, and reads them from memory: low products of
                // eight words and wide ones of four take 5 and 9 % less without loops.
                unrolled!(i < N => if (first..=k).contains(&i) {
                    low = lanes.add_low(low, a[i], b[k - i]);
                    high = lanes.add_high(high, a[i], b[k - i]);
                });
            }
            Self::Square(a) => {
                for i in first..k.div_ceil(2) {
                    low = lanes.add_low(low, a[i], a[k - i]);
                    high = lanes.add_high(high, a[i], a[k - i]);
                }
                (low, high) = (lanes.add(low, low), lanes.add(high, high));
                if k.is_multiple_of(2) && k / 2 < N {
                    low = lanes.add_low(low, a[k / 2], a[k / 2]);
                    high = lanes.add_high(high, a[k / 2], a[k / 2]);
                }
            }
        }
        (low, high)
    }
}
