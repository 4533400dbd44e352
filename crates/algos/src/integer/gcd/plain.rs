//! Greatest common divisors without a record of the steps. Factors of two are shifted out, a number that is much
//! longer than the other one is divided by it, and numbers of one or two words stay in registers: Lehmer's steps
//! are left for numbers that are about equally long.

use core::mem;

use limbforge_limb::slice::div::short;
use limbforge_limb::slice::gcd::{of_odd_pairs, of_odd_words};
use limbforge_limb::slice::{bits, sub};

use super::Ended;
use super::multiple::{FAR, LONG, subtract_multiple};
use super::step::Found;
use super::track::Shortened;
use crate::integer::packed::{shift_down, word_rem};
use crate::integer::{Scratch, div::div_rem};
use crate::invariant::broken_invariant;

/// So many zeros below are shifted out at once.
const MANY_ZEROS: u32 = 8;

/// Writes the greatest common divisor if one number is 0, or a word times a power of two. Otherwise returns false.
pub(super) fn by_word(out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
    let (a, b) = (bits::significant(a), bits::significant(b));
    if a.is_empty() || b.is_empty() {
        let (low, above) = out.split_at_mut(a.len().max(b.len()));
        low.copy_from_slice(if a.is_empty() { b } else { a });
        above.fill(0);
        return true;
    }
    let twos = [bits::trailing_zeros(a), bits::trailing_zeros(b)];
    let odd = |k: usize| odd_word([a, b][k], twos[k]);
    let divisor = match (odd(0), odd(1)) {
        (Some(1), _) | (_, Some(1)) => 1,
        (Some(x), Some(y)) => gcd_words(x, y),
        (Some(word), None) => gcd_words(word_rem(&b[(twos[1] / 64) as usize..], word), word),
        (None, Some(word)) => gcd_words(word_rem(&a[(twos[0] / 64) as usize..], word), word),
        (None, None) => return false,
    };
    let twos = twos[0].min(twos[1]);
    out.fill(0);
    let at = (twos / 64) as usize;
    out[at] = divisor << (twos % 64);
    if let (Some(above), 1..) = (out.get_mut(at + 1), twos % 64) {
        *above = divisor >> (64 - twos % 64);
    }
    true
}

/// `x / 2^twos` for x without zeros at its top, if it is a word.
fn odd_word(x: &[u64], twos: u32) -> Option<u64> {
    let shift = twos % 64;
    match x[(twos / 64) as usize..] {
        [word] => Some(word >> shift),
        [low, high] if high >> shift == 0 => Some(low >> shift | (high << 1) << (63 - shift)),
        _ => None,
    }
}

/// Takes the factors 2 out of two numbers; returns the exponent of 2 in their greatest common divisor. Leaves both
/// unchanged, and returns 0, if one is 0.
pub(super) fn make_odd(a: &mut [u64], b: &mut [u64]) -> u32 {
    let twos = [bits::trailing_zeros(a), bits::trailing_zeros(b)];
    let width = u64::BITS * a.len() as u32;
    if twos.contains(&width) {
        return 0;
    }
    shift_down(a, twos[0]);
    shift_down(b, twos[1]);
    twos[0].min(twos[1])
}

/// Whether no such step is due: what follows most of Lehmer's steps.
#[inline]
fn are_alike(a: &[u64], b: &[u64]) -> bool {
    let ([_, _, .., x], [_, _, .., y]) = (a, b) else { return false };
    *x > 0 && *y > 0 && x != y && x.leading_zeros().abs_diff(y.leading_zeros()) < FAR
}

/// Takes the steps of words and of divisions, for an odd greatest common divisor, or for a number that is 0.
pub(super) fn shorten(a: &mut [u64], b: &mut [u64], divides: bool, scratch: &mut Scratch) -> Shortened {
    if !divides && are_alike(a, b) {
        return Shortened::Alike(a.len());
    }
    let mut far = if divides { 0 } else { FAR };
    let (mut long, mut less, mut found) = (a, b, [Found::First, Found::Second]);
    let (mut m, mut n) = (bits::significant(long).len(), bits::significant(less).len());
    loop {
        if (m, long[..m].last()) < (n, less[..n].last()) {
            mem::swap(&mut long, &mut less);
            mem::swap(&mut m, &mut n);
            found.swap(0, 1);
        }
        let divisor = match (&long[..m], &less[..n]) {
            (_, []) => return Shortened::Ended(Ended::Found(found[0])),
            (&[x], &[y]) => Some(gcd_words(x, y).into()),
            (long, &[y]) => Some(gcd_words(word_rem(long, y), y).into()),
            (&[x0, x1], &[y0, y1]) => Some(gcd_pairs([x0, x1], [y0, y1])),
            _ => None,
        };
        if let Some(divisor) = divisor {
            write(&mut long[..m], divisor);
            return Shortened::Ended(Ended::Found(found[0]));
        }
        let [x, y] = [long[m - 1], less[n - 1]];
        let above = (m - n) as u32 * u64::BITS + y.leading_zeros();
        if (m, x) == (n, y) {
            if sub::sub_assign(&mut long[..m], &less[..n], false) {
                sub::neg_assign(&mut long[..m]);
            }
        } else if above >= x.leading_zeros() + LONG {
            remainder(&mut long[..m], &less[..n], scratch);
        } else if above >= x.leading_zeros() + far {
            if subtract_multiple(&mut long[..m], &less[..n]).1 {
                sub::neg_assign(&mut long[..m]);
            }
        } else {
            return Shortened::Alike(m);
        }
        far = FAR;
        m = bits::significant(&long[..m]).len();
        let twos = bits::trailing_zeros(&long[..m]);
        if twos >= MANY_ZEROS {
            shift_down(&mut long[..m], twos);
            m = bits::significant(&long[..m]).len();
        }
    }
}

/// `a = a mod b`, for numbers without zeros at the top, b not zero.
pub(crate) fn remainder(a: &mut [u64], b: &[u64], scratch: &mut Scratch) {
    let n = b.len();
    let mut rest = [0; short::MOST];
    if let Some(rest) = rest.get_mut(..n)
        && short::div_rem(&mut [], rest, a, b)
    {
        a[..n].copy_from_slice(rest);
    } else {
        let [mut quotient, mut rest] = mem::take(&mut scratch.step);
        quotient.resize(a.len(), 0);
        rest.resize(n, 0);
        div_rem(&mut quotient, &mut rest, a, b, scratch)
            .unwrap_or_else(|_| broken_invariant("the shorter number is not zero"));
        a[..n].copy_from_slice(&rest);
        scratch.step = [quotient, rest];
    }
    a[n..].fill(0);
}

/// `x = value`, which fits.
fn write(x: &mut [u64], value: u128) {
    x.fill(0);
    for (word, value) in x.iter_mut().zip([value as u64, (value >> 64) as u64]) {
        *word = value;
    }
}

/// The greatest common divisor of two words, which is odd unless one is 0.
fn gcd_words(a: u64, b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    of_odd_words(a >> a.trailing_zeros(), b >> b.trailing_zeros())
}

/// The greatest common divisor of two numbers of two words that are not 0, which is odd.
fn gcd_pairs(a: [u64; 2], b: [u64; 2]) -> u128 {
    let odd = |[low, high]: [u64; 2]| {
        let x = u128::from(high) << 64 | u128::from(low);
        x >> x.trailing_zeros()
    };
    of_odd_pairs(odd(a), odd(b))
}
