//! Where residues are reduced, and the proof that none leaves its word.

use serde::Serialize;

use super::class::ResidueClass;
use super::range::Range;
use crate::spec::SpecError;

/// A bit per stage of each pass: whether the points that are not multiplied are reduced before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct TransformReductions {
    /// Outer pass.
    pub outer: u32,
    /// Middle pass.
    pub middle: u32,
    /// Inner pass.
    pub inner: u32,
    /// Whether results are reduced before they are made canonical.
    pub result: bool,
    /// The stages of the outer pass below this one skip the first node's factor 1.
    pub by_one: u32,
}

impl TransformReductions {
    /// The reductions of consecutive launches whose passes have these radices, or [`SpecError::ResidueClass`]
    /// if the ranges are not proved; `one` if the first node of the first tree has the factor 1.
    pub(crate) fn prove(
        class: ResidueClass,
        p: u64,
        launches: &[[u32; 3]],
        one: bool,
    ) -> Result<Vec<Self>, SpecError> {
        let refused = SpecError::ResidueClass { p, class: format!("{class:?}") };
        let mut range = Range::new(class, p).ok_or(refused.clone())?;
        let mut proofs = vec![];
        for (i, &radices) in launches.iter().enumerate() {
            let outer = OuterStages { radix: radices[0], one };
            let most = if i == 0 { outer.most_by_one() } else { 0 };
            let choices =
                (0..=most).rev().filter_map(|by_one| Self::prove_with(range, outer, radices, by_one));
            let chosen = choices.min_by_key(|(proof, _)| proof.cost(outer));
            let (mut proof, end) = chosen.ok_or(refused.clone())?;
            proof.result = class == ResidueClass::Signed28 && i + 1 == launches.len();
            range = end;
            proofs.push(proof);
        }
        Ok(proofs)
    }

    /// Cycles for 2^32 points that depend on the choice: four for a reduction of one of two points, eight for
    /// a product of the first node. Skipping a factor 1 saves a product but lets sums grow.
    fn cost(&self, outer: OuterStages) -> u64 {
        let masks = [self.outer, self.middle, self.inner];
        let reductions: u64 = masks.iter().map(|mask| u64::from(mask.count_ones()) << 31).sum();
        let products: u64 = (self.by_one..outer.count()).map(|stage| outer.first_products(stage)).sum();
        4 * reductions + 8 * products
    }

    fn prove_with(
        mut range: Range,
        outer: OuterStages,
        radices: [u32; 3],
        by_one: u32,
    ) -> Option<(Self, Range)> {
        let mut masks = [0; 3];
        let stages = [outer.count(), radices[1].ilog2(), radices[2].ilog2()];
        if outer.multiplies_first() {
            range.bound = range.bound.max(range.product());
        }
        for (pass, mask) in masks.iter_mut().enumerate() {
            for stage in 0..stages[pass] {
                let skips = pass == 0 && stage < by_one && outer.may_skip(stage);
                if !range.stage(skips)? {
                    *mask |= 1 << stage;
                }
            }
        }
        let [outer, middle, inner] = masks;
        Some((Self { outer, middle, inner, result: false, by_one }, range))
    }
}

/// The stages of an outer pass: log2 R for a power of two. For 3 2^j points the first split has three stages,
/// the butterflies of `x_1` and `x_2`, of `x_0` and their sum, and of `y_1` and `y_2`
/// (`templates/ntt_three.cuh`); j more follow.
#[derive(Clone, Copy, Debug)]
struct OuterStages {
    radix: u32,
    /// Whether the first node has the factor 1.
    one: bool,
}

impl OuterStages {
    const fn is_three(self) -> bool {
        self.radix.is_multiple_of(3)
    }

    const fn count(self) -> u32 {
        if self.is_three() { 3 + (self.radix / 3).ilog2() } else { self.radix.ilog2() }
    }

    /// Whether `x_1` is multiplied by a factor before all stages.
    const fn multiplies_first(self) -> bool {
        self.is_three() && !self.one
    }

    /// Whether a stage has a factor 1 that can be skipped.
    const fn may_skip(self, stage: u32) -> bool {
        if self.is_three() { stage == 1 || self.one && stage != 2 } else { self.one }
    }

    /// The largest `by_one` that makes a difference.
    const fn most_by_one(self) -> u32 {
        match (self.is_three(), self.one) {
            (_, true) => self.count(),
            (true, false) => 2,
            (false, false) => 0,
        }
    }

    /// Products with the factor 1 in 2^32 points.
    const fn first_products(self, stage: u32) -> u64 {
        match stage {
            _ if !self.may_skip(stage) => 0,
            _ if !self.is_three() => (1 << 31) >> stage,
            0 | 1 => (1 << 32) / 3,
            _ => ((1 << 31) / 3) >> (stage - 3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::class::SPECIAL;
    use super::*;

    const RADICES: [u32; 3] = [32, 32, 16];
    const THREE: [u32; 3] = [48, 32, 16];

    #[test]
    fn classes_of_primes() {
        for (p, class) in [
            (12_289, ResidueClass::Lazy32),
            (268_582_913, ResidueClass::Signed28),
            (998_244_353, ResidueClass::Lazy32),
            (2_013_265_921, ResidueClass::Half32),
            (2_130_706_433, ResidueClass::Half32),
            (3_221_225_473, ResidueClass::Full32),
            (4_179_340_454_199_820_289, ResidueClass::Lazy64),
            (1_945_555_039_024_054_273, ResidueClass::Wide64),
            (SPECIAL, ResidueClass::Special64),
            (18_446_742_974_197_923_841, ResidueClass::Full64),
        ] {
            assert_eq!(ResidueClass::of(p), class, "{p}");
            let proof = TransformReductions::prove(class, p, &[RADICES, RADICES], true).expect("proved");
            assert!(proof[0].by_one > 0 && proof[1].by_one == 0, "{proof:?}");
            for one in [true, false] {
                let proof = TransformReductions::prove(class, p, &[THREE, RADICES], one).expect("proved");
                assert!(proof[0].outer >> 7 == 0 && proof[1].by_one == 0, "{proof:?}");
            }
        }
    }

    #[test]
    fn a_class_refuses_primes_that_are_too_large() {
        assert!(TransformReductions::prove(ResidueClass::Lazy32, 1 << 30 | 1, &[RADICES], false).is_err());
        assert!(TransformReductions::prove(ResidueClass::Half32, 1 << 31 | 1, &[RADICES], false).is_err());
        assert!(TransformReductions::prove(ResidueClass::Lazy64, 1 << 62 | 1, &[RADICES], false).is_err());
        assert!(TransformReductions::prove(ResidueClass::Wide64, 1 << 61 | 1, &[RADICES], false).is_err());
        assert!(TransformReductions::prove(ResidueClass::Signed28, 5 << 26 | 1, &[RADICES], false).is_err());
        assert!(TransformReductions::prove(ResidueClass::Special64, SPECIAL - 2, &[RADICES], false).is_err());
    }
}
