//! The product by small matrices of bytes, as tensor cores multiply them: the specification of the kernel of
//! that name.
//!
//! Digits are bytes. The unit of work is the matrix product `C += A * B` of 16 x 32 by 32 x 8 bytes with
//! 32-bit sums (`mma.m16n8k32`). Output digit `128 * tile + phi(row) + psi(column)` is one element of C; A
//! holds digits of the second factor as they lie (data), B digits of the first one as a Toeplitz matrix. Step
//! tau of a tile adds, for k in 0..32,
//!
//! ```text
//! b[128 * tile + phi(row) - 18 - 32 * tau + k] * a[psi(column) + 18 + 32 * tau - k]
//! ```
//!
//! where digits outside the factors count as zero: the indices add up to the output digit, and over all steps
//! every pair comes once. A depends on `mu = 4 * tile - tau` only, B on tau only, which is what a kernel
//! saves loads by.
//!
//! The maps put the four digits of word `32 * tile + lane` into the four elements of C that lane holds in a
//! warp: row `lane / 4` and that plus 8, columns `2 * (lane % 4)` and the next. No digit sum changes lanes.
//!
//! Sums are exact as long as n products of bytes fit 31 bits, [`MAX_DIGITS`].

mod matrix;
mod words;

use core::ops::Range;

use limbforge_limb::Base;

use matrix::Sums;

/// Digits of a tile of the result.
pub const TILE_DIGITS: usize = 128;

/// Words of 32 bits of a tile of the result.
pub const TILE_WORDS: usize = TILE_DIGITS / 4;

/// Columns of a tile.
pub const COLUMNS: usize = 8;

/// Terms of a coefficient that one step adds.
pub const STEP_DIGITS: usize = 32;

/// The most digits of a factor: `33025 * 255^2 < 2^31`.
pub const MAX_DIGITS: usize = (i32::MAX / (255 * 255)) as usize;

/// How far the last Toeplitz column is from the end of its step: `STEP_DIGITS - 1` less `psi` of it. With it,
/// step 0 is the first one that a tile needs.
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
    (TILE_DIGITS / STEP_DIGITS * tile) as isize - tau as isize
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
    TILE_DIGITS / STEP_DIGITS * tile + words.div_ceil(8)
}

/// Steps of a tile of all digits of a product of factors of `tiles` tiles: those with digits of both.
#[must_use]
pub const fn wide_steps(tile: usize, tiles: usize) -> Range<usize> {
    let per_tile = TILE_DIGITS / STEP_DIGITS;
    let (end, last) = (per_tile * (tile + 1), per_tile * tiles + 1);
    per_tile * tile.saturating_sub(tiles)..if end < last { end } else { last }
}

/// Steps in which the lowest `digits` digits of the first factor take part.
#[must_use]
pub const fn half_steps(digits: usize) -> usize {
    (digits + psi(COLUMNS - 1)).div_ceil(STEP_DIGITS)
}

/// Digits of the lower half of a number of `words` words, in whole words.
const fn half_digits(words: usize) -> usize {
    4 * words.div_ceil(2)
}

