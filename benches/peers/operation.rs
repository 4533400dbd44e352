//! Operations that are compared, and their operands.

use std::ops::RangeInclusive;

use limbforge_benches::random;
use limbforge_testing::operands::{integer, samples};
use num_bigint::BigUint;
use num_integer::Integer;

/// An operation, by its number in `calls.c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Operation {
    Low,
    Wide,
    Square,
    Quotient,
    Power,
    Gcd,
    Inverse,
    Root,
}

/// From these bits on, exponents have 64.
const SHORT_EXPONENTS: u32 = 1 << 14;

/// Operands with long runs of zeros and ones, or pseudorandom ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Random,
    Structured,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Random, Self::Structured];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Structured => "structured",
        }
    }
}

impl Operation {
    pub(crate) const ALL: [Self; 8] = [
        Self::Low,
        Self::Wide,
        Self::Square,
        Self::Quotient,
        Self::Power,
        Self::Gcd,
        Self::Inverse,
        Self::Root,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Low => "low product",
            Self::Wide => "wide product",
            Self::Square => "wide square",
            Self::Quotient => "quotient",
            Self::Power => "power",
            Self::Gcd => "gcd",
            Self::Inverse => "inverse",
            Self::Root => "root",
        }
    }

    /// In operands a, b, c.
    pub(crate) const fn expression(self) -> &'static str {
        match self {
            Self::Low => "a * b",
            Self::Wide => "mul_wide(a, b)",
            Self::Square => "mul_wide(a, a)",
            Self::Quotient => "a / b",
            Self::Power => "powmod(a, b, c)",
            Self::Gcd => "gcd(a, b)",
            Self::Inverse => "modinv(a, b)",
            Self::Root => "isqrt(a)",
        }
    }

    /// Whether the expression has the operand.
    pub(crate) fn has(self, operand: &str) -> bool {
        let text = self.expression();
        text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == operand)
    }

    /// Bits of the operands, as exponents of two.
    pub(crate) const fn widths(self) -> RangeInclusive<u32> {
        match self {
            Self::Low | Self::Wide | Self::Square | Self::Quotient => 8..=20,
            Self::Power => 8..=16,
            Self::Gcd => 8..=20,
            Self::Inverse => 8..=16,
            Self::Root => 8..=18,
        }
    }

    /// Instances of a batch: so many bits that they stay in the second-level cache, fewer where an operation
    /// takes long, and eight where these may run side by side.
    pub(crate) const fn instances(self, width: u32) -> usize {
        let bits: u32 = match self {
            Self::Low | Self::Wide | Self::Square | Self::Quotient | Self::Root => 21,
            Self::Gcd | Self::Inverse | Self::Power => 17,
        };
        let fitting = 1 << bits.saturating_sub(width);
        if width <= 16 && fitting < 8 { 8 } else { fitting }
    }

    pub(crate) const fn result_limbs(self, limbs: usize) -> usize {
        match self {
            Self::Wide | Self::Square => 2 * limbs,
            _ => limbs,
        }
    }

    /// The operands a, b, c: divisors have half of the bits, moduli are odd, and inverses exist.
    pub(crate) fn operands(self, kind: Kind, bits: u32) -> [Vec<BigUint>; 3] {
        let count = self.instances(bits.ilog2());
        let mut all = match kind {
            Kind::Random => random(3 * count, bits, bits.into()),
            Kind::Structured => structured(3 * count, bits),
        };
        let [mut c, mut b] = [all.split_off(2 * count), all.split_off(count)];
        let mut a = all;
        let one = BigUint::from(1_u32);
        c.iter_mut().for_each(|c| *c |= &one);
        match self {
            Self::Quotient => b.iter_mut().for_each(|b| *b = (&*b >> (bits / 2)) | &one),
            Self::Power if bits >= SHORT_EXPONENTS => b.iter_mut().for_each(|b| *b >>= bits - 64),
            Self::Inverse => {
                let most = (&one << bits) - &one;
                b.iter_mut().for_each(|b| *b |= &one);
                for (a, b) in a.iter_mut().zip(&b) {
                    while !is_unit(a, b) {
                        *a = (&*a + &one) & &most;
                    }
                }
            }
            _ => {}
        }
        [a, b, c]
    }
}

fn is_unit(a: &BigUint, m: &BigUint) -> bool {
    a.gcd(m) == BigUint::from(1_u32)
}

/// Numbers at whose edges carries are decided.
fn structured(count: usize, bits: u32) -> Vec<BigUint> {
    let numbers = samples(integer::<u64>(bits as usize / 64), count);
    let halves = |limb: u64| [limb as u32, (limb >> 32) as u32];
    numbers.map(|limbs| BigUint::new(limbs.into_iter().flat_map(halves).collect())).collect()
}
