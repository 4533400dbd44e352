//! Numbers as 64-bit words, without zeros at the top.

use core::borrow::BorrowMut;
use core::cmp::Ordering;
use std::borrow::Cow;

use limbforge_limb::Base;
use limbforge_limb::slice::{add, bits, cmp, div::LimbDivisor, shift, sub, words};

use crate::invariant::broken_invariant;

/// The words of a number, with its zeros.
pub(crate) fn as_words<B: Base>(limbs: &[B]) -> Cow<'_, [u64]> {
    B::as_words(limbs).map_or_else(|| Cow::Owned(words::packed(limbs)), Cow::Borrowed)
}

/// The words of a number, trimmed.
pub(crate) fn packed<B: Base>(limbs: &[B]) -> Vec<u64> {
    let mut packed = as_words(limbs).into_owned();
    trim(&mut packed);
    packed
}

/// Writes the words, which fit, to limbs, with zeros above.
pub(crate) fn unpack<B: Base>(out: &mut [B], mut packed: impl BorrowMut<Vec<u64>>) {
    let packed = packed.borrow_mut();
    packed.resize(words::words_for::<B>(out.len()), 0);
    words::unpack(out, packed);
}

/// Removes the zeros at the top.
pub(crate) fn trim<B: Base>(limbs: &mut Vec<B>) {
    limbs.truncate(bits::significant(limbs).len());
}

/// Compares trimmed numbers.
pub(crate) fn compare<B: Base>(a: &[B], b: &[B]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// `a = floor(a / 2^n)`, trimmed.
pub(crate) fn shift_right(a: &mut Vec<u64>, n: u32) {
    shift_down(a, n);
    trim(a);
}

/// `a = floor(a / 2^n)`, with zeros above.
pub(crate) fn shift_down(a: &mut [u64], n: u32) {
    let words = a.len().min((n / 64) as usize);
    if words > 0 {
        a.copy_within(words.., 0);
        let kept = a.len() - words;
        a[kept..].fill(0);
    }
    let n = n % 64;
    if n > 0 {
        let mut above = 0;
        for word in a.iter_mut().rev() {
            (*word, above) = (*word >> n | above, *word << (64 - n));
        }
    }
}

/// `a = a 2^n`, which fits.
pub(crate) fn shift_up<B: Base>(a: &mut [B], n: u32) {
    let limbs = (n / B::BITS) as usize;
    if limbs > 0 {
        a.copy_within(..a.len() - limbs, limbs);
        a[..limbs].fill(B::ZERO);
    }
    if !n.is_multiple_of(B::BITS) {
        shift::shl_bits_assign(&mut a[limbs..], n % B::BITS);
    }
}

/// `a mod divisor`, for a word that is not zero.
pub(crate) fn word_rem(a: &[u64], divisor: u64) -> u64 {
    LimbDivisor::new(divisor)
        .map_or_else(|_| broken_invariant("the divisor is not zero"), |divisor| divisor.rem(a))
}

/// `out = a + b mod m`, of residues.
pub(crate) fn add_mod(out: &mut [u64], a: &[u64], b: &[u64], m: &[u64]) {
    let over = add::add(out, a, b, false);
    if over || cmp::cmp(out, m).is_ge() {
        sub::sub_assign(out, m, false);
    }
}

/// `out = a - b mod m`, of residues.
pub(crate) fn sub_mod(out: &mut [u64], a: &[u64], b: &[u64], m: &[u64]) {
    if sub::sub(out, a, b, false) {
        add::add_assign(out, m, false);
    }
}
