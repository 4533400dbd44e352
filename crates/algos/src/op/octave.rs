//! Lengths in groups, for operations that sort instances by their lengths.

/// Groups lengths in order, of which the longest of a group has at most 5/4 of the shortest.
#[inline(always)]
pub(super) const fn octave(words: usize) -> usize {
    match words.checked_ilog2() {
        Some(octave @ 2..) => 4 * octave as usize + (words >> (octave - 2)) % 4,
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::octave;

    #[test]
    fn octaves_are_in_order_and_narrow() {
        for words in 1..3000 {
            assert!(octave(words) <= octave(words + 1), "{words}");
            let longest = (words..).take_while(|&longer| octave(longer) == octave(words)).last();
            assert!(longest.is_some_and(|longest| 4 * longest < 5 * words + 4), "{words}: {longest:?}");
        }
    }
}
