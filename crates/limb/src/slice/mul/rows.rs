//! Schoolbook products by rows, on machine words: at most [`MOST`] limbs of one factor times all limbs of the
//! other in a pass. `adx` has the passes in assembly, `portable` in Rust.
//!
//! The processor decides at run time. The feature `portable` of this crate leaves the assembly out; the
//! environment variable `LIMBFORGE_ROWS=portable` keeps a program from using it, `low_first` and `high_first` force an
//! order of additions.

use super::Factors;
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
use order::order;
use square::{low_square, square};

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
mod adx;
pub mod batch;
pub mod matrix;
pub(super) mod middle;
pub mod montgomery;
pub mod multiple;
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
pub(in crate::slice) mod order;
mod portable;
mod square;
pub mod straight;
#[cfg(test)]
mod tests;

/// Limbs of the factor whose sums a pass keeps in registers.
pub const MOST: usize = 8;

/// The products `a[i] * b[j]` of a pass and where its sum ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// All; the limbs above those of b go to `top`.
    Wide,
    /// Those with `i + j` below the length of b, and the result mod B to that length.
    Low,
    /// Those with `i < j`, where b begins with a; otherwise as `Wide`. Limb 0 of `out` is left alone.
    Square,
    /// Those with `i < j` of `Low`.
    SquareLow,
}

impl Shape {
    const fn starts_below(self) -> bool {
        matches!(self, Self::Square | Self::SquareLow)
    }

    const fn ends_low(self) -> bool {
        matches!(self, Self::Low | Self::SquareLow)
    }

    /// Shortest b for `width` limbs of a.
    const fn fewest_rows(self, width: usize) -> usize {
        width * (self.starts_below() as usize + self.ends_low() as usize)
    }
}

#[derive(Clone, Copy, Debug)]
struct Pass {
    shape: Shape,
    /// Whether the sum is added to `out`; otherwise it overwrites it.
    add: bool,
}

/// The sum of the products of a pass: `b.len()` limbs to `out`, as many as a has to `top`, or none to an
/// empty `top` of a low product.
fn pass(pass: Pass, out: &mut [u64], top: &mut [u64], a: &[u64], b: &[u64]) {
    let (width, rows) = (a.len(), b.len());
    assert!(width > 0 && width <= MOST && rows >= pass.shape.fewest_rows(width), "limbs of one pass");
    assert!(
        out.len() == rows && top.len() == if pass.shape.ends_low() { 0 } else { width },
        "limbs of a sum"
    );
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if are_fast() {
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        return unsafe { adx::pass(pass, out, top, a, b) };
    }
    portable::pass(pass, out, top, a, b);
}

/// Returns true if the passes run in assembly on this processor; otherwise products by columns are faster.
#[must_use]
#[inline]
pub fn are_fast() -> bool {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    {
        use std::sync::OnceLock;
        static FAST: OnceLock<bool> = OnceLock::new();
        return *FAST.get_or_init(|| {
            let portable = std::env::var_os("LIMBFORGE_ROWS").is_some_and(|rows| rows == "portable");
            !portable && std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx")
        });
    }
    #[allow(unreachable_code, reason = "other processors and the feature `portable`")]
    false
}

/// Limbs of the next pass for `rest` remaining ones: no pass is narrow, unless the factor is.
#[must_use]
pub const fn next_width(rest: usize) -> usize {
    match rest {
        0..=MOST => rest,
        9..=15 => rest.div_ceil(2),
        _ => MOST,
    }
}

/// `out = product of the factors`, `2M` limbs.
#[inline]
pub fn wide(out: &mut [u64], factors: Factors<'_, u64>) {
    assert_eq!(out.len(), 2 * factors.len(), "a wide product has twice the length of its factors");
    if straight::wide(out, factors) {
        return;
    }
    match factors {
        Factors::Pair(a, b) => product(out, a, b),
        Factors::Square(a) => square(out, a),
    }
}

/// `out = product of the factors mod B^M`, M limbs.
#[inline]
pub fn low(out: &mut [u64], factors: Factors<'_, u64>) {
    assert_eq!(out.len(), factors.len(), "a low product has the length of its factors");
    if straight::low(out, factors) {
        return;
    }
    match factors {
        Factors::Pair(a, b) => low_product(out, a, b),
        Factors::Square(a) => low_square(out, a),
    }
}

/// `acc += a * b` for an acc of the length of b and at most [`MOST`] limbs a; returns the limbs above acc.
///
/// ```
/// use limbforge_limb::slice::mul::rows::add_product;
/// let mut acc = [1, 2];
/// let above = add_product(&mut acc, &[3], &[4, 5]);
/// assert_eq!((acc, above), ([13, 17], [0; 8]));
/// ```
pub fn add_product(acc: &mut [u64], a: &[u64], b: &[u64]) -> [u64; MOST] {
    let mut top = [0; MOST];
    pass(Pass { shape: Shape::Wide, add: true }, acc, &mut top[..a.len()], a, b);
    top
}

/// Computes passes of eight limbs of a in one function where that is in assembly (see `adx::full`), and returns their
/// limbs. What is left is nothing or has 9 to 15 limbs, to be cut evenly.
fn whole_passes(out: &mut [u64], a: &[u64], b: &[u64]) -> usize {
    assert_eq!(out.len(), a.len() + b.len(), "limbs of a product");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if a.len() >= MOST && !b.is_empty() && are_fast() {
        let done = if a.len().is_multiple_of(MOST) { a.len() } else { (a.len() / MOST - 1) * MOST };
        if done > 0 {
            // SAFETY: the processor has the instructions, and the lengths are those of the slices.
            #[allow(unsafe_code, reason = "assembly")]
            unsafe {
                adx::full::product(order(), &mut out[..done + b.len()], &a[..done], b);
            }
        }
        return done;
    }
    0
}

/// `out = a * b` for factors of any lengths, as many limbs as both have.
pub(super) fn product(out: &mut [u64], a: &[u64], b: &[u64]) {
    if a.is_empty() {
        out.fill(0);
    }
    let mut done = whole_passes(out, a, b);
    while done < a.len() {
        let width = next_width(a.len() - done);
        let (sum, top) = out[done..].split_at_mut(b.len());
        let next = Pass { shape: Shape::Wide, add: done > 0 };
        pass(next, sum, &mut top[..width], &a[done..done + width], b);
        done += width;
    }
}

/// Longer factors in one function where that is in assembly: see `adx::low`.
fn low_product(out: &mut [u64], a: &[u64], b: &[u64]) {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if out.len() > MOST && are_fast() {
        assert!(a.len() == out.len() && b.len() == out.len(), "limbs of a low product");
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        return unsafe { adx::low::product(order(), out, a, b) };
    }
    by_passes(out, a, b, pass);
}

/// As [`pass`].
type RunPass = fn(Pass, &mut [u64], &mut [u64], &[u64], &[u64]);

/// A low product by passes, in assembly or in Rust.
fn by_passes(out: &mut [u64], a: &[u64], b: &[u64], pass: RunPass) {
    let (len, mut done) = (out.len(), 0);
    while done < len {
        let width = next_width(len - done);
        let next = Pass { shape: Shape::Low, add: done > 0 };
        pass(next, &mut out[done..], &mut [], &a[done..done + width], &b[..len - done]);
        done += width;
    }
}
