//! Pairs as division steps take them: one number odd, or a residue.

use limbforge_limb::Base;
use limbforge_limb::slice::bits::{bit, bit_len, significant, trailing_zeros};
use limbforge_limb::slice::{cmp, mul::Factors, shift, sub};

use crate::integer::{Scratch, div::divide};

/// How the result of a pair follows from that of division steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It is the same number.
    Same,
    /// A greatest common divisor is `2^n` times as large.
    Twos(u32),
    /// The inverse of the modulus, which is even or much longer, was computed modulo the number.
    Exchanged,
}

/// Takes the common factors 2 out of two numbers, makes them about equally long and the first one odd, and
/// returns the exponent of 2; nothing for a number that is 0 then or before.
pub(super) fn make_odd(a: &mut [u64], b: &mut [u64], scratch: &mut Scratch) -> Option<Form> {
    if cmp::is_zero(a) || cmp::is_zero(b) {
        return None;
    }
    let twos = trailing_zeros(a).min(trailing_zeros(b));
    shift_down(a, twos);
    shift_down(b, twos);
    if !bit(a, 0) {
        a.swap_with_slice(b);
    }
    // The longer number is replaced by its rest: the shorter one must be odd.
    while is_longer(a, b) || is_longer(b, a) {
        shift_down(b, trailing_zeros(b));
        if is_longer(a, b) {
            a.swap_with_slice(b);
        }
        reduce(b, a, scratch);
        if cmp::is_zero(b) {
            return None;
        }
    }
    Some(Form::Twos(twos))
}

/// Whether a division is worth while: of a number whose length is more than 4/3 of the other one's, which has
/// more than a word.
fn is_longer(a: &[u64], b: &[u64]) -> bool {
    let (a, b) = (bit_len(a), bit_len(b));
    b > u64::BITS && 3 * u64::from(a) > 4 * u64::from(b)
}

/// `x = x / 2^n`.
fn shift_down(x: &mut [u64], n: u32) {
    if n > 0 {
        let whole = x.to_vec();
        shift::shr(x, &whole, n);
    }
}

/// Makes a smaller than its modulus m; exchanges them, a then odd, for an even modulus or a much longer one.
/// Nothing if there is no inverse, or a trivial one.
pub(super) fn make_residue(m: &mut [u64], a: &mut [u64], scratch: &mut Scratch) -> Option<Form> {
    if cmp::is_zero(m) {
        return None;
    }
    reduce(a, m, scratch);
    if bit(m, 0) && !(bit(a, 0) && bit_len(a) > u64::BITS && 2 * bit_len(m) > 3 * bit_len(a)) {
        return Some(Form::Same);
    }
    if !bit(a, 0) || bit_len(a) == 1 {
        return None;
    }
    m.swap_with_slice(a);
    reduce(a, m, scratch);
    Some(Form::Exchanged)
}

/// `a = a mod m`.
fn reduce(a: &mut [u64], m: &[u64], scratch: &mut Scratch) {
    if cmp::cmp(a, m).is_lt() {
        return;
    }
    if bit_len(a) == bit_len(m) {
        let _ = sub::sub_assign(a, m, false);
        return;
    }
    let rest = divide(significant(a), significant(m), scratch).1;
    a.fill(0);
    a[..rest.len()].copy_from_slice(&rest);
}

/// Makes `x = 1/m mod a`, for odd `a > 1`, the inverse of a modulo m, which is larger: `m - (m x - 1) / a`.
pub(super) fn exchange_back(x: &mut [u64], m: &[u64], a: &[u64], scratch: &mut Scratch) {
    let mut product = vec![];
    scratch.product.words(&mut product, Factors::Pair(m, x));
    // The remainder is 1.
    let quotient = divide(significant(&product), significant(a), scratch).0;
    let quotient = significant(&quotient);
    x.fill(0);
    x[..quotient.len()].copy_from_slice(quotient);
    let _ = sub::sub_from(x, m);
}

/// `x = x 2^n`, which fits.
pub(super) fn shift_up<B: Base>(x: &mut [B], n: u32) {
    if n > 0 {
        let odd = x.to_vec();
        shift::shl(x, &odd, n);
    }
}
