//! Tiles of the result: the digits of each element, the steps of each tile, and the bound of exact sums.

use core::ops::Range;

/// Digits of a tile of the result.
pub const TILE_DIGITS: usize = 128;
/// Words of 32 bits of a tile of the result.
pub const TILE_WORDS: usize = TILE_DIGITS / 4;
/// Columns of a tile.
pub const COLUMNS: usize = 8;
/// Terms of a coefficient that one step adds.
pub const STEP_DIGITS: usize = 32;
/// Steps of the digits of a tile.
const TILE_STEPS: usize = TILE_DIGITS / STEP_DIGITS;
/// The most digits of a factor: `33025 * 255^2 < 2^31`.
pub const MAX_DIGITS: usize = (i32::MAX / (255 * 255)) as usize;
/// Distance of the last Toeplitz column from the end of its step, `STEP_DIGITS - 1` less its `psi`: step 0 is
/// then the first one that a tile needs.
pub const REACH: usize = STEP_DIGITS - 1 - psi(COLUMNS - 1);

/// First digit of a row of a tile, 0 to 15, less the tile's.
#[must_use]
pub const fn phi(row: usize) -> usize {
    16 * (row % 8) + 2 * (row / 8)
}

/// The offset of a column of a tile, 0 to 7, from the row's digit.
#[must_use]
pub const fn psi(column: usize) -> usize {
    4 * (column / 2) + column % 2
}

/// The index of the data of a tile's step: equal values, equal data.
#[must_use]
pub const fn mu(tile: usize, tau: usize) -> isize {
    (TILE_STEPS * tile) as isize - tau as isize
}

/// Digit of the second factor in row `row`, column `k` of the data of mu; none below 0.
#[must_use]
pub const fn data_digit(mu: isize, row: usize, k: usize) -> isize {
    STEP_DIGITS as isize * mu + phi(row) as isize - REACH as isize + k as isize
}

/// Digit of the first factor in row `k`, column `column` of the Toeplitz matrix of step tau; none below 0.
#[must_use]
pub const fn toeplitz_digit(tau: usize, column: usize, k: usize) -> isize {
    (psi(column) + REACH + STEP_DIGITS * tau) as isize - k as isize
}

/// Steps, from tau = 0 on, of a tile whose first `words` words are kept, 1 to [`TILE_WORDS`].
#[must_use]
pub const fn steps(tile: usize, words: usize) -> usize {
    TILE_STEPS * tile + words.div_ceil(8)
}

/// Steps of a tile of all digits of a product of factors of `tiles` tiles: those with digits of both.
#[must_use]
pub const fn wide_steps(tile: usize, tiles: usize) -> Range<usize> {
    let (end, last) = (TILE_STEPS * (tile + 1), TILE_STEPS * tiles + 1);
    TILE_STEPS * tile.saturating_sub(tiles)..if end < last { end } else { last }
}

/// Steps in which the lowest `digits` digits of the first factor take part.
#[must_use]
pub const fn half_steps(digits: usize) -> usize {
    (digits + psi(COLUMNS - 1)).div_ceil(STEP_DIGITS)
}

/// Steps of a tile of a low square: those with Toeplitz digits below 64M, and four with digits from there on.
#[must_use]
pub const fn square_steps(tile: usize) -> usize {
    if tile == 0 { 4 } else { 2 * tile + 5 }
}

/// Digits of the lower half of a number of `words` words, in whole words.
pub(super) const fn half_digits(words: usize) -> usize {
    4 * words.div_ceil(2)
}

/// Matrix products of a square of `words` words by its lower half.
#[must_use]
pub fn matrix_products_by_half(words: usize) -> usize {
    let most = half_steps(half_digits(words));
    let kept = |tile: usize| (words - TILE_WORDS * tile).min(TILE_WORDS);
    (0..words.div_ceil(TILE_WORDS)).map(|tile| steps(tile, kept(tile)).min(most)).sum()
}

/// Matrix products of a low product of `words` words.
#[must_use]
pub const fn matrix_products(words: usize) -> usize {
    let (whole, rest) = (words / TILE_WORDS, words % TILE_WORDS);
    let top = if rest == 0 { 0 } else { steps(whole, rest) };
    2 * whole * (whole + 1) + top
}

/// A product of more digits than 32-bit sums hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a product of {found} digits of 8 bits could exceed its 32-bit sums; expected at most {MAX_DIGITS} digits: use another product"
)]
pub struct TooManyDigits {
    /// Digits of a factor.
    pub found: usize,
}

/// Checks that sums of `digits` products of bytes are exact.
///
/// # Errors
/// [`TooManyDigits`] if they could reach 2^31.
pub const fn check(digits: usize) -> Result<(), TooManyDigits> {
    if digits > MAX_DIGITS { Err(TooManyDigits { found: digits }) } else { Ok(()) }
}
