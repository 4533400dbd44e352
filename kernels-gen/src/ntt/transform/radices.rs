//! How the points of a block are split among the passes.

/// Points of a thread in the passes, by log2 of the points from 2^2 on. The first radix is the largest.
const RADICES: [[u32; 3]; 14] = [
    [4, 1, 1],
    [4, 1, 2],
    [4, 1, 4],
    [8, 1, 4],
    [8, 1, 8],
    [16, 1, 8],
    [16, 1, 16],
    [32, 1, 16],
    [32, 1, 32],
    [32, 4, 16],
    [32, 8, 16],
    [32, 16, 16],
    [32, 32, 16],
    [32, 32, 32],
];

/// The same of 64-bit words from 2^9 on, of which fewer fit the registers.
const RADICES_64: [[u32; 3]; 4] = [[16, 4, 8], [16, 8, 8], [16, 8, 16], [16, 16, 16]];

/// Those of 3 2^k points, by k from 3 on.
const RADICES_3: [[u32; 3]; 11] = [
    [6, 1, 4],
    [12, 1, 4],
    [12, 1, 8],
    [24, 1, 8],
    [24, 1, 16],
    [48, 1, 16],
    [24, 8, 8],
    [24, 8, 16],
    [24, 16, 16],
    [48, 16, 16],
    [24, 32, 32],
];

/// The same of 64-bit words, where they differ: k = 8.
const RADICES_3_64: [u32; 3] = [12, 8, 8];

/// The passes of a transform of a block, if there is one of this length.
pub(super) fn radices(points: u32, word: u32) -> Option<[u32; 3]> {
    let log2 = points.trailing_zeros();
    let at = |table: &[[u32; 3]], first: u32| table.get(log2.checked_sub(first)? as usize).copied();
    match points >> log2 {
        1 if word == 8 => at(&RADICES_64, 9).or_else(|| at(&RADICES, 2)),
        1 => at(&RADICES, 2),
        3 if word == 8 && log2 == 8 => Some(RADICES_3_64),
        3 => at(&RADICES_3, 3),
        _ => None,
    }
}
