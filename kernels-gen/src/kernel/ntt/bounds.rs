//! The proof that no residue of a transform leaves 32 bits, and the stages before which residues are reduced.
//!
//! Every step of `templates/residue28.cuh` is bounded in magnitude for the largest prime of the set; a stage
//! whose sums could reach 2^31 gets its points reduced before it. The proof decides what is rendered: tests
//! alone once passed a kernel whose worst case overflows.

use core::ops::Range;

use serde::Serialize;

use crate::spec::SpecError;

/// Residues stay below this in magnitude.
pub(super) const LIMIT: u64 = 1 << 31;

/// For each pass a bit per stage: whether the points that are not multiplied are reduced before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Reductions {
    /// Outer pass forward.
    pub outer_forward: u32,
    /// Middle pass forward.
    pub middle_forward: u32,
    /// Inner pass forward.
    pub inner_forward: u32,
    /// Inner pass backward.
    pub inner_backward: u32,
    /// Middle pass backward.
    pub middle_backward: u32,
    /// First stages of the outer pass forward that do not multiply by the first node's factor 1.
    pub outer_by_one: u32,
    /// The same of the inner pass backward, for the first point's factor.
    pub inner_by_one: u32,
    /// The bound of residues before the outer pass backward, which has a proof of its own.
    pub before_interpolation: u64,
}

/// Bounds of residues in magnitude, for one prime.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) p: u64,
}

/// A point's bound on its way through the stages.
struct Pass {
    bounds: Bounds,
    bound: u64,
}

impl Reductions {
    /// The reductions for primes up to `p` and sums of `terms` products. Operands of a cyclic product have no
    /// upper half of zeros. Errors with [`SpecError::ResidueRange`] if sums could reach 2^31 even with
    /// reduced points.
    pub(crate) fn prove(p: u32, radices: [u32; 3], terms: u32, cyclic: bool) -> Result<Self, SpecError> {
        // A factor 1 saves a product but lets a sum grow: as many as the proof allows.
        let saved = [(3, 2), (3, 1), (2, 2), (2, 1), (2, 0)];
        let (bounds, stages) = (Bounds { p: p.into() }, radices.map(u32::ilog2));
        let mut proofs =
            saved.into_iter().map(|by_one| Self::prove_with(bounds, stages, terms, cyclic, by_one));
        let first = proofs.next().unwrap_or_else(|| Ok(Self::default()));
        first.or_else(|refused| proofs.find_map(Result::ok).ok_or(refused))
    }

    fn prove_with(
        bounds: Bounds,
        [outer, middle, inner]: [u32; 3],
        terms: u32,
        cyclic: bool,
        (outer_by_one, inner_by_one): (u32, u32),
    ) -> Result<Self, SpecError> {
        let mut pass = Pass { bounds, bound: bounds.digit() };
        // transform_operand: a stage with factor 1, or a copy and a stage whose first node has factor 1.
        let by_hand = if cyclic { 1 } else { 2 };
        let mut reductions = Self { outer_by_one, inner_by_one, ..Self::default() };
        let first = pass.stages(by_hand - 1..by_hand, by_hand)?;
        reductions.outer_forward = first | pass.stages(by_hand..outer, outer_by_one)?;
        if reductions.outer_forward & ((1 << by_hand) - 1) != 0 {
            return Err(SpecError::ResidueRange { p: bounds.p as u32, bound: pass.bound });
        }
        reductions.middle_forward = pass.stages(0..middle, 0)?;
        reductions.inner_forward = pass.stages(0..inner, 0)?;
        pass.bound = bounds.sum_of_products(pass.bound, terms)?;
        reductions.inner_backward = pass.stages(0..inner, inner_by_one)?;
        reductions.middle_backward = pass.stages(0..middle, 0)?;
        reductions.before_interpolation = pass.bound;
        Ok(reductions)
    }
}

