//! Where residues are reduced, and the proof that none leaves its word.

use serde::Serialize;

use super::{class::ResidueClass, range::Range};
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
    /// The reductions of consecutive launches with these radices, or [`SpecError::ResidueClass`];
    /// `one` if the first node of the first tree has the factor 1.
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
            let outer = outer_stages(radices[0], one);
            let last = outer.iter().rposition(Option::is_some).filter(|_| i == 0);
            let most = last.map_or(0, |last| last as u32 + 1);
            if radices[0].is_multiple_of(3) && !one {
                // `x_1` is multiplied by a factor before all stages.
                range.bound = range.bound.max(range.product());
            }
            let choices =
                (0..=most).rev().filter_map(|by_one| Self::prove_with(range, &outer, radices, by_one));
            let chosen = choices.min_by_key(|(proof, _)| proof.cost(&outer));
            let (mut proof, end) = chosen.ok_or(refused.clone())?;
            proof.result = class == ResidueClass::Signed28 && i + 1 == launches.len();
            range = end;
            proofs.push(proof);
        }
        Ok(proofs)
    }

    /// Cycles for 2^32 points that depend on the choice: four for a reduction of one of two points, eight for
    /// a product of the first node. Skipping a factor 1 saves a product but lets sums grow.
    fn cost(&self, outer: &[Option<u64>]) -> u64 {
        let masks = [self.outer, self.middle, self.inner];
        let reductions: u64 = masks.iter().map(|mask| u64::from(mask.count_ones()) << 31).sum();
        let products: u64 = outer.iter().skip(self.by_one as usize).flatten().sum();
        4 * reductions + 8 * products
    }

    fn prove_with(
        mut range: Range,
        outer: &[Option<u64>],
        radices: [u32; 3],
        by_one: u32,
    ) -> Option<(Self, Range)> {
        let mut masks = [0; 3];
        let stages = [outer.len() as u32, radices[1].ilog2(), radices[2].ilog2()];
        for (pass, mask) in masks.iter_mut().enumerate() {
            for stage in 0..stages[pass] {
                let skips = pass == 0 && stage < by_one && outer[stage as usize].is_some();
                if !range.stage(skips)? {
                    *mask |= 1 << stage;
                }
            }
        }
        let [outer, middle, inner] = masks;
        Some((Self { outer, middle, inner, result: false, by_one }, range))
    }
}

/// The stages of an outer pass, each with its products by a factor 1 in 2^32 points if those can be skipped;
/// `one` if the first node has the factor 1. There are log2 R stages for a power of two. For 3 2^j points the
/// first split has three, the butterflies of `x_1` and `x_2`, of `x_0` and their sum, and of `y_1` and `y_2`
/// (`templates/ntt_three.cuh`); j more follow.
fn outer_stages(radix: u32, one: bool) -> Vec<Option<u64>> {
    let half = 1_u64 << 31;
    if !radix.is_multiple_of(3) {
        return (0..radix.ilog2()).map(|stage| one.then_some(half >> stage)).collect();
    }
    let third = (1 << 32) / 3;
    let more = (0..(radix / 3).ilog2()).map(|stage| one.then_some((half / 3) >> stage));
    [one.then_some(third), Some(third), None].into_iter().chain(more).collect()
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
