//! Estimated cost of a plan, in cycles of a GPU's busiest pipe, and sets of primes ranked by it.
//!
//! The cycles were measured on an H200 for the 32 lanes of a warp on a quarter of a multiprocessor. The high
//! half or both halves of a 32-bit product take 4 cycles of the multiply pipe, the low half 2; other
//! instructions take 2 cycles of their own pipe. A butterfly has one product by a known factor, by Shoup's
//! method, or by Montgomery's if p has no spare bit.

use super::{DigitError, DigitPlan, DigitRequest, PrimeSet};

/// Transforms of a product: two forward, one inverse.
const TRANSFORMS: u64 = 3;

/// Products of a radix-3 butterfly: two twiddle factors, two constants. A radix-2 butterfly has one.
const RADIX_3_PRODUCTS: u64 = 4;

/// An estimate for one product of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Pipe cycles of butterflies, pointwise products and recombination.
    pub cycles: u64,
    /// Butterflies of all three transforms modulo all primes; a radix-3 butterfly counts as four.
    pub butterflies: u64,
}

impl Cost {
    /// The cost of a plan made with this set.
    #[must_use]
    pub fn of(set: &PrimeSet, plan: &DigitPlan) -> Self {
        let butterflies = TRANSFORMS * transform_butterflies(plan.points());
        let per_prime = |p: &u64| butterflies * by_constant(*p) + plan.points() * by_variable(*p);
        let transforms: u64 = set.primes().iter().map(per_prime).sum();
        let primes = set.primes().len() as u64;
        // Each residue is multiplied by a constant as long as the product of the primes.
        let words = set.product().bits().div_ceil(32);
        let recombination = if primes > 1 { plan.coefficients() * primes * words * 4 } else { 0 };
        Self { cycles: transforms + recombination, butterflies: primes * butterflies }
    }
}

/// Butterflies of one transform of 2^k or 3*2^k points; a radix-3 butterfly counts as four.
#[must_use]
pub const fn transform_butterflies(points: u64) -> u64 {
    let radix_2 = points / 2 * points.trailing_zeros() as u64;
    if points.is_power_of_two() { radix_2 } else { radix_2 + points / 3 * RADIX_3_PRODUCTS }
}

/// p = 2^64 - 2^32 + 1: its reduction has about 18 additions, which take longer than its four products.
const GOLDILOCKS: u64 = 0xffff_ffff_0000_0001;

/// Cycles of a product by a known factor.
const fn by_constant(p: u64) -> u64 {
    match p {
        GOLDILOCKS => 36,
        // Shoup: one high and two low halves.
        0..0x8000_0000 => 8,
        0x8000_0000..0x1_0000_0000 => 10,
        // Shoup with 64-bit words: a high half is four 32-bit products, a low half one product and two low
        // halves.
        0x1_0000_0000..0x8000_0000_0000_0000 => 32,
        _ => 40,
    }
}

/// Cycles of a product of two variables, by Montgomery unless the prime has a better form.
const fn by_variable(p: u64) -> u64 {
    match p {
        GOLDILOCKS => 36,
        0..0x1_0000_0000 => 10,
        _ => 40,
    }
}

/// A set with its plan and cost, or the reason why it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The set.
    pub set: PrimeSet,
    /// Its plan and cost, or an error.
    pub outcome: Result<(DigitPlan, Cost), DigitError>,
}

/// Plans for all sets, cheapest first. Sets without a plan come last, in their order.
#[must_use]
pub fn rank(sets: Vec<PrimeSet>, request: &DigitRequest) -> Vec<Ranked> {
    let plan = |set: PrimeSet| {
        let outcome = set.plan(request).map(|plan| (plan.clone(), Cost::of(&set, &plan)));
        Ranked { set, outcome }
    };
    let mut ranked: Vec<_> = sets.into_iter().map(plan).collect();
    ranked.sort_by_key(|ranked| ranked.outcome.as_ref().map_or(u64::MAX, |(_, cost)| cost.cycles));
    ranked
}
