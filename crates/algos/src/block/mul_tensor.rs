//! The product by small matrices of bytes, as tensor cores multiply them.
//!
//! Digits are bytes. The unit of work is the matrix product `C += A * B` of 16 x 32 by 32 x 8 bytes with
//! 32-bit sums (`mma.m16n8k32`). Output digit `128 * tile + phi(row) + psi(column)` is one element of C. A
//! holds digits of the second factor as they lie (data), B digits of the first one as a Toeplitz matrix. Step
//! tau of a tile adds, for k in 0..32,
//!
//! ```text
//! b[128 * tile + phi(row) - 18 - 32 * tau + k] * a[psi(column) + 18 + 32 * tau - k]
//! ```
//!
//! where digits outside the factors count as zero. The indices add up to the output digit, and over all steps
//! every pair comes once. A depends on `mu = 4 * tile - tau` only and B on tau only, so a kernel loads each
//! of them once for several products.
//!
//! The maps put the four digits of word `32 * tile + lane` into the four elements of C that lane holds in a
//! warp: row `lane / 4` and that plus 8, columns `2 * (lane % 4)` and the next. No coefficient changes lanes.
//!
//! Sums are exact as long as n products of bytes fit 31 bits, [`MAX_DIGITS`].

mod tile;

use core::ops::Range;

use limbforge_limb::Base;

pub use tile::{
    COLUMNS, MAX_DIGITS, REACH, STEP_DIGITS, TILE_DIGITS, TILE_WORDS, TooManyDigits, check, data_digit,
    half_steps, matrix_products, matrix_products_by_half, mu, phi, psi, square_steps, steps, toeplitz_digit,
    wide_steps,
};

/// `a * b mod 2^bits`, as many limbs as that takes; limbs that a factor lacks count as zero.
///
/// # Errors
/// [`TooManyDigits`] if the result has more than [`MAX_DIGITS`] bytes.
pub fn mul_low<B: Base>(a: &[B], b: &[B], bits: u32) -> Result<Vec<B>, TooManyDigits> {
    low(bits, |count| {
        let [a, b] = [a, b].map(|limbs| digits(limbs, count));
        move |tile, kept| product_sums(&a, &b, tile, 0..steps(tile, kept))
    })
}

/// `a * a mod 2^bits` in about half the steps: in tile M, products with a digit below 64M count twice.
///
/// # Errors
/// [`TooManyDigits`] if the result has more than [`MAX_DIGITS`] bytes.
pub fn sqr_low<B: Base>(a: &[B], bits: u32) -> Result<Vec<B>, TooManyDigits> {
    low(bits, |count| {
        let digits = digits(a, count);
        move |tile, _| square_sums(&digits, tile)
    })
}

/// `a * a mod 2^bits` in fewer steps where there are few tiles: with l the lower half of a, `a = l + h B` and
/// `a * a = l * (l + 2 h B) + h^2 B^2`, where the last term is a multiple of `2^bits`. The first factor has
/// half the digits, so that no tile takes more than [`half_steps`].
///
/// # Errors
/// [`TooManyDigits`] if the result has more than [`MAX_DIGITS`] bytes.
pub fn sqr_low_by_half<B: Base>(a: &[B], bits: u32) -> Result<Vec<B>, TooManyDigits> {
    low(bits, |count| {
        let mut lower = digits(a, count);
        let upper = lower.split_off(tile::half_digits(count / 4));
        // Twice the upper half.
        let below = core::iter::once(&0).chain(&upper);
        let doubled = upper.iter().zip(below).map(|(&digit, &below)| digit << 1 | below >> 7);
        let second: Vec<u8> = lower.iter().copied().chain(doubled).collect();
        let most = half_steps(lower.len());
        move |tile, kept| product_sums(&lower, &second, tile, 0..steps(tile, kept).min(most))
    })
}

/// `a * b`, as many limbs as the factors have together.
///
/// # Errors
/// [`TooManyDigits`] if the longer factor has more than [`MAX_DIGITS`] bytes.
pub fn mul_wide<B: Base>(a: &[B], b: &[B]) -> Result<Vec<B>, TooManyDigits> {
    let longer = a.len().max(b.len()) * B::BYTES;
    check(longer)?;
    let tiles = longer.div_ceil(TILE_DIGITS);
    let [first, second] = [a, b].map(|limbs| digits(limbs, longer));
    let bits = (a.len() + b.len()) as u32 * B::BITS;
    Ok(limbs(bits, |tile, _| product_sums(&first, &second, tile, wide_steps(tile, tiles))))
}

