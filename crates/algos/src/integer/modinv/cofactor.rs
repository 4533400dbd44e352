//! The cofactor of one operand, and by it that of the other one.

use core::mem;

use limbforge_limb::slice::{add, cmp, sub};

use crate::integer::gcd::cofactors::Row;
use crate::integer::gcd::lehmer::WordMatrix;
use crate::integer::gcd::step::Found;
use crate::integer::gcd::track::Track;
use crate::integer::gcd::{Ended, Thresholds, run};
use crate::integer::packed::{compare, trim};
use crate::integer::{Scratch, div::divide, products::Products};

/// `gcd(a, m) = t a mod m`, with `|t| <= m / (2 gcd)`. Trimmed words.
pub(crate) struct Cofactor {
    pub(crate) divisor: Vec<u64>,
    /// |t|.
    pub(crate) magnitude: Vec<u64>,
    pub(crate) negative: bool,
}

/// The greatest common divisor of a and m, and the cofactor of a, for trimmed words, m not zero.
pub(crate) fn cofactor(a: &[u64], m: &[u64], thresholds: Thresholds, scratch: &mut Scratch) -> Cofactor {
    let ([mut first, mut second], mut row) = begin(a, m, scratch);
    let found = match run(&mut first, &mut second, &mut row, thresholds, scratch) {
        Ended::Found(found) => found,
        Ended::Words(x, y) => {
            let (divisor, found) = finish(x, y, &mut row);
            first.clear();
            first.push(divisor);
            second.clone_from(&first);
            found
        }
        Ended::Rest(n) => {
            first.truncate(n);
            second.truncate(n);
            if first != second {
                return combined(first, second, &row, thresholds, scratch);
            }
            Found::Both
        }
    };
    let [left, right] = row.0;
    // Both cofactors lead to the divisor if the numbers are equal: the smaller one is wanted.
    let is_left = match found {
        Found::First => false,
        Found::Second => true,
        Found::Both => compare(&left, &right).is_lt(),
    };
    let (mut divisor, spare) = if found == Found::Second { (second, first) } else { (first, second) };
    trim(&mut divisor);
    let (magnitude, other, negative) = if is_left { (left, right, true) } else { (right, left, false) };
    scratch.cofactors[2..].swap_with_slice(&mut [spare, other]);
    Cofactor { negative: negative && !magnitude.is_empty(), divisor, magnitude }
}

/// Copies of both numbers, of one length, and the lower row of the matrix, (0, 1).
pub(super) fn begin(a: &[u64], m: &[u64], scratch: &mut Scratch) -> ([Vec<u64>; 2], Row) {
    let len = a.len().max(m.len());
    let [mut first, mut second, left, right] = mem::take(&mut scratch.cofactors);
    for (words, x) in [(&mut first, a), (&mut second, m)] {
        words.clear();
        words.extend_from_slice(x);
        words.resize(len, 0);
    }
    let mut row = Row([left, right]);
    row.reset(1, len);
    ([first, second], row)
}

/// The cofactor of a from the row (u, v) and a record of their own of the numbers `x = v a mod m` and `y = -u a
/// mod m`: with `gcd(x, y) = s x - t y = (s v + t u) a mod m`, s and t both at least 0 or both at most 0.
///
/// As `m = u x + v y`, the bounds `|s| <= y / (2 gcd)` and `|t| <= x / (2 gcd)` are those of the result. Both are
/// not reached at once, for x and y would be even multiples of the divisor, so that the result is unique.
fn combined(
    mut x: Vec<u64>,
    mut y: Vec<u64>,
    Row([u, v]): &Row,
    thresholds: Thresholds,
    scratch: &mut Scratch,
) -> Cofactor {
    trim(&mut x);
    trim(&mut y);
    let Cofactor { divisor, magnitude: s, negative } = cofactor(&x, &y, thresholds, scratch);
    let Other { magnitude: t, .. } = other_cofactor(&x, &y, &divisor, &s, negative, scratch);
    let mut sum = [vec![]];
    scratch.product.sums_of_pairs(&mut sum, &[[&s[..], &t]], &[[&v[..], u]]);
    let [mut sum] = sum;
    trim(&mut sum);
    // Of s = 0, t is -1.
    Cofactor { divisor, negative: negative || s.is_empty(), magnitude: sum }
}

/// The other cofactor.
pub(crate) struct Other {
    pub(crate) magnitude: Vec<u64>,
    pub(crate) negative: bool,
}

/// y with `gcd = x a + y b`, for trimmed words, b not zero: `|y| = |gcd - x a| / b`.
pub(crate) fn other_cofactor(
    a: &[u64],
    b: &[u64],
    gcd: &[u64],
    x: &[u64],
    x_negative: bool,
    scratch: &mut Scratch,
) -> Other {
    let mut numerator = vec![0; (a.len() + x.len()).max(gcd.len()) + 1];
    scratch.low(&mut numerator, a, x);
    let mut negative = false;
    if x_negative {
        add::add_assign(&mut numerator, gcd, false);
    } else if sub::sub_assign(&mut numerator, gcd, false) {
        // |x| a was below the divisor: x = 0.
        sub::neg_assign(&mut numerator);
    } else {
        negative = !cmp::is_zero(&numerator);
    }
    Other { magnitude: divide(&numerator, b, scratch).0, negative }
}

/// Euclid's algorithm on words.
fn finish(mut x: u64, mut y: u64, row: &mut Row) -> (u64, Found) {
    let [[mut m00, mut m01], [mut m10, mut m11]] = [[1, 0], [0, 1]];
    let (divisor, found) = loop {
        if x == y {
            break (x, Found::Both);
        }
        if x > y {
            if y == 0 || x.is_multiple_of(y) {
                break if y == 0 { (x, Found::First) } else { (y, Found::Second) };
            }
            m01 += x / y * m00;
            m11 += x / y * m10;
            x %= y;
        } else {
            if x == 0 || y.is_multiple_of(x) {
                break if x == 0 { (y, Found::Second) } else { (x, Found::First) };
            }
            m00 += y / x * m01;
            m10 += y / x * m11;
            y %= x;
        }
    };
    // The last quotient, of 2 or more, was not applied: entries are below 2^63.
    row.reduced(&WordMatrix([[m00, m01], [m10, m11]]));
    (divisor, found)
}
