//! Watt's division by a whole shifted inverse ("Efficient Generic Quotients Using Exact Arithmetic",
//! arXiv:2304.01753): the named reference, as published, with the correction that it needs.
//!
//! Newton's iteration on growing prefixes of the divisor with two guard digits. Its result is not always
//! `floor(B^h / v)`: it is off by -1, 0 or 1 in every base, so that the quotient may be off by -1 to 2, all
//! of which occur. [`div_rem`] corrects to both sides.

use limbforge_limb::Base;
use limbforge_limb::slice::{add, bits, div::schoolbook, sub};

use super::lower::{is_below, is_power_of_base};
use crate::integer::packed::{compare, trim};
use crate::integer::products::Products;

/// Guard digits.
pub(crate) const GUARD: usize = 2;

/// `quotient = floor(u / v)`, `remainder = u mod v`; returns the correction of the estimate, -1 to 2.
///
/// v has n limbs, the top one not zero; `quotient` has u's length, `remainder` n.
pub fn div_rem<B: Base, P: Products<B>>(
    quotient: &mut [B],
    remainder: &mut [B],
    u: &[B],
    v: &[B],
    products: &mut P,
) -> i32 {
    quotient.fill(B::ZERO);
    remainder.fill(B::ZERO);
    let u = bits::significant(u);
    if u.len() < v.len() || is_below(u, v) {
        remainder[..u.len()].copy_from_slice(u);
        return 0;
    }
    let (k, h) = (v.len() - 1, u.len());
    if is_power_of_base(v) {
        quotient[..h - k].copy_from_slice(&u[k..]);
        remainder[..k].copy_from_slice(&u[..k]);
        return 0;
    }
    let inverse = shifted_inverse(v, h, products);
    let mut estimate = shifted(&product(u, &inverse, products), -(h as isize));
    let (mut multiple, mut correction) = (product(&estimate, v, products), 0);
    while compare(&multiple, u).is_gt() {
        multiple = difference(&multiple, v);
        sub::decrement(&mut estimate, true);
        correction -= 1;
    }
    let mut rest = difference(u, &multiple);
    estimate.push(B::ZERO);
    while compare(&rest, v).is_ge() {
        rest = difference(&rest, v);
        add::increment(&mut estimate, true);
        correction += 1;
    }
    let estimate = bits::significant(&estimate);
    quotient[..estimate.len()].copy_from_slice(estimate);
    remainder[..rest.len()].copy_from_slice(&rest);
    correction
}

/// `floor(B^h / v) + {-1, 0, 1}`: Watt's refinement. v has k + 1 limbs, the top one not zero.
pub fn shifted_inverse<B: Base, P: Products<B>>(v: &[B], h: usize, products: &mut P) -> Vec<B> {
    if let Some(inverse) = special(v, h) {
        return inverse;
    }
    // A divisor of fewer than three limbs is scaled, and B^h by the same power.
    let scale = 3_usize.saturating_sub(v.len());
    let (v, h) = (shifted(v, scale as isize), h + scale);
    let k = v.len() - 1;
    let mut l = 2;
    let mut w = seed(&v[k - 2..]);
    if h - k <= l {
        return shifted(&w, h as isize - k as isize - l as isize);
    }
    w = shifted(&w, GUARD as isize);
    while h - k > l {
        let m = (h - k + 1 - l).min(l);
        let dropped = (k + 1).saturating_sub(2 * l + GUARD);
        let exponent = k + l + m - dropped + GUARD;
        w = shifted(&step(&v[dropped..], &w, exponent, m, l, products), -1);
        l = l + m - 1;
    }
    shifted(&w, -(GUARD as isize))
}

/// `floor(B^h / v)` where no iteration is needed. The order of the tests matters.
fn special<B: Base>(v: &[B], h: usize) -> Option<Vec<B>> {
    let k = v.len() - 1;
    if exceeds_power(v, h) {
        return Some(vec![]);
    }
    let mut double = v.to_vec();
    double.push(B::ZERO);
    add::add_assign(&mut double, v, false);
    if exceeds_power(bits::significant(&double), h) {
        return Some(vec![B::ONE]);
    }
    is_power_of_base(v).then(|| shifted(&[B::ONE], (h - k) as isize))
}

