//! The algorithms and lengths of a division's products, in words of 32 bits: data, no CUDA.

use limbforge_algos::block::mul_tensor::TILE_WORDS;

use super::operands::aligned;
use super::stage::QuotientShape;
use crate::kernel::ntt::ProductPlan;

/// The types that `div_newton` divides, and the thresholds of its products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DivNewton {
    /// Bits of the narrowest type that is divided so; narrower ones are divided within a warp.
    pub from_bits: u32,
    /// Words of the inverse up to which a division within a warp computes it, at least 3.
    pub seed_words: u32,
    /// Words from which on transforms compute products: all words, and the lower half.
    pub transforms_from: [u32; 2],
    /// H from which on cyclic transforms that it fills compute products by the divisor's top, and steps.
    pub cyclic_from: u32,
    /// Words from which on a step's second product takes whole tiles, and the next sum multiplies the rest.
    pub tiles_from: u32,
}

impl Default for DivNewton {
    fn default() -> Self {
        Self {
            // Below, the schoolbook within a warp is faster.
            from_bits: (1 << 15) + 1,
            // A division of twice as many words within a warp takes no longer than a Newton step.
            seed_words: 66,
            // Products of 2^16 bits take half of their time on tensor cores, lower halves the same.
            transforms_from: [2048, 4096],
            // A cyclic transform of so many words takes half the time of a lower half on tensor cores.
            cyclic_from: 2048,
            // Shorter products are bound by memory, and the sum takes longer than the tile that it saves.
            tiles_from: 128,
        }
    }
}

impl DivNewton {
    /// Whether transforms compute all words of a product of so many words.
    pub(crate) const fn transforms_wide(self, words: u32) -> bool {
        fills_transforms(words) && words >= self.transforms_from[0]
    }

    /// The product of so many words: for short operands tensor cores are faster than transforms.
    pub(crate) fn multiple(self, words: u32) -> Multiple {
        if words >= self.cyclic_from && ProductPlan::fills_cyclic(words) {
            Multiple::Cyclic
        } else if fills_transforms(words) && words >= self.transforms_from[1] {
            Multiple::Transformed
        } else {
            Multiple::Tensor
        }
    }

    /// The first product of a step to so many words of the inverse.
    pub(crate) fn difference(self, to: u32) -> Multiple {
        self.multiple(to - 1)
    }
}

const fn fills_transforms(words: u32) -> bool {
    words.is_multiple_of(4) && words >= 8 && words >= words.next_power_of_two() / 4 * 3
}

/// The precisions of a division's inverse.
///
/// An operand has up to 2 H words, a block of the quotient H, in two parts of h = H / 2, and the inverse h +
/// 1 after the leading 1. A step from t to t' words reads t' + 1 words of the divisor; `t' <= 2 t - 1` bounds
/// the error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Steps {
    /// H: words of a block of the quotient, an even number.
    pub(crate) half: u32,
    /// Words of the inverse: of the seed, then after each step.
    pub(crate) precisions: Vec<u32>,
}

/// The algorithm of a product by the divisor's top or by the inverse, of which some words are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Multiple {
    /// Mod `B^H - 1`, by a cyclic transform.
    Cyclic,
    /// Its H + 1 lower words, by a transform of all of them.
    Transformed,
    /// Its H + 1 lower words, on tensor cores.
    Tensor,
}

impl Steps {
    /// The steps for operands of `words` words.
    pub(crate) fn new(words: u32, options: DivNewton) -> Self {
        // Shorter halves would not hold the prefixes.
        let half = words.div_ceil(2).max(4).next_multiple_of(2);
        let mut precisions = vec![half / 2 + 1];
        while precisions[0] > options.seed_words.max(3) {
            precisions.insert(0, (precisions[0] + 1).div_ceil(2));
        }
        Self { half, precisions }
    }

    /// h: words of a part of a block of the quotient.
    pub(crate) const fn part(&self) -> u32 {
        self.half / 2
    }

    /// Whether products multiply the h lower words, and sums the rest: by transforms or whole tiles.
    pub(crate) const fn splits(&self, options: DivNewton) -> bool {
        options.transforms_wide(self.part()) || self.part().is_multiple_of(TILE_WORDS as u32)
    }

    /// The form of a quotient's products, for a divisor of each instance.
    pub(crate) fn shape(&self, options: DivNewton) -> QuotientShape {
        let multiple = options.multiple(self.half);
        let factor = if multiple == Multiple::Tensor { self.operand() } else { self.half };
        let cyclic = multiple == Multiple::Cyclic;
        QuotientShape { cyclic, splits: self.splits(options), factor, shared: false }
    }

    /// Whether a step's second product, from t words on, multiplies the t - 1 lower words likewise.
    pub(crate) const fn splits_correction(from: u32, options: DivNewton) -> bool {
        let words = from - 1;
        let tiles = words >= options.tiles_from && words.is_multiple_of(TILE_WORDS as u32);
        tiles || options.transforms_wide(words)
    }

    /// Words of the divisor that a precision needs.
    pub(crate) const fn prefix(precision: u32) -> u32 {
        precision + 1
    }

    /// Words in memory of H + 1 words.
    pub(crate) const fn operand(&self) -> u32 {
        aligned(self.half + 1)
    }

    /// Words in memory of the operands of a step's first product: the prefix, less two words with transforms.
    pub(crate) fn difference(to: u32, options: DivNewton) -> u32 {
        if options.difference(to) == Multiple::Tensor { aligned(Self::prefix(to) + 1) } else { to - 1 }
    }

    /// Words in memory of the operands of a step's second product, the correction.
    pub(crate) fn correction(from: u32, to: u32, options: DivNewton) -> u32 {
        if Self::splits_correction(from, options) { from - 1 } else { aligned(from.max(to - from + 2)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The precisions that the proof of the error assumes (`docs/div_newton.md`).
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
