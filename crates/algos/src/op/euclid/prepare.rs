//! Pairs as division steps take them: one number odd, or a residue.

use limbforge_limb::slice::bits::{bit, bit_len, significant};
use limbforge_limb::slice::{cmp, mul::Factors, sub};

use crate::integer::{Scratch, div::divide, gcd::remainder};

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

/// A pair is computed alone if one number has more than so many times the words of the other.
const ALIKE: usize = 4;

/// Makes a smaller than its modulus m; exchanges them, a then odd, for an even modulus or a much longer one.
/// Nothing if there is no inverse, or if it is better computed alone: then Euclid's algorithm is short.
pub(super) fn make_residue(m: &mut [u64], a: &mut [u64], scratch: &mut Scratch) -> Option<Form> {
    let (a_len, m_len) = (significant(a).len(), significant(m).len());
    if m_len == 0 || bit_len(a) <= 1 || (a_len == 1 && m_len > 1) {
        return None;
    }
    let form = residue(m, a, scratch)?;
    let (shorter, longer) = (significant(a).len(), significant(m).len());
    (longer <= ALIKE * shorter && (shorter > 1 || longer == 1)).then_some(form)
}

fn residue(m: &mut [u64], a: &mut [u64], scratch: &mut Scratch) -> Option<Form> {
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
    let len = significant(a).len();
    remainder(&mut a[..len], significant(m), scratch);
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
