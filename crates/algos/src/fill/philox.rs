//! Philox4x32-10, a random generator without state: each counter has its own four words.
//!
//! Salmon, Moraes, Dror and Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3", section 3.3.

/// The multipliers of a round, from table 2 of the paper.
const MULTIPLIERS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
/// Added to the key after each round: the golden ratio, and the square root of 3 minus 1.
const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
const ROUNDS: usize = 10;

/// The four random words of a counter and a key, each with its least significant word first.
///
/// ```
/// use limbforge_algos::fill::philox4x32;
/// assert_eq!(philox4x32([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
/// ```
#[must_use]
pub fn philox4x32(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let product = |i: usize| u64::from(MULTIPLIERS[i]) * u64::from(counter[2 * i]);
        let [first, second] = [product(0), product(1)];
        counter = [
            (second >> 32) as u32 ^ counter[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ counter[3] ^ key[1],
            first as u32,
        ];
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those of `kat_vectors` in Random123 1.14, the authors' library
    /// (<https://github.com/DEShawResearch/random123>): counter, key, result.
    #[test]
    fn known_answers() {
        for (counter, key, expected) in [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ] {
            assert_eq!(philox4x32(counter, key), expected);
        }
    }
}
