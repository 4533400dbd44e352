//! Operands between kernels: their parts and their lengths in memory, in words of 32 bits.

use core::fmt;

use serde::Serialize;

/// A shifted operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The dividend, of 3 H words.
    Dividend,
    /// The divisor, of 2 H words.
    Divisor,
}

/// Words of a shifted operand, followed by zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plane {
    /// The operand.
    pub of: Part,
    /// The first word.
    pub from: u32,
    /// The number of words.
    pub count: u32,
    /// Words of an instance in memory.
    pub words: u32,
    /// Whether only divisions with an inverse read it.
    pub of_inverse: bool,
}

/// Words `from` to `from + count` of an instance of `stride` words, times `B^place`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Slice {
    /// Words of an instance in memory.
    pub stride: u32,
    /// The first word.
    pub from: u32,
    /// The number of words.
    pub count: u32,
    /// The word of the sum that the first one is added to.
    pub place: u32,
    /// Whether it is subtracted.
    pub negative: bool,
    /// The word of an operand that it is multiplied by.
    pub factor: Option<Factor>,
    /// Whether one instance in memory serves all.
    pub broadcast: bool,
}

/// A factor of a slice, one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Factor {
    /// The index of the operand.
    pub input: usize,
    /// Words of an instance in memory.
    pub stride: u32,
    /// The index of the word.
    pub word: u32,
    /// Whether one instance in memory serves all.
    pub broadcast: bool,
}

impl Slice {
    /// Whether one instance of it, or of its factor, serves all.
    pub(super) fn is_shared(&self) -> bool {
        self.broadcast || self.factor.is_some_and(|factor| factor.broadcast)
    }
}

impl fmt::Display for Plane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, from, count, words, of_inverse } = self;
        write!(f, "{of:?}[{from}..+{count}]:words={words}{}", if *of_inverse { ":inverse" } else { "" })
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stride, from, count, place, factor, broadcast, .. } = *self;
        let one = |broadcast| if broadcast { ":broadcast" } else { "" };
        write!(f, "[{from}..+{count}]<<{place}:words={stride}{}", one(broadcast))?;
        let Some(Factor { input, stride, word, broadcast }) = factor else { return Ok(()) };
        write!(f, "*{input}[{word}]:words={stride}{}", one(broadcast))
    }
}

/// Lengths are whole vectors of 16 bytes.
pub(crate) const fn aligned(words: u32) -> u32 {
    words.next_multiple_of(4)
}

/// Words in memory of a number of h + 2 words.
pub(crate) const fn part_words(half: u32) -> u32 {
    aligned(half / 2 + 2)
}

/// Words in memory of a factor of a part's product: h if it splits, or h + 2.
pub(crate) const fn part_factor(half: u32, splits: bool) -> u32 {
    if splits { half / 2 } else { part_words(half) }
}

/// The planes of a part's product: h + 2 words, and the h lower ones if it splits.
pub(crate) fn part_planes(half: u32, splits: bool) -> Vec<u32> {
    [part_words(half)].into_iter().chain(splits.then_some(half / 2)).collect()
}
