//! Products and squares of neighbouring numbers of four or eight words: from their words to those of the results
//! in registers, eight at a time.
//!
//! A digit of 52 bits is one shift of two neighbouring words, since the multiply-adds do not read the bits
//! above it. Each column of the product is resolved as soon as it is summed, and a word of the result is one
//! shift of two neighbouring columns, or of three. Bounds are those of [`multiply`](super::multiply).

use super::lanes::{DIGIT_BITS, Lanes, WIDTH};
use super::path::{Kept, Path, with_lanes};
use super::short::columns::{Columns, Factors};
use super::short::words::{enter, leave};

mod columns;
mod words;

/// Writes the products, or the squares if `b` is `a`, of the first numbers of so many words, as many as come in
/// groups of eight; returns their number. It is 0 for lengths that are not computed here.
pub(crate) fn products(path: Path, kept: Kept, words: usize, out: &mut [u64], [a, b]: [&[u64]; 2]) -> usize {
    macro_rules! run {
        ($($kept:ident $words:literal $is_square:literal $digits:literal $columns:literal $kept_words:literal;)*) => {
            match (kept, words) {
                $((Kept::$kept, $words) => with_lanes!(path, lanes => groups::<
                    _, $is_square, $words, $digits, $columns, $kept_words,
                >(lanes, out, [a, b])),)*
                _ => 0,
            }
        };
    }
    run! {
        Low 4 false 5 5 4;
        Low 8 false 10 10 8;
        LowOfSquare 4 true 5 5 4;
        LowOfSquare 8 true 10 10 8;
        Wide 4 false 5 10 8;
        Wide 8 false 10 20 16;
        WideOfSquare 4 true 5 10 8;
        WideOfSquare 8 true 10 20 16;
    }
}

/// Products of numbers of M words or N digits, of which C columns and R words are kept.
fn groups<L: Lanes, const IS_SQUARE: bool, const M: usize, const N: usize, const C: usize, const R: usize>(
    lanes: L,
    out: &mut [u64],
    [a, b]: [&[u64]; 2],
) -> usize {
    let (a, b) = (a.as_chunks::<M>().0.as_chunks().0, b.as_chunks::<M>().0.as_chunks().0);
    let out = out.as_chunks_mut::<R>().0.as_chunks_mut().0;
    lanes.run(
        #[inline(always)]
        || {
            let mut count = 0;
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                let a = enter::<L, M, N>(lanes, a);
                let factors = if IS_SQUARE { Factors::Square(a) } else { Factors::Pair(a, enter(lanes, b)) };
                leave::<L, M, C, R>(lanes, out, &factors.columns(lanes));
                count += WIDTH;
            }
            count
        },
    )
}
