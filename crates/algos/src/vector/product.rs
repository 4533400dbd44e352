//! The columns of products and squares.

use super::columns::{COLUMNS, Sums};
use super::lanes::{Lanes, Words};

/// A product of two numbers of n digits, n a multiple of [`COLUMNS`], by its columns.
pub(super) trait Product {
    /// Adds the columns from `first` on, a multiple of [`COLUMNS`] below n.
    fn add_low<L: Lanes>(&self, sums: &mut Sums<L>, first: usize);
    /// Adds the columns from `first` on, a multiple of [`COLUMNS`] from n to 2n.
    fn add_high<L: Lanes>(&self, sums: &mut Sums<L>, first: usize, n: usize);
}

/// `a b`.
#[derive(Clone, Copy)]
pub(super) struct Pair<'d> {
    pub(super) a: &'d [Words],
    pub(super) b: &'d [Words],
}

impl Product for Pair<'_> {
    #[inline(always)]
    fn add_low<L: Lanes>(&self, sums: &mut Sums<L>, first: usize) {
        sums.add_blocks(self.a, self.b, first, 0, first);
        sums.add_part(&self.a[first..], self.b, 0, |c, u| c >= u);
    }

    #[inline(always)]
    fn add_high<L: Lanes>(&self, sums: &mut Sums<L>, first: usize, n: usize) {
        sums.add_part(&self.a[first - n..], self.b, n, |c, u| c < u);
        sums.add_blocks(self.a, self.b, first, first - n + COLUMNS, n);
    }
}

/// `a^2`: products of different digits once, doubled, and the squares of digits.
#[derive(Clone, Copy)]
pub(super) struct Square<'d> {
    pub(super) a: &'d [Words],
}

impl Product for Square<'_> {
    #[inline(always)]
    fn add_low<L: Lanes>(&self, sums: &mut Sums<L>, first: usize) {
        sums.add_blocks(self.a, self.a, first, 0, middle(first));
        self.add_middle(sums, first, |_, _| true);
    }

    #[inline(always)]
    fn add_high<L: Lanes>(&self, sums: &mut Sums<L>, first: usize, n: usize) {
        let (a, lowest) = (self.a, first - n);
        // The lowest block of digits lacks partners above digit n - 1; of the last columns it is the middle one.
        if lowest < middle(first) {
            sums.add_part(&a[lowest..], a, n, |c, u| c < u);
            sums.add_blocks(a, a, first, lowest + COLUMNS, middle(first));
            self.add_middle(sums, first, |_, _| true);
        } else {
            self.add_middle(sums, first, |c, u| c < u);
        }
    }
}

/// The first digit of the block in which `i = k - i` for some of the columns k from `first` on.
#[inline(always)]
const fn middle(first: usize) -> usize {
    first / (2 * COLUMNS) * COLUMNS
}

impl Square<'_> {
    /// Adds the products of the middle block that exist, doubles all sums, and adds the squares of digits.
    #[inline(always)]
    fn add_middle<L: Lanes>(&self, sums: &mut Sums<L>, first: usize, exists: impl Fn(usize, usize) -> bool) {
        let (a, start) = (self.a, middle(first));
        // Digit i = start + u times digit first + c - i, where that is above i.
        if first == 2 * start {
            sums.add_part(&a[start..], a, start, |c, u| c > 2 * u && exists(c, u));
        } else {
            sums.add_part(&a[start..], a, start + COLUMNS, |c, u| c + COLUMNS > 2 * u && exists(c, u));
        }
        sums.double();
        let odd = first % 2;
        for c in 0..COLUMNS {
            if (c + odd).is_multiple_of(2) {
                sums.add_square(c, &a[(first + c) / 2]);
            }
        }
    }
}
