//! Eight 64-bit words, one of each of eight instances.

/// Instances side by side.
pub(crate) const WIDTH: usize = 8;

/// Bits of a digit: those of a double's significand, which the hardware multiplies.
pub(super) const DIGIT_BITS: u32 = 52;

/// The digits' bits in a word.
pub(super) const MASK: u64 = (1 << DIGIT_BITS) - 1;

/// The rows of four words by the words that they become.
pub(super) const HALVES: [usize; WIDTH] = [0, 2, 1, 3, 4, 6, 5, 7];

/// One word of each instance, in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Words(pub(super) [u64; WIDTH]);

impl Words {
    pub(super) const ZERO: Self = Self([0; WIDTH]);
}

/// What a machine does with eight words at once. A value is the proof that this machine can do it.
pub(super) trait Lanes: Copy {
    /// Eight words in a register.
    type Word: Copy;

    /// Runs a function compiled for this machine: all others are inlined into it.
    fn run<R>(self, function: impl FnOnce() -> R) -> R;
    fn load(self, words: &Words) -> Self::Word;
    /// Eight words that lie anywhere.
    fn load_row(self, row: &[u64; WIDTH]) -> Self::Word;
    /// Four words that lie anywhere, and zeros above.
    fn load_half(self, row: &[u64; WIDTH / 2]) -> Self::Word;
    fn store(self, words: Self::Word) -> Words;
    fn splat(self, word: u64) -> Self::Word;
    /// `a + b mod 2^64`.
    fn add(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// `a - b mod 2^64`.
    fn sub(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn and(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn or(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// `floor(a / 2^bits)`: 0 from 64 bits on.
    fn shr(self, a: Self::Word, bits: u32) -> Self::Word;
    /// `a 2^bits mod 2^64`: 0 from 64 bits on.
    fn shl(self, a: Self::Word, bits: u32) -> Self::Word;
    /// The low words of `(high 2^64 + low) / 2^bits`, for less than 64 bits.
    fn funnel(self, low: Self::Word, high: Self::Word, bits: u32) -> Self::Word;
    /// [`shr`](Self::shr) by bits of each word's own.
    fn shr_each(self, a: Self::Word, bits: Self::Word) -> Self::Word;
    /// [`shl`](Self::shl) by bits of each word's own.
    fn shl_each(self, a: Self::Word, bits: Self::Word) -> Self::Word;
    /// `(high 2^48 + low) inverse` in double precision, rounded once for each operation and then towards 0:
    /// signed numbers below 2^53, the bits of a double, and a result below 2^63.
    fn estimate(self, high: Self::Word, low: Self::Word, inverse: Self::Word) -> Self::Word;
    /// `sum + (a b mod 2^52) mod 2^64`, of the low 52 bits of a and b.
    fn add_low(self, sum: Self::Word, a: Self::Word, b: Self::Word) -> Self::Word;
    /// `sum + floor(a b / 2^52) mod 2^64`, of the low 52 bits of a and b.
    fn add_high(self, sum: Self::Word, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Word i of vector j becomes word j of vector i.
    fn transpose(self, rows: [Self::Word; WIDTH]) -> [Self::Word; WIDTH];
    /// Word i of each of eight rows of four words, of which a vector holds two: in vector i, in the order of
    /// [`HALVES`].
    fn transpose_halves(self, rows: [Self::Word; WIDTH / 2]) -> [Self::Word; WIDTH / 2];
    /// Inverse of [`transpose_halves`](Self::transpose_halves).
    fn transpose_to_halves(self, words: [Self::Word; WIDTH / 2]) -> [Self::Word; WIDTH / 2];
}
