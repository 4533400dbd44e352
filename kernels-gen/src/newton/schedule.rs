//! Lengths of operands, in words of 32 bits. Data first: nothing here is CUDA.

/// When divisions are computed by `div_newton`, and from where its Newton steps begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DivNewton {
    /// Bits of the narrowest type that is divided so; narrower ones are divided within a warp.
    pub from_bits: u32,
    /// Words of the inverse up to which a division within a warp computes it, at least 3.
    pub seed_words: u32,
    /// H from which on products of H by H words of the quotient go through transforms: all of their words, and the lower half.
    pub transforms_from: [u32; 2],
}

/// Below, the schoolbook within a warp is faster.
const FROM_BITS: u32 = (1 << 15) + 1;

/// A division of twice as many words within a warp then takes no longer than the Newton step that it saves.
const SEED_WORDS: u32 = 66;

/// Products of 2^16 bits by transforms take half of what they take on tensor cores, lower halves the same.
const TRANSFORMS_FROM: [u32; 2] = [2048, 4096];

impl Default for DivNewton {
    fn default() -> Self {
        Self { from_bits: FROM_BITS, seed_words: SEED_WORDS, transforms_from: TRANSFORMS_FROM }
    }
}

/// The precisions of a division's inverse.
///
/// An operand has up to 2 H words, a block of the quotient has H, and its inverse T = H + 1 words after the leading 1. A step
/// from t to t' words reads t' + 1 words of the divisor; `t' <= 2 t - 1` keeps the error below two units of the last word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Steps {
    /// H: words of a block of the quotient.
    pub half: u32,
    /// Words of the inverse: of the seed, then after each step.
    pub precisions: Vec<u32>,
}

/// Lengths are whole vectors of 16 bytes.
pub(crate) const fn aligned(words: u32) -> u32 {
    words.next_multiple_of(4)
}

impl Steps {
    /// For operands of `words` words.
    #[must_use]
    pub fn new(words: u32, options: DivNewton) -> Self {
        // Shorter halves would not hold the prefixes.
        let half = words.div_ceil(2).max(4);
        let mut precisions = vec![half + 1];
        let mut precision = half + 1;
        while precision > options.seed_words.max(3) {
            precision = (precision + 1).div_ceil(2);
            precisions.push(precision);
        }
        precisions.reverse();
        Self { half, precisions }
    }

    /// Words in memory of a factor of a quotient's products: of all its words, and of the H lower ones if it is transformed.
    #[must_use]
    pub fn planes(&self, transforms: bool) -> Vec<u32> {
        if transforms { vec![self.operand(), self.half] } else { vec![self.operand()] }
    }

    /// Whether products of H by H words go through transforms: all of their words, and the lower ones. Transforms of a power of
    /// two of words cost the same for all shorter ones, of which tensor cores multiply short ones faster.
    #[must_use]
    pub const fn transforms(&self, options: DivNewton) -> [bool; 2] {
        let [wide, low] = options.transforms_from;
        let fits = self.half.is_multiple_of(4) && self.half >= self.half.next_power_of_two() / 4 * 3;
        [fits && self.half >= wide, fits && self.half >= low]
    }

    /// Words of the divisor that a precision needs.
    #[must_use]
    pub const fn prefix(precision: u32) -> u32 {
        precision + 1
    }

    /// Words in memory of the operands of a quotient's products.
    #[must_use]
    pub const fn operand(&self) -> u32 {
        aligned(self.half + 1)
    }

    /// Words in memory of the operands of a step's first product, the power difference of prefix and inverse.
    #[must_use]
    pub const fn difference(to: u32) -> u32 {
        aligned(Self::prefix(to) + 1)
    }

    /// Words in memory of the operands of a step's second product, the correction.
    #[must_use]
    pub fn correction(from: u32, to: u32) -> u32 {
        aligned(from.max(to - from + 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the proof of the error asks for (docs/div.md).
    #[test]
    fn precisions_less_than_double() {
        for words in 8..3000 {
            for seed_words in [3, 10, 66] {
                let steps = Steps::new(words, DivNewton { seed_words, ..DivNewton::default() });
                let seed = steps.precisions[0];
                assert!(2 * steps.half >= words && seed >= 3 && seed <= seed_words.max(3));
                assert_eq!(steps.precisions.last(), Some(&(steps.half + 1)));
                assert!(steps.precisions.windows(2).all(|step| step[0] < step[1] && step[1] < 2 * step[0]));
                // No prefix is longer than the shifted divisor.
                assert!(Steps::prefix(steps.half + 1) <= 2 * steps.half);
            }
        }
    }
}