/// `v > B^h`. The limbs from the h-th on alone do not decide it: they are not zero for `v = B^h` either.
fn exceeds_power<B: Base>(v: &[B], h: usize) -> bool {
    v.len() > h && !(v.len() == h + 1 && is_power_of_base(v))
}

/// `floor(B^4 / v)` for the three top limbs of v.
pub(crate) fn seed<B: Base>(v: &[B]) -> Vec<B> {
    let dividend = [B::ZERO, B::ZERO, B::ZERO, B::ZERO, B::ONE];
    let (mut quotient, mut remainder) = ([B::ZERO; 3], [B::ZERO; 3]);
    let mut scratch = [B::ZERO; schoolbook::scratch_len(5, 3)];
    schoolbook::div_rem(&mut quotient, &mut remainder, &dividend, v, &mut scratch);
    trimmed(quotient.to_vec())
}

/// `w B^m + floor(w (B^(h-m) - v w) B^(2m-h))`.
fn step<B: Base, P: Products<B>>(v: &[B], w: &[B], h: usize, m: usize, l: usize, products: &mut P) -> Vec<B> {
    let (negative, difference) = power_difference(v, w, h - m, l - GUARD, products);
    let full = product(w, &difference, products);
    let mut correction = shifted(&full, 2 * m as isize - h as isize);
    let mut next = shifted(w, m as isize);
    next.resize(next.len().max(correction.len()) + 1, B::ZERO);
    if negative {
        let dropped = (h.saturating_sub(2 * m)).min(full.len());
        if full[..dropped].iter().any(|&limb| limb != B::ZERO) {
            // Downwards is away from zero.
            correction.push(B::ZERO);
            add::increment(&mut correction, true);
        }
        sub::sub_assign(&mut next, bits::significant(&correction), false);
    } else {
        add::add_assign(&mut next, &correction, false);
    }
    trimmed(next)
}

/// `B^h - v w` as (whether it is negative, its magnitude), where the l leading digits of `v w` are known to
/// be those of `B^h`: the difference is then below `B^(L-1)`, and the product mod `B^L` tells its sign.
fn power_difference<B: Base, P: Products<B>>(
    v: &[B],
    w: &[B],
    h: usize,
    l: usize,
    products: &mut P,
) -> (bool, Vec<B>) {
    let len = v.len() + w.len() + 1 - l;
    if len >= h {
        let full = product(v, w, products);
        let power = shifted(&[B::ONE], h as isize);
        let negative = compare(&full, &power).is_gt();
        return (negative, if negative { difference(&full, &power) } else { difference(&power, &full) });
    }
    let mut low = vec![B::ZERO; len];
    products.low(&mut low, v, w);
    let negative = low[len - 1] == B::ZERO;
    if !negative {
        sub::neg_assign(&mut low);
    }
    (negative, trimmed(low))
}

/// `a * b` without zeros at the top.
fn product<B: Base, P: Products<B>>(a: &[B], b: &[B], products: &mut P) -> Vec<B> {
    let mut out = vec![B::ZERO; a.len() + b.len()];
    products.low(&mut out, a, b);
    trimmed(out)
}

/// `floor(x B^n)` without zeros at the top.
fn shifted<B: Base>(x: &[B], n: isize) -> Vec<B> {
    let x = bits::significant(x);
    if n < 0 {
        return x.get(n.unsigned_abs()..).unwrap_or_default().to_vec();
    }
    let mut out = vec![B::ZERO; if x.is_empty() { 0 } else { n as usize }];
    out.extend_from_slice(x);
    out
}

/// `a - b` for `a >= b`, without zeros at the top.
fn difference<B: Base>(a: &[B], b: &[B]) -> Vec<B> {
    let mut out = a.to_vec();
    sub::sub_assign(&mut out, bits::significant(b), false);
    trimmed(out)
}

fn trimmed<B: Base>(mut limbs: Vec<B>) -> Vec<B> {
    trim(&mut limbs);
    limbs
}