/// Matrix products of a square of `words` words by its lower half.
#[must_use]
pub fn matrix_products_by_half(words: usize) -> usize {
    let most = half_steps(half_digits(words));
    let wanted = |tile: usize| (words - TILE_WORDS * tile).min(TILE_WORDS);
    (0..words.div_ceil(TILE_WORDS)).map(|tile| steps(tile, wanted(tile)).min(most)).sum()
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

/// Whether sums of `digits` products of bytes are exact.
///
/// # Errors
/// [`TooManyDigits`] if they could reach 2^31.
pub const fn check(digits: usize) -> Result<(), TooManyDigits> {
    if digits > MAX_DIGITS { Err(TooManyDigits { found: digits }) } else { Ok(()) }
}

/// `a * b mod 2^bits`, as many limbs as that takes; limbs that a factor lacks count as zero.
///
/// # Errors
/// [`TooManyDigits`] if the result has more than [`MAX_DIGITS`] bytes.
pub fn mul_low<B: Base>(a: &[B], b: &[B], bits: u32) -> Result<Vec<B>, TooManyDigits> {
    let count = bits.div_ceil(32) as usize;
    check(4 * count)?;
    let factors = [a, b].map(|limbs| words::digits(limbs, 4 * count));
    let product = words(count, |tile, wanted| product_sums(&factors, tile, 0..steps(tile, wanted)));
    Ok(low(product, bits))
}

/// `a * a mod 2^bits` in about half the steps: of tile M, products with a digit below 64M are added up once
/// and doubled.
///
/// # Errors
/// [`TooManyDigits`] if the result has more than [`MAX_DIGITS`] bytes.
pub fn sqr_low<B: Base>(a: &[B], bits: u32) -> Result<Vec<B>, TooManyDigits> {
    let count = bits.div_ceil(32) as usize;
    check(4 * count)?;
    let digits = words::digits(a, 4 * count);
    Ok(low(words(count, |tile, _| square_sums(&digits, tile)), bits))
}

/// `a * a mod 2^bits` in fewer steps where there are few tiles: with l the lower half of a, `a = l + h B` and
/// `a * a = l * (l + 2 h B) + h^2 B^2`, of which the last is a multiple of `2^bits`. The first factor has
/// half the digits, so that no tile takes more than [`half_steps`].
///
/// # Errors
/// [`TooManyDigits`] if the result has more than [`MAX_DIGITS`] bytes.
pub fn sqr_low_by_half<B: Base>(a: &[B], bits: u32) -> Result<Vec<B>, TooManyDigits> {
    let count = bits.div_ceil(32) as usize;
    check(4 * count)?;
    let digits = words::digits(a, 4 * count);
    let (lower, upper) = digits.split_at(half_digits(count));
    let most = half_steps(lower.len());
    let factors = [lower.to_vec(), [lower, &words::doubled(upper)].concat()];
    let sums = |tile, wanted| product_sums(&factors, tile, 0..steps(tile, wanted).min(most));
    Ok(low(words(count, sums), bits))
}

/// Steps of a tile of a low square: those with Toeplitz digits below 64M, and four with digits from there on.
#[must_use]
pub const fn square_steps(tile: usize) -> usize {
    if tile == 0 { 4 } else { 2 * tile + 5 }
}

/// `a * b`, as many limbs as the factors have together.
///
/// # Errors
/// [`TooManyDigits`] if the longer factor has more than [`MAX_DIGITS`] bytes.
pub fn mul_wide<B: Base>(a: &[B], b: &[B]) -> Result<Vec<B>, TooManyDigits> {
    let longer = a.len().max(b.len()) * B::BYTES;
    check(longer)?;
    let tiles = longer.div_ceil(TILE_DIGITS);
    let factors = [a, b].map(|limbs| words::digits(limbs, longer));
    let limbs = a.len() + b.len();
    let count = limbs * B::BYTES / 4;
    let product = words(count, |tile, _| product_sums(&factors, tile, wide_steps(tile, tiles)));
    Ok(words::limbs(&product, limbs as u32 * B::BITS))
}

/// The limbs of the words of a low product.
fn low<B: Base>(mut product: Vec<u32>, bits: u32) -> Vec<B> {
    if let Some(top) = product.last_mut().filter(|_| !bits.is_multiple_of(32)) {
        *top &= (1 << (bits % 32)) - 1;
    }
    words::limbs(&product, bits)
}

/// The coefficients of a tile of a product in these steps.
fn product_sums([a, b]: &[Vec<u8>; 2], tile: usize, steps: Range<usize>) -> Sums {
    let mut sums = Sums::default();
    for tau in steps {
        sums.add(&matrix::data(b, mu(tile, tau)), &matrix::toeplitz(a, tau));
    }
    sums
}

/// The coefficients of a tile of a square. Pairs of digits of which one is below 64M come in either order;
/// the others are those of digits from 64M on, in steps 2M to 2M + 3.
fn square_sums(digits: &[u8], tile: usize) -> Sums {
    let (middle, first) = (TILE_DIGITS / 2 * tile, TILE_DIGITS / STEP_DIGITS / 2 * tile);
    let part = |keep: &dyn Fn(usize) -> bool| -> Vec<u8> {
        digits.iter().enumerate().map(|(i, &digit)| if keep(i) { digit } else { 0 }).collect()
    };
    let (below, above) = (part(&|i| i < middle), part(&|i| i >= middle));
    let mut sums = Sums::default();
    if tile > 0 {
        for tau in 0..=first {
            sums.add(&matrix::data(digits, mu(tile, tau)), &matrix::toeplitz(&below, tau));
        }
        sums.double();
    }
    for tau in first..first + TILE_DIGITS / STEP_DIGITS {
        sums.add(&matrix::data(&above, mu(tile, tau)), &matrix::toeplitz(&above, tau));
    }
    sums
}

/// The first `count` words of a product; `sums_of` has the coefficients of a tile, of which so many words are
/// kept.
fn words(count: usize, sums_of: impl Fn(usize, usize) -> Sums) -> Vec<u32> {
    let mut product = vec![];
    let mut carry = 0;
    for tile in 0..count.div_ceil(TILE_WORDS) {
        let wanted = (count - TILE_WORDS * tile).min(TILE_WORDS);
        let sums = sums_of(tile, wanted);
        for lane in 0..wanted {
            let (word, above) = words::join(sums.of_lane(lane), carry);
            product.push(word);
            carry = above;
        }
    }
    product
}
