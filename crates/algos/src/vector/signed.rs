//! Eight signed words and conditions on them: what division steps need beside [`Lanes`].

use super::lanes::Lanes;

#[cfg(target_arch = "x86_64")]
mod ifma;
mod portable;

/// What a machine does with eight signed words at once. Words are two's complement.
pub(super) trait Signed: Lanes {
    /// A condition for each word.
    type Mask: Copy;

    fn is_odd(self, a: Self::Word) -> Self::Mask;
    fn is_negative(self, a: Self::Word) -> Self::Mask;
    fn is_equal(self, a: Self::Word, b: Self::Word) -> Self::Mask;
    /// Where `a` holds and `b` does not.
    fn only(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Where one of them holds.
    fn either(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a + b` where the mask holds, a elsewhere.
    fn add_where(self, mask: Self::Mask, a: Self::Word, b: Self::Word) -> Self::Word;
    /// `a - b` where the mask holds, a elsewhere.
    fn sub_where(self, mask: Self::Mask, a: Self::Word, b: Self::Word) -> Self::Word;
    /// `-a` where the mask holds, b elsewhere.
    fn negate_where(self, mask: Self::Mask, a: Self::Word, b: Self::Word) -> Self::Word;
    /// a where the mask holds, b elsewhere.
    fn choose(self, mask: Self::Mask, a: Self::Word, b: Self::Word) -> Self::Word;
    /// `floor(a / 2^bits)` of a signed number, for less than 64 bits.
    fn sar(self, a: Self::Word, bits: u32) -> Self::Word;
    /// The product of the lower halves, which are signed.
    fn mul_halves(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The lanes where the mask holds.
    fn lanes_of(self, mask: Self::Mask) -> u8;
}
