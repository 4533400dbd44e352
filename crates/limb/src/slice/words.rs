//! Repacking of limbs of any width into 64-bit machine words, on which products run fastest.

use crate::{base::Base, width};

/// Machine words that hold `limbs` limbs of `B`.
#[must_use]
pub const fn words_for<B: Base>(limbs: usize) -> usize {
    const { width::packed::<B>() };
    (limbs * B::BITS as usize).div_ceil(64)
}

/// Whether every limb lies within one word.
const fn aligned<B: Base>() -> bool {
    64_u32.is_multiple_of(B::BITS)
}

/// Writes the limbs to `words`, which has the length [`words_for`].
pub fn pack<B: Base>(words: &mut [u64], limbs: &[B]) {
    if B::BITS >= 64 {
        let per_limb = (B::BITS / 64) as usize;
        for (words, &limb) in words.chunks_exact_mut(per_limb).zip(limbs) {
            for (i, word) in words.iter_mut().enumerate() {
                *word = (limb >> (64 * i)).low_word();
            }
        }
    } else if !aligned::<B>() {
        words.fill(0);
        for (i, limb) in limbs.iter().enumerate() {
            let (word, at) = (i * B::BITS as usize / 64, i as u32 * B::BITS % 64);
            words[word] |= limb.low_word() << at;
            if at + B::BITS > 64 {
                words[word + 1] |= limb.low_word() >> (64 - at);
            }
        }
    } else {
        let per_word = (64 / B::BITS) as usize;
        let (words, top) = words.split_at_mut(limbs.len() / per_word);
        let (whole, rest) = limbs.split_at(words.len() * per_word);
        for (word, limbs) in words.iter_mut().zip(whole.chunks_exact(per_word)) {
            *word = join(limbs);
        }
        if let Some(top) = top.first_mut() {
            *top = join(rest);
        }
    }
}

/// The limbs as words.
///
/// ```
/// assert_eq!(limbforge_limb::slice::words::packed(&[1_u32, 2, 3]), [1 | 2 << 32, 3]);
/// ```
#[must_use]
pub fn packed<B: Base>(limbs: &[B]) -> Vec<u64> {
    let mut words = vec![0; words_for::<B>(limbs.len())];
    pack(&mut words, limbs);
    words
}

/// The limbs of one word, which is at least as wide as they are.
#[inline(always)]
pub(super) fn join<B: Base>(limbs: &[B]) -> u64 {
    limbs.iter().rev().fold(0, |word, limb| word << (B::BITS % 64) | limb.low_word())
}

/// Inverse of [`pack`]; words above the limbs are dropped.
pub fn unpack<B: Base>(limbs: &mut [B], words: &[u64]) {
    if B::BITS >= 64 {
        let per_limb = (B::BITS / 64) as usize;
        for (limb, words) in limbs.iter_mut().zip(words.chunks_exact(per_limb)) {
            *limb = words
                .iter()
                .enumerate()
                .fold(B::ZERO, |limb, (i, &word)| limb | B::from_word(word) << (64 * i));
        }
    } else if !aligned::<B>() {
        for (i, limb) in limbs.iter_mut().enumerate() {
            let (word, at) = (i * B::BITS as usize / 64, i as u32 * B::BITS % 64);
            let mut bits = words[word] >> at;
            if at + B::BITS > 64 {
                bits |= words[word + 1] << (64 - at);
            }
            *limb = B::from_word(bits);
        }
    } else {
        let per_word = (64 / B::BITS) as usize;
        let split = |limbs: &mut [B], word: u64| {
            for (i, limb) in limbs.iter_mut().enumerate() {
                *limb = B::from_word(word >> (B::BITS as usize * i));
            }
        };
        let (words, top) = words.split_at(limbs.len() / per_word);
        let (whole, rest) = limbs.split_at_mut(words.len() * per_word);
        for (limbs, &word) in whole.chunks_exact_mut(per_word).zip(words) {
            split(limbs, word);
        }
        if let Some(&top) = top.first() {
            split(rest, top);
        }
    }
}
