//! Lengths of operands, in words of 32 bits. Data first: nothing here is CUDA.

use limbforge_algos::block::mul_tensor::TILE_WORDS;

use super::operands::aligned;
use super::stage::QuotientShape;
use crate::kernel::ntt::ProductPlan;

/// When divisions are computed by `div_newton`, and from where its Newton steps begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DivNewton {
    /// Bits of the narrowest type that is divided so; narrower ones are divided within a warp.
    pub from_bits: u32,
    /// Words of the inverse up to which a division within a warp computes it, at least 3.
    pub seed_words: u32,
    /// Words from which on products go through transforms: all of their words, and the lower half.
    pub transforms_from: [u32; 2],
    /// H from which on products of a part of the quotient by the divisor's H upper words are known mod `B^H - 1` only, by cyclic
    /// transforms, if H words fill their points; so are the first products of steps.
    pub cyclic_from: u32,
    /// Words from which on a step's second product takes whole tiles of tensor cores, and the sum after it multiplies what is above.
    pub tiles_from: u32,
}

/// Below, the schoolbook within a warp is faster.
const FROM_BITS: u32 = (1 << 15) + 1;

/// A division of twice as many words within a warp then takes no longer than the Newton step that it saves.
const SEED_WORDS: u32 = 66;

/// Products of 2^16 bits by transforms take half of what they take on tensor cores, lower halves the same.
const TRANSFORMS_FROM: [u32; 2] = [2048, 4096];

/// A cyclic transform of so many words takes half of what a lower half takes on tensor cores.
const CYCLIC_FROM: u32 = 2048;

/// Shorter products are bound by memory, and the sum that multiplies takes longer than the tile that it saves.
const TILES_FROM: u32 = 128;

impl Default for DivNewton {
    fn default() -> Self {
        Self {
            from_bits: FROM_BITS,
            seed_words: SEED_WORDS,
            transforms_from: TRANSFORMS_FROM,
            cyclic_from: CYCLIC_FROM,
            tiles_from: TILES_FROM,
        }
    }
}

impl DivNewton {
    /// Whether all words of a product of so many words come from transforms.
    #[must_use]
    pub const fn transforms_wide(self, words: u32) -> bool {
        fills_transforms(words) && words >= self.transforms_from[0]
    }

    /// Whether the lower ones do.
    #[must_use]
    pub const fn transforms_low(self, words: u32) -> bool {
        fills_transforms(words) && words >= self.transforms_from[1]
    }

    /// How a part of the quotient, or a block, is multiplied by so many words of the divisor, and a step's inverse. Transforms of a
    /// power of two of words cost the same for all shorter ones, of which tensor cores multiply short ones faster.
    #[must_use]
    pub fn multiple(self, words: u32) -> Multiple {
        if words >= self.cyclic_from && ProductPlan::fills_cyclic(words) {
            Multiple::Cyclic
        } else if self.transforms_low(words) {
            Multiple::Transformed
        } else {
            Multiple::Tensor
        }
    }

    /// The first product of a step to so many words of the inverse, of so many less one.
    #[must_use]
    pub fn difference(self, to: u32) -> Multiple {
        self.multiple(to - 1)
    }
}

const fn fills_transforms(words: u32) -> bool {
    words.is_multiple_of(4) && words >= 8 && words >= words.next_power_of_two() / 4 * 3
}

/// The precisions of a division's inverse.
///
/// An operand has up to 2 H words, a block of the quotient has H, in two parts of h = H / 2, and the inverse h + 1 words after the
/// leading 1. A step from t to t' words reads t' + 1 words of the divisor; `t' <= 2 t - 1` keeps the error below a few units of
/// the last word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Steps {
    /// H: words of a block of the quotient, an even number.
    pub half: u32,
    /// Words of the inverse: of the seed, then after each step.
    pub precisions: Vec<u32>,
}

