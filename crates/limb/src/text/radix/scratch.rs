//! Working memory of conversions, reused by each thread.

use core::cell::Cell;
use core::cmp::Ordering;

use crate::slice::mul::{self, Factors, schoolbook};
use crate::slice::{Scratch as ProductScratch, add};
use crate::{convert, invariant::broken_invariant};

/// A thread keeps at most this many words, of the numbers of up to 2^18 bits that are usual.
const KEPT: usize = 1 << 16;
/// A factor of fewer words is multiplied by columns, whatever the length of the other.
const SHORT: usize = mul::karatsuba::THRESHOLD;
/// Factors of as many words are multiplied by num-bigint, whose Toom-3 product then wins. Measured.
const LONG: usize = 2048;

#[derive(Default)]
pub(super) struct Scratch {
    /// The number as machine words.
    pub(super) value: Vec<u64>,
    /// The number in the base of the largest power of the radix that is a word, most significant first.
    pub(super) chunks: Vec<u64>,
    /// Room for intermediate values.
    pub(super) room: Vec<u64>,
    pub(super) product: ProductScratch,
}

thread_local! {
    static SCRATCH: Cell<Scratch> = Cell::default();
}

/// Runs `f` with the memory of this thread.
pub(super) fn with_scratch<R>(f: impl FnOnce(&mut Scratch) -> R) -> R {
    // A thread that ends has no memory of its own any more.
    let mut scratch = SCRATCH.try_with(Cell::take).unwrap_or_default();
    let result = f(&mut scratch);
    if scratch.room.len() <= KEPT {
        // As above: nothing is then kept.
        let _ = SCRATCH.try_with(|kept| kept.set(scratch));
    }
    result
}

/// `out = a * b`, of any lengths; `out` has those of both together.
pub(super) fn product(out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut ProductScratch) {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.len() < SHORT {
        return schoolbook::window(out, short, long, 0);
    }
    if short.len() >= LONG {
        let product = convert::to_biguint(short) * convert::to_biguint(long);
        if !convert::from_biguint(&product, out) {
            broken_invariant("a product is as long as its factors together");
        }
        return;
    }
    if short.len() == long.len() {
        return mul::wide(out, Factors::Pair(short, long), scratch);
    }
    // Pieces of the longer factor that are as long as the shorter one; the last is shorter.
    let n = short.len();
    let mut piece = vec![0; 2 * n];
    out.fill(0);
    for (i, part) in long.chunks(n).enumerate() {
        let piece = &mut piece[..n + part.len()];
        match part.len().cmp(&n) {
            Ordering::Equal => mul::wide(piece, Factors::Pair(short, part), scratch),
            _ => product(piece, part, short, scratch),
        }
        // The sum so far is a product of the factors' low parts, which fits below the end of the piece.
        add::add_assign(&mut out[i * n..], piece, false);
    }
}
