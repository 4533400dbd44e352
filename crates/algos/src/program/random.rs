//! Random bits of programs.

use crate::fill::philox4x32;

/// Words of 64 bits of `random(type, seed, counter)`, least significant first: those of Philox4x32-10 (Salmon, Moraes,
/// Dror and Shaw, 2011) with the key `seed` and the counters `counter + 2^64 b` for b = 0, 1, ..., of 128 bits each.
/// Every backend computes the same.
///
/// ```
/// use limbforge_algos::program::random_words;
/// let mut words = [0; 3];
/// random_words(&mut words, 0, 0);
/// assert_eq!(words[..2], [0xe169_c58d_6627_e8d5, 0x9b00_dbd8_bc57_ac4c]);
/// ```
pub fn random_words(out: &mut [u64], seed: u64, counter: u64) {
    let halves = |x: u64| [x as u32, (x >> 32) as u32];
    let [low, high] = halves(counter);
    for (block, words) in out.chunks_mut(2).enumerate() {
        let random = philox4x32([low, high, block as u32, 0], halves(seed));
        for (word, halves) in words.iter_mut().zip(random.chunks_exact(2)) {
            *word = u64::from(halves[1]) << 32 | u64::from(halves[0]);
        }
    }
}
