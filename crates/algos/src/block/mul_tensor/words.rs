//! Between limbs, digits and words.

use limbforge_limb::Base;

/// The first `count` bytes of the limbs, zeros above them.
pub(super) fn digits<B: Base>(limbs: &[B], count: usize) -> Vec<u8> {
    let mut digits = vec![0; count];
    for (bytes, limb) in digits.chunks_mut(B::BYTES).zip(limbs) {
        limb.write_le_bytes(bytes);
    }
    digits
}

/// Twice the number of these digits, as many of them.
pub(super) fn doubled(digits: &[u8]) -> Vec<u8> {
    let below = core::iter::once(&0).chain(digits);
    digits.iter().zip(below).map(|(&digit, &below)| digit << 1 | below >> 7).collect()
}

/// The word of four digit sums and what comes in from below, and what goes up: below 2^26 for sums below
/// 2^31, and again an addend that no sum of the next word overflows by.
pub(super) fn join(sums: [u32; 4], carry: u64) -> (u32, u64) {
    let value = sums.iter().rev().fold(0, |value, &sum| (value << 8) + u64::from(sum)) + carry;
    (value as u32, value >> 32)
}

/// The words as limbs, as many as `bits` bits take.
pub(super) fn limbs<B: Base>(words: &[u32], bits: u32) -> Vec<B> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let count = bits.div_ceil(B::BITS) as usize;
    (0..count).map(|i| B::from_le_bytes(bytes.get(i * B::BYTES..).unwrap_or_default())).collect()
}
