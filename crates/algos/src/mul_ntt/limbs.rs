//! Limbs of any width as 64-bit machine words.

use limbforge_limb::Base;

/// Machine words that hold `limbs` limbs.
pub(super) const fn words_for<B: Base>(limbs: usize) -> usize {
    (limbs * B::BYTES).div_ceil(8)
}

/// The limbs as words: themselves, or repacked in `room`.
pub(super) fn words<'a, B: Base>(limbs: &'a [B], room: &'a mut Vec<u64>) -> &'a [u64] {
    if let Some(words) = B::as_words(limbs) {
        return words;
    }
    room.clear();
    if B::BITS >= 64 {
        let parts = 0..B::BITS as usize / 64;
        room.extend(limbs.iter().flat_map(|&limb| parts.clone().map(move |i| (limb >> (64 * i)).low_word())));
    } else {
        let join =
            |limbs: &[B]| limbs.iter().rev().fold(0, |word, limb| word << (B::BITS % 64) | limb.low_word());
        room.extend(limbs.chunks(64 / B::BITS as usize).map(join));
    }
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