/// A low product of so many bits; `prepare` makes the coefficients of a tile from the number of digits.
fn low<B: Base, F: Fn(usize, usize) -> Sums>(
    bits: u32,
    prepare: impl FnOnce(usize) -> F,
) -> Result<Vec<B>, TooManyDigits> {
    let digits = 4 * bits.div_ceil(32) as usize;
    check(digits)?;
    Ok(limbs(bits, prepare(digits)))
}

/// The first `count` bytes of the limbs, zeros above them.
fn digits<B: Base>(limbs: &[B], count: usize) -> Vec<u8> {
    let mut digits = vec![0; count];
    for (bytes, limb) in digits.chunks_mut(B::BYTES).zip(limbs) {
        limb.write_le_bytes(bytes);
    }
    digits
}

/// The coefficients of a tile of a product in these steps.
fn product_sums(a: &[u8], b: &[u8], tile: usize, steps: Range<usize>) -> Sums {
    let mut sums = Sums::default();
    for tau in steps {
        sums.add(&data(b, mu(tile, tau)), &toeplitz(a, tau));
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
            sums.add(&data(digits, mu(tile, tau)), &toeplitz(&below, tau));
        }
        sums.0.iter_mut().flatten().for_each(|sum| *sum *= 2);
    }
    for tau in first..first + TILE_DIGITS / STEP_DIGITS {
        sums.add(&data(&above, mu(tile, tau)), &toeplitz(&above, tau));
    }
    sums
}

/// The limbs of a product mod `2^bits`; `sums_of` has the coefficients of a tile, of which so many words are
/// kept.
fn limbs<B: Base>(bits: u32, sums_of: impl Fn(usize, usize) -> Sums) -> Vec<B> {
    let count = bits.div_ceil(32) as usize;
    let (mut bytes, mut carry) = (Vec::with_capacity(4 * count), 0);
    for tile in 0..count.div_ceil(TILE_WORDS) {
        let kept = (count - TILE_WORDS * tile).min(TILE_WORDS);
        let sums = sums_of(tile, kept);
        for lane in 0..kept {
            // The carry is below 2^26 for sums below 2^31, too small to make the next word's sum overflow.
            let value = sums.of_lane(lane).iter().rev().fold(0, |value, &sum| (value << 8) + u64::from(sum));
            bytes.extend(((value + carry) as u32).to_le_bytes());
            carry = (value + carry) >> 32;
        }
    }
    if let Some(top) = bytes.last_chunk_mut().filter(|_| !bits.is_multiple_of(32)) {
        *top = (u32::from_le_bytes(*top) & ((1 << (bits % 32)) - 1)).to_le_bytes();
    }
    let limb = |i: usize| B::from_le_bytes(bytes.get(i * B::BYTES..).unwrap_or_default());
    (0..bits.div_ceil(B::BITS) as usize).map(limb).collect()
}

const ROWS: usize = 16;

/// The coefficients of a tile.
#[derive(Clone, Debug, Default)]
struct Sums([[u32; COLUMNS]; ROWS]);

fn digit(digits: &[u8], index: isize) -> u8 {
    usize::try_from(index).ok().and_then(|index| digits.get(index)).copied().unwrap_or(0)
}

/// The data of mu.
fn data(b: &[u8], mu: isize) -> [[u8; STEP_DIGITS]; ROWS] {
    core::array::from_fn(|row| core::array::from_fn(|k| digit(b, data_digit(mu, row, k))))
}

/// The Toeplitz matrix of tau.
fn toeplitz(a: &[u8], tau: usize) -> [[u8; COLUMNS]; STEP_DIGITS] {
    core::array::from_fn(|k| core::array::from_fn(|column| digit(a, toeplitz_digit(tau, column, k))))
}

impl Sums {
    /// `C += A * B`; panics if a sum exceeds 31 bits.
    fn add(&mut self, a: &[[u8; STEP_DIGITS]; ROWS], b: &[[u8; COLUMNS]; STEP_DIGITS]) {
        for (sums, row) in self.0.iter_mut().zip(a) {
            for (&x, column) in row.iter().zip(b) {
                for (sum, &y) in sums.iter_mut().zip(column) {
                    *sum += u32::from(x) * u32::from(y);
                }
            }
            assert!(sums.iter().all(|&sum| sum <= i32::MAX as u32), "a sum leaves its 31 bits");
        }
    }

    /// The coefficients that a lane of a warp holds: the four digits of the tile's word `lane`.
    fn of_lane(&self, lane: usize) -> [u32; 4] {
        let (row, column) = (lane / 4, 2 * (lane % 4));
        [self.0[row][column], self.0[row][column + 1], self.0[row + 8][column], self.0[row + 8][column + 1]]
    }
}
