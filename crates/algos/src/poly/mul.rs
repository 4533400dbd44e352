//! Products: a ladder of three rungs.
//!
//! | rung | steps for n and m terms | needs |
//! | --- | --- | --- |
//! | [`plain`] | nm | |
//! | [`transform`] | (n + m) log (n + m) | a root of unity of order n + m - 1 or a bit more in the field |
//! | [`integers`] | the same, of a product of integers | |
//!
//! [`product`] chooses; where one factor is much longer, it multiplies that one piece by piece.

use crate::transform::context::Context;
use crate::transform::mul_ntt;

use super::linear::{trim, trimmed};

pub mod integers;
pub mod plain;
pub mod transform;

/// Terms of the shorter factor from which on [`transform`] is faster than [`plain`], for words of 32 and of
/// 64 bits.
const TRANSFORM: usize = 64;

/// Terms of the shorter factor from which on [`integers`] is faster than [`plain`], where integers are
/// multiplied in vectors.
const INTEGERS: usize = 112;

/// The same where they are not: an estimate from the steps of Karatsuba's product.
const INTEGERS_BY_WORDS: usize = 256;

/// `a * b`, by the fastest rung.
///
/// ```
/// use limbforge_algos::poly::mul;
/// use limbforge_field::DynField;
///
/// let field = DynField::new(7)?;
/// let [a, b] = [[1, 2], [3, 4]].map(|a| a.map(|x| field.element(x)));
/// assert_eq!(mul::product(field, &a, &b), [3, 3, 1].map(|x| field.element(x)));
/// # Ok::<(), limbforge_field::FieldError>(())
/// ```
#[must_use]
pub fn product<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    let (a, b) = (trimmed(field, a), trimmed(field, b));
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if short.len() < TRANSFORM {
        return plain::product(field, long, short);
    }
    if long.len() >= 3 * short.len() {
        return by_pieces(field, long, short);
    }
    if let Some(product) = transform::product(field, long, short) {
        return product;
    }
    let integers = if mul_ntt::is_fast() { INTEGERS } else { INTEGERS_BY_WORDS };
    if short.len() < integers {
        plain::product(field, long, short)
    } else {
        integers::product(field, long, short)
    }
}

/// Pieces of the longer factor by the shorter one, added up: their transforms are as long as they need to be.
fn by_pieces<C: Context>(field: C, long: &[C::Element], short: &[C::Element]) -> Vec<C::Element> {
    let mut sums = vec![field.zero(); long.len() + short.len()];
    for (i, piece) in long.chunks(2 * short.len()).enumerate() {
        let at = 2 * short.len() * i;
        for (sum, &x) in sums[at..].iter_mut().zip(&product(field, piece, short)) {
            *sum = field.add(*sum, x);
        }
    }
    trim(field, sums)
}
