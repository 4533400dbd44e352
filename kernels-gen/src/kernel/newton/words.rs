//! Lengths of operands in memory, in words of 32 bits.

/// Lengths are whole vectors of 16 bytes.
pub(crate) const fn aligned(words: u32) -> u32 {
    words.next_multiple_of(4)
}

/// Words in memory of a number of h + 2 words.
pub(crate) const fn part_words(half: u32) -> u32 {
    aligned(half / 2 + 2)
}

/// Words in memory of a factor of a part's product of all words: its h lower ones, or h + 2.
pub(crate) const fn part_factor(half: u32, splits: bool) -> u32 {
    if splits { half / 2 } else { part_words(half) }
}

/// Words in memory of the planes of what a part's product takes: h + 2 words, and its h lower ones if it takes those.
pub(crate) fn part_planes(half: u32, splits: bool) -> Vec<u32> {
    let whole = part_words(half);
    if splits { vec![whole, half / 2] } else { vec![whole] }
}
