//! Products and squares of neighbouring numbers of four, eight or sixteen words, eight at a time: each length
//! is compiled on its own. Up to eight words, registers hold all from the operands' words to those of the
//! results; from sixteen words on, digits and columns are in memory. Measured at 1024 bits beside the loops
//! for all lengths ([`Neighbours`](super::Neighbours)), nanoseconds: 25 and 39 (low), 43 and 63 (wide), 29
//! and 43 (wide squares).
//!
//! A digit of 52 bits is one shift of two neighbouring words, since the multiply-adds do not read the bits
//! above it. Each column of the product is resolved as soon as it is summed, and a word of the result is one
//! shift of two neighbouring columns, or of three. Bounds are those of [`multiply`](super::multiply).

use super::lanes::{DIGIT_BITS, Lanes, WIDTH, Words};
use super::multiply::resolve;
use super::path::{Kept, Path, with_lanes};
use super::product::{Pair, Square};
use super::short::columns::{Columns, Factors};
use super::short::words::{enter, leave};

#[macro_use]
mod unrolled;
mod columns;
mod words;

/// Writes the products, or the squares if `b` is `a`, of the first numbers of so many words, as many as come in
/// groups of eight; returns their number. It is 0 for lengths that are not computed here.
pub(crate) fn products(path: Path, kept: Kept, words: usize, out: &mut [u64], [a, b]: [&[u64]; 2]) -> usize {
    macro_rules! run {
        ($($groups:ident $kept:ident $words:literal $is_square:literal $digits:literal $columns:literal
           $kept_words:literal;)*) => {
            match (kept, words) {
                $((Kept::$kept, $words) => with_lanes!(path, lanes => $groups::<
                    _, $is_square, $words, $digits, $columns, $kept_words,
                >(lanes, out, [a, b])),)*
                _ => 0,
            }
        };
    }
    run! {
        in_registers Low 4 false 5 5 4;
        in_registers Low 8 false 10 10 8;
        in_registers LowOfSquare 4 true 5 5 4;
        in_registers LowOfSquare 8 true 10 10 8;
        in_registers Wide 4 false 5 10 8;
        in_registers Wide 8 false 10 20 16;
        in_registers WideOfSquare 4 true 5 10 8;
        in_registers WideOfSquare 8 true 10 20 16;
        in_memory Low 16 false 20 20 16;
        in_memory LowOfSquare 16 true 20 20 16;
        in_memory Wide 16 false 20 40 32;
        in_memory WideOfSquare 16 true 20 40 32;
    }
}

/// Products of numbers of M words, of which R words are kept, eight at a time by the function; returns their
/// number.
#[inline(always)]
fn groups<L: Lanes, const M: usize, const R: usize>(
    lanes: L,
    out: &mut [u64],
    [a, b]: [&[u64]; 2],
    mut eight: impl FnMut(&mut [[u64; R]; WIDTH], [&[[u64; M]; WIDTH]; 2]),
) -> usize {
    let (a, b) = (a.as_chunks::<M>().0.as_chunks().0, b.as_chunks::<M>().0.as_chunks().0);
    let out = out.as_chunks_mut::<R>().0.as_chunks_mut().0;
    lanes.run(
        #[inline(always)]
        || {
            let mut count = 0;
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                eight(out, [a, b]);
                count += WIDTH;
            }
            count
        },
    )
}

/// Products of numbers of M words or N digits, of which C columns and R words are kept.
fn in_registers<
    L: Lanes,
    const IS_SQUARE: bool,
    const M: usize,
    const N: usize,
    const C: usize,
    const R: usize,
>(
    lanes: L,
    out: &mut [u64],
    factors: [&[u64]; 2],
) -> usize {
    groups(
        lanes,
        out,
        factors,
        #[inline(always)]
        |out, [a, b]| {
            let a = enter::<L, M, N>(lanes, a);
            let factors = if IS_SQUARE { Factors::Square(a) } else { Factors::Pair(a, enter(lanes, b)) };
            leave::<L, M, C, R>(lanes, out, &factors.columns(lanes));
        },
    )
}

/// As [`in_registers`], with digits and columns in memory.
fn in_memory<
    L: Lanes,
    const IS_SQUARE: bool,
    const M: usize,
    const N: usize,
    const C: usize,
    const R: usize,
>(
    lanes: L,
    out: &mut [u64],
    factors: [&[u64]; 2],
) -> usize {
    let [mut a_digits, mut b_digits] = [[Words::ZERO; N]; 2];
    let mut columns = [Words::ZERO; C];
    groups(
        lanes,
        out,
        factors,
        #[inline(always)]
        |out, [a, b]| {
            store::<L, M, N>(lanes, &mut a_digits, a);
            if IS_SQUARE {
                resolve(lanes, &mut columns, &Square { a: &a_digits }, N);
            } else {
                store::<L, M, N>(lanes, &mut b_digits, b);
                resolve(lanes, &mut columns, &Pair { a: &a_digits, b: &b_digits }, N);
            }
            let mut loaded = [lanes.splat(0); C];
            unrolled!(i < C => loaded[i] = lanes.load(&columns[i]));
            leave::<L, M, C, R>(lanes, out, &loaded);
        },
    )
}

/// Writes the digits of eight rows of words.
#[inline(always)]
fn store<L: Lanes, const M: usize, const N: usize>(lanes: L, out: &mut [Words; N], rows: &[[u64; M]; WIDTH]) {
    let digits: [L::Word; N] = enter(lanes, rows);
    unrolled!(i < N => out[i] = lanes.store(digits[i]));
}
