//! Limbs of any width as 64-bit machine words.

use limbforge_limb::Base;
use limbforge_limb::slice::words::{pack, words_for};

/// The limbs as words: themselves, or repacked in `room`.
pub(super) fn words<'a, B: Base>(limbs: &'a [B], room: &'a mut Vec<u64>) -> &'a [u64] {
    if let Some(words) = B::as_words(limbs) {
        return words;
    }
    room.clear();
    room.resize(words_for::<B>(limbs.len()), 0);
    pack(room, limbs);
    room
}

/// The limbs from the `start`-th on of the number in `words`.
pub(super) fn unpack<B: Base>(limbs: &mut [B], words: &[u64], start: usize) {
    for (i, limb) in limbs.iter_mut().enumerate() {
        let bit = (start + i) * B::BITS as usize;
        *limb = if B::BITS >= 64 {
            let parts = words[bit / 64..].iter().take(B::BITS as usize / 64).enumerate();
            parts.fold(B::ZERO, |limb, (i, &word)| limb | B::from_word(word) << (64 * i))
        } else {
            B::from_word(words[bit / 64] >> (bit % 64))
        };
    }
}
