//! Sets of primes for a product, cheapest first.

use super::cost::Cost;
use super::error::DigitError;
use super::plan::{DigitPlan, DigitRequest};
use super::prime_set::PrimeSet;

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
        let outcome = set.plan(request).map(|plan| {
            let cost = Cost::of(&set, &plan);
            (plan, cost)
        });
        Ranked { set, outcome }
    };
    let mut ranked: Vec<_> = sets.into_iter().map(plan).collect();
    ranked.sort_by_key(|ranked| ranked.outcome.as_ref().map_or(u64::MAX, |(_, cost)| cost.cycles));
    ranked
}
