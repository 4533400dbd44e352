//! Numbers as 64-bit words, without zeros at the top.

use core::cmp::Ordering;

use limbforge_limb::Base;
use limbforge_limb::slice::{bits, words};

/// The words of a number, trimmed.
pub(crate) fn packed<B: Base>(limbs: &[B]) -> Vec<u64> {
    let mut packed = vec![0; words::words_for::<B>(limbs.len())];
    words::pack(&mut packed, limbs);
    trim(&mut packed);
    packed
}

/// Writes the words to limbs, zeros above.
pub(crate) fn unpack<B: Base>(out: &mut [B], mut packed: Vec<u64>) {
    packed.resize(words::words_for::<B>(out.len()), 0);
    words::unpack(out, &packed);
}

/// Removes the zeros at the top.
pub(crate) fn trim(words: &mut Vec<u64>) {
    words.truncate(bits::significant(words).len());
}

/// Compares trimmed numbers.
pub(crate) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// `a = floor(a / 2^n)`, trimmed.
pub(crate) fn shift_right(a: &mut Vec<u64>, n: u32) {
    a.drain(..a.len().min((n / 64) as usize));
    let n = n % 64;
    if n > 0 {
        let mut above = 0;
        for word in a.iter_mut().rev() {
            (*word, above) = (*word >> n | above, *word << (64 - n));
        }
    }
    trim(a);
}
