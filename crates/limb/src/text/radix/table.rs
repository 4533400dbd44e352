//! The constants of each radix: powers and their reciprocals, computed when they are first needed.
//!
//! Numbers are converted by way of the base `C`, the largest power of the radix that is a machine word. Its
//! digits are called chunks. The powers are `P_k = C^(33 * 2^k)`.

use std::sync::OnceLock;

use num_bigint::BigUint;

use crate::text::DIGITS;

/// Chunks of a number that is written in quadratic time. Up to 2048 bits have 33 decimal chunks, 4096 have
/// 65 and 8192 have 130: powers of two take no level for a chunk or two. Measured best.
pub(super) const LEAF: usize = 33;
/// Levels for all numbers that fit an address space.
const LEVELS: usize = 32;

/// The constants of a radix that is not a power of two.
pub(super) struct Radix {
    pub(super) radix: u64,
    /// C.
    pub(super) power: u64,
    /// Digits of a chunk.
    pub(super) digits: usize,
    levels: [OnceLock<Level>; LEVELS],
    leaves: [OnceLock<Leaf>; LEAF + 2],
}

/// A power `P_k` of n words, the top one not zero.
pub(super) struct Level {
    pub(super) power: Vec<u64>,
    /// `floor(2^(128 n) / P_k)`, of n + 1 words.
    pub(super) reciprocal: Vec<u64>,
}

/// The constants for numbers below `C^count`.
pub(super) struct Leaf {
    pub(super) count: usize,
    /// `floor(2^(64 (2 count + 1)) / C^count)`.
    pub(super) reciprocal: Vec<u64>,
    /// `floor(2^(64 (count + 1)) / (2 C^count))`: half of a unit, as a fraction of `count + 1` words.
    pub(super) half: Vec<u64>,
}

static RADICES: [OnceLock<Radix>; DIGITS.len() + 1] = [const { OnceLock::new() }; DIGITS.len() + 1];

impl Radix {
    /// The constants of a radix from 2 to 36.
    pub(super) fn of(radix: u32) -> &'static Self {
        RADICES[radix as usize].get_or_init(|| Self::new(radix.into()))
    }

    fn new(radix: u64) -> Self {
        let (mut power, mut digits) = (radix, 1);
        while power <= u64::MAX / radix {
            power *= radix;
            digits += 1;
        }
        let levels = [const { OnceLock::new() }; LEVELS];
        let leaves = [const { OnceLock::new() }; LEAF + 2];
        Self { radix, power, digits, levels, leaves }
    }

    /// A lower bound of the bits of a number of this many digits, the first of them nonzero.
    pub(super) fn min_bits(&self, digits: usize) -> u64 {
        match digits as u64 {
            0 => 0,
            digits => 1 + (digits - 1) / self.digits as u64 * u64::from(self.power.ilog2()),
        }
    }

    /// The constants of the fewest chunks that surely hold a number of this many bits, below `P_0`.
    pub(super) fn leaf(&self, bits: u32) -> &Leaf {
        let count = bits.div_ceil(self.power.ilog2()) as usize;
        self.leaves[count].get_or_init(|| {
            let power = BigUint::from(self.power).pow(count as u32);
            let reciprocal = (BigUint::from(1_u8) << (64 * (2 * count + 1))) / power;
            let half = &reciprocal >> (64 * count + 1);
            Leaf { count, reciprocal: reciprocal.to_u64_digits(), half: half.to_u64_digits() }
        })
    }

    /// The constants of a leaf that is not the first of its number.
    pub(super) fn whole_leaf(&self) -> &Leaf {
        self.leaf(LEAF as u32 * self.power.ilog2())
    }

    /// The highest level whose power is at most the number, of this many bits; `None` below `P_0`.
    pub(super) fn level_of(&self, number: &[u64], bits: u32) -> Option<usize> {
        let may_be_below = |k: usize| bits as usize > (LEAF << k) * self.power.ilog2() as usize;
        let is_at_most = |k: usize| {
            let power = &self.level(k).power;
            power.len() < number.len()
                || power.len() == number.len() && power.iter().rev().le(number.iter().rev())
        };
        (0..LEVELS).take_while(|&k| may_be_below(k) && is_at_most(k)).last()
    }

    /// `P_k` and its reciprocal.
    pub(super) fn level(&self, k: usize) -> &Level {
        self.levels[k].get_or_init(|| {
            let (power, reciprocal) = match k.checked_sub(1).map(|below| self.level(below)) {
                None => {
                    let power = BigUint::from(self.power).pow(LEAF as u32);
                    let reciprocal = unit(&power) / &power;
                    (power, reciprocal)
                }
                Some(below) => square(&from_words(&below.power), &from_words(&below.reciprocal)),
            };
            Level { power: power.to_u64_digits(), reciprocal: reciprocal.to_u64_digits() }
        })
    }
}

fn from_words(words: &[u64]) -> BigUint {
    crate::convert::to_biguint(words)
}

/// `2^(128 n)` for a number of n words.
fn unit(power: &BigUint) -> BigUint {
    BigUint::from(1_u8) << (128 * power.bits().div_ceil(64))
}

/// The square of a power, and its reciprocal: that of the power, squared, and a step of Newton's method, from
/// below. Both leave an error of a few units, which the remainder shows.
fn square(power: &BigUint, reciprocal: &BigUint) -> (BigUint, BigUint) {
    let square = power * power;
    let unit = unit(&square);
    let excess = 256 * power.bits().div_ceil(64) - (unit.bits() - 1);
    let estimate = (reciprocal * reciprocal) >> excess;
    let error = &unit - &square * &estimate;
    let mut result = &estimate + ((&estimate * error) >> (unit.bits() - 1));
    let mut rest = unit - &square * &result;
    while rest >= square {
        rest -= &square;
        result += 1_u8;
    }
    (square, result)
}
