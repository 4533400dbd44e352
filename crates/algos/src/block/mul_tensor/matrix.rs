//! The matrices of a step, and their product.

use super::{COLUMNS, STEP_DIGITS, data_digit, toeplitz_digit};

const ROWS: usize = 16;

/// The coefficients of a tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums([[u32; COLUMNS]; ROWS]);

fn digit(digits: &[u8], index: isize) -> u8 {
    usize::try_from(index).ok().and_then(|index| digits.get(index)).copied().unwrap_or(0)
}

/// The data of mu.
pub(super) fn data(b: &[u8], mu: isize) -> [[u8; STEP_DIGITS]; ROWS] {
    core::array::from_fn(|row| core::array::from_fn(|k| digit(b, data_digit(mu, row, k))))
}

/// The Toeplitz matrix of tau.
pub(super) fn toeplitz(a: &[u8], tau: usize) -> [[u8; COLUMNS]; STEP_DIGITS] {
    core::array::from_fn(|k| core::array::from_fn(|column| digit(a, toeplitz_digit(tau, column, k))))
}

impl Sums {
    /// `C += A * B`; panics if a sum exceeds 31 bits.
    pub(super) fn add(&mut self, a: &[[u8; STEP_DIGITS]; ROWS], b: &[[u8; COLUMNS]; STEP_DIGITS]) {
        for (sums, row) in self.0.iter_mut().zip(a) {
            for (&x, column) in row.iter().zip(b) {
                for (sum, &y) in sums.iter_mut().zip(column) {
                    *sum += u32::from(x) * u32::from(y);
                }
            }
            assert!(sums.iter().all(|&sum| sum <= i32::MAX as u32), "a sum leaves its 31 bits");
        }
    }

    pub(super) fn double(&mut self) {
        self.0.iter_mut().flatten().for_each(|sum| *sum *= 2);
    }

    /// The coefficients that a lane of a warp holds: the four digits of the tile's word `lane`.
    pub(super) fn of_lane(&self, lane: usize) -> [u32; 4] {
        let (row, column) = (lane / 4, 2 * (lane % 4));
        [self.0[row][column], self.0[row][column + 1], self.0[row + 8][column], self.0[row + 8][column + 1]]
    }
}