impl Pass {
    /// Stages, those below `by_one` with some factors that are known to be 1. Returns the stages with
    /// reductions.
    fn stages(&mut self, stages: Range<u32>, by_one: u32) -> Result<u32, SpecError> {
        let mut reduced = 0;
        for stage in stages {
            let Self { bounds, bound } = *self;
            let joined = |x: u64| {
                let product = x + bounds.product(bound);
                if stage < by_one { product.max(x + bound) } else { product }
            };
            self.bound = joined(bound);
            if self.bound >= LIMIT {
                reduced |= 1 << stage;
                self.bound = bounds.check(joined(bounds.reduced(bound)))?;
            }
        }
        Ok(reduced)
    }
}

impl Bounds {
    /// `residue_of_digit`: at least -(p - 1) - 15 (p - 2^28), below 2^28.
    const fn digit(self) -> u64 {
        self.p + 15 * self.excess()
    }

    pub(crate) const fn excess(self) -> u64 {
        self.p - (1 << 28)
    }

    /// `times` and `butterfly`: the quotient's error is at most |y| / 2^33 below and 1 + that above.
    pub(crate) const fn product(self, y: u64) -> u64 {
        self.p + (y * self.p).div_ceil(1 << 33)
    }

    /// `reduce`: x = q 2^28 + r with 0 <= r < 2^28 goes to r - q (p - 2^28).
    pub(crate) const fn reduced(self, x: u64) -> u64 {
        (1 << 28) + x.div_ceil(1 << 28) * self.excess()
    }

    /// `times_residue` of a spectrum's point and a reduced one, up to `terms` times.
    fn sum_of_products(self, x: u64, terms: u32) -> Result<u64, SpecError> {
        let product = (u128::from(x) * u128::from(self.reduced(x))).div_ceil(1 << 32) as u64 + self.p / 2 + 1;
        self.check(product.saturating_mul(terms.into()))
    }

    /// The bound, if it is below the limit.
    pub(super) const fn check(self, bound: u64) -> Result<u64, SpecError> {
        if bound < LIMIT { Ok(bound) } else { Err(SpecError::ResidueRange { p: self.p as u32, bound }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The prototype's bounds: nothing is reduced in the first pass, once per pass after it.
    #[test]
    fn primes_just_above_2_28() {
        for radices in [[16, 4, 16], [32, 4, 16], [32, 8, 16], [32, 16, 16], [32, 32, 16]] {
            let found = Reductions::prove(268_861_441, radices, 1, false).expect("proved");
            assert_eq!((found.outer_forward, found.inner_backward), (0, 0), "{radices:?}: {found:?}");
            let reduced = [found.middle_forward, found.inner_forward, found.middle_backward];
            assert!(reduced.iter().all(|mask| mask.count_ones() <= 1), "{radices:?}: {found:?}");
        }
    }

    #[test]
    fn a_large_prime_is_refused() {
        let refused = Reductions::prove((1 << 30) - 35, [32, 16, 16], 1, false);
        assert!(matches!(refused, Err(SpecError::ResidueRange { .. })), "{refused:?}");
        assert!(Reductions::prove(268_861_441, [32, 16, 16], 12, false).is_err());
    }

    proptest! {
        /// The bounds against the functions of residue28.cuh in wide arithmetic.
        #[test]
        fn bounds_hold(x: i32, w: u32, p in (1u32 << 28)..(5 << 26)) {
            let (bounds, x, prime) = (Bounds { p: p.into() }, i64::from(x), i64::from(p));
            let size = x.unsigned_abs();
            let mut w = i64::from(w) % prime;
            if w > prime / 2 { w -= prime; }
            // round(w 2^32 / p), halves up.
            let f = ((w << 33) + prime).div_euclid(2 * prime);
            let product = x * w - ((x * f) >> 32) * prime;
            prop_assert_eq!((product - x * w).rem_euclid(prime), 0);
            prop_assert!(product.unsigned_abs() <= bounds.product(size));
            let reduced = x - (x >> 28) * prime;
            prop_assert!(reduced.unsigned_abs() <= bounds.reduced(size));
        }
    }
}