/// How a product is computed of which only what a difference needs is wanted: of a part of the quotient, or of a block, by the divisor's H
/// upper words; or of a prefix of the divisor by the inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Multiple {
    /// Mod `B^H - 1`, by a cyclic transform.
    Cyclic,
    /// Its H + 1 lower words, by a transform of all of them.
    Transformed,
    /// These, on tensor cores.
    Tensor,
}

impl Steps {
    /// For operands of `words` words.
    #[must_use]
    pub fn new(words: u32, options: DivNewton) -> Self {
        // Shorter halves would not hold the prefixes.
        let half = words.div_ceil(2).max(4).next_multiple_of(2);
        let mut precision = half / 2 + 1;
        let mut precisions = vec![precision];
        while precision > options.seed_words.max(3) {
            precision = (precision + 1).div_ceil(2);
            precisions.push(precision);
        }
        precisions.reverse();
        Self { half, precisions }
    }

    /// h: words of a part of a block of the quotient.
    #[must_use]
    pub const fn part(&self) -> u32 {
        self.half / 2
    }

    /// Whether products of all words of h by h words are of the h lower words, and the sums around them multiply what is above: with
    /// transforms, and where h words are whole tiles of tensor cores.
    #[must_use]
    pub const fn splits(&self, options: DivNewton) -> bool {
        options.transforms_wide(self.part()) || self.part().is_multiple_of(TILE_WORDS as u32)
    }

    /// What kernels around a quotient's products know of them, for a divisor of each instance.
    #[must_use]
    pub fn shape(&self, options: DivNewton) -> QuotientShape {
        let multiple = options.multiple(self.half);
        let factor = if multiple == Multiple::Tensor { aligned(self.half + 1) } else { self.half };
        let cyclic = multiple == Multiple::Cyclic;
        QuotientShape { cyclic, splits: self.splits(options), factor, shared: false }
    }

    /// Likewise for a step's second product, from t words on: of the t - 1 lower words.
    #[must_use]
    pub const fn splits_correction(from: u32, options: DivNewton) -> bool {
        let words = from - 1;
        let tiles = words >= options.tiles_from && words.is_multiple_of(TILE_WORDS as u32);
        tiles || options.transforms_wide(words)
    }

    /// Words of the divisor that a precision needs.
    #[must_use]
    pub const fn prefix(precision: u32) -> u32 {
        precision + 1
    }

    /// Words in memory of H + 1 words.
    #[must_use]
    pub const fn operand(&self) -> u32 {
        aligned(self.half + 1)
    }

    /// Words in memory of the operands of a step's first product, the power difference of prefix and inverse: all words of the
    /// prefix, or all but two where the product goes through transforms.
    #[must_use]
    pub fn difference(to: u32, options: DivNewton) -> u32 {
        if options.difference(to) == Multiple::Tensor { aligned(Self::prefix(to) + 1) } else { to - 1 }
    }

    /// Words in memory of the operands of a step's second product, the correction.
    #[must_use]
    pub fn correction(from: u32, to: u32, options: DivNewton) -> u32 {
        if Self::splits_correction(from, options) { from - 1 } else { aligned(from.max(to - from + 2)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the proof of the error asks for (`docs/div_newton.md`).
    #[test]
    fn precisions_less_than_double() {
        for words in 8..3000 {
            for seed_words in [3, 10, 66] {
                let steps = Steps::new(words, DivNewton { seed_words, ..DivNewton::default() });
                let seed = steps.precisions[0];
                assert!(2 * steps.half >= words && seed >= 3 && seed <= seed_words.max(3));
                assert_eq!(steps.precisions.last(), Some(&(steps.part() + 1)));
                assert!(steps.precisions.windows(2).all(|step| step[0] < step[1] && step[1] < 2 * step[0]));
                // No prefix is longer than the shifted divisor.
                assert!(Steps::prefix(steps.part() + 1) <= 2 * steps.half);
            }
        }
    }
}
