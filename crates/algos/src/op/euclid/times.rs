//! Times of pairs alone and in vectors, from which groups follow.

use super::Wanted;
use crate::vector::{GROUPS, WIDTH};

/// How many of the longest pairs are computed together: sixteen, eight, or all of them, at least `fewest`; 0 if
/// the longest pair is better computed alone. `lengths` are those of the pairs in words, the longest first.
pub(super) fn together(
    wanted: Wanted,
    fewest: usize,
    lengths: &(impl Iterator<Item = usize> + Clone),
) -> usize {
    let Some(longest) = lengths.clone().next() else { return 0 };
    let of_group = |group: usize| lengths.clone().skip(group * WIDTH).take(WIDTH);
    let alone = |group: usize| of_group(group).map(|len| wanted.alone(len)).sum::<usize>();
    let (first, second) = (of_group(0).count(), of_group(1).count());
    let (one, two) = (wanted.of_one_group(longest), wanted.of_two_groups(longest));
    // The second group costs what it adds to the first, or what it takes on its own.
    let on_its_own = of_group(1).next().map_or(0, |len| wanted.of_one_group(len));
    if second > 0
        && first + second >= fewest
        && two < alone(0) + alone(1).min(on_its_own)
        && two - one < alone(1)
    {
        first + second
    } else if first >= fewest && one < alone(0) {
        first
    } else {
        0
    }
}

impl Wanted {
    /// Nanoseconds of a pair of so many words alone. This and the others are within a tenth of what pairs of 4 to
    /// 512 words take.
    const fn alone(self, words: usize) -> usize {
        match self {
            // The last two words take less.
            Self::Divisor => (words * (160 + 5 * words / 4)).saturating_sub(120),
            // Half-gcds: from some length on, the time for a word hardly grows.
            Self::Inverse => words * (235 + 21 * if words < HALVED { words } else { HALVED } / 10),
        }
    }

    /// Nanoseconds of sixteen pairs.
    const fn of_two_groups(self, words: usize) -> usize {
        match self {
            Self::Divisor => words * (1200 + 10 * words),
            Self::Inverse => words * (1300 + 37 * words),
        }
    }

    /// Nanoseconds of eight pairs: their steps wait for each other, so that short ones take most of the time of
    /// sixteen.
    const fn of_one_group(self, words: usize) -> usize {
        match self {
            Self::Divisor => words * (950 + 11 * words / 2),
            Self::Inverse => words * (1000 + 20 * words),
        }
    }
}

/// Words from which products take most of the time of an inverse alone.
const HALVED: usize = 380;

const _: () = assert!(GROUPS == 2);
