//! Batched transforms: every class of residues, forward and inverse, cyclic and negacyclic.

use std::fmt;

use limbforge::algos::ntt::{Direction, Wrap};
use limbforge::field::DynField;
use limbforge_kernels_gen::SpecError;
use limbforge_kernels_gen::ntt::{ResidueClass, TransformPlan, TransformSpec};

use crate::error::CliError;

/// Transforms of one length over one field.
#[derive(Clone, Copy, Debug)]
pub(in crate::selftest) struct BatchedTransform {
    pub(in crate::selftest) prime: u64,
    pub(in crate::selftest) points: u32,
    pub(in crate::selftest) wrap: Wrap,
    pub(in crate::selftest) direction: Direction,
}

/// A prime of each class of residues.
const PRIMES: [u64; 9] = [
    270_532_609,
    998_244_353,
    2_013_265_921,
    2_130_706_433,
    3_221_225_473,
    1_945_555_039_024_054_273,
    4_179_340_454_199_820_289,
    18_446_744_069_414_584_321,
    18_446_742_974_197_923_841,
];

const KINDS: [(Wrap, Direction); 4] = [
    (Wrap::Cyclic, Direction::Forward),
    (Wrap::Negacyclic, Direction::Inverse),
    (Wrap::Cyclic, Direction::Inverse),
    (Wrap::Negacyclic, Direction::Forward),
];

/// Points from which on the memory that blocks share may be too small on other GPUs.
const MANY_POINTS: u32 = 1 << 12;

impl BatchedTransform {
    pub(in crate::selftest) fn field(&self) -> Result<DynField, CliError> {
        DynField::new(self.prime).map_err(|error| CliError::Field(error.to_string()))
    }

    /// The plan that every program gets.
    pub(in crate::selftest) fn plan(&self) -> Result<TransformPlan, CliError> {
        let spec = TransformSpec::new(&self.field()?, self.points, self.wrap, self.direction)?;
        Ok(TransformPlan::new(spec)?)
    }

    /// Whether this is why a GPU with less shared memory does not run long transforms.
    pub(in crate::selftest) const fn may_refuse(&self, error: &CliError) -> bool {
        self.points >= MANY_POINTS && matches!(error, CliError::Spec(SpecError::SharedMemory { .. }))
    }

    /// The words that hold points.
    pub(super) const fn word_name(&self) -> &'static str {
        if self.prime >> 32 == 0 { "u32" } else { "u64" }
    }

    pub(super) fn class_name(&self) -> &'static str {
        ResidueClass::of(self.prime).name()
    }
}

impl fmt::Display for BatchedTransform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { prime, points, wrap, direction } = self;
        write!(f, "transform {} {} {prime} ", self.word_name(), self.class_name())?;
        write!(f, "points={points} {wrap:?} {direction:?}")
    }
}

/// Every prime with every kind at every other length up to 2^17 and at 2^17, one kind at 2^20, and two primes at 2^24. Small:
/// every kind at one length each, and the two launches of a long transform.
pub(super) fn cases(small: bool) -> Vec<BatchedTransform> {
    let mut cases = vec![];
    for (i, prime) in PRIMES.into_iter().enumerate() {
        let mut add = |log2: u32, kinds: &[(Wrap, Direction)]| {
            for &(wrap, direction) in kinds {
                let case = BatchedTransform { prime, points: 1 << log2, wrap, direction };
                // Some fields have no roots for the longest ones.
                if case.plan().is_ok() {
                    cases.push(case);
                }
            }
        };
        let one_kind = &KINDS[i % 4..=i % 4];
        if small {
            add([4, 10, 7, 9, 6, 11, 10, 8, 5][i], &KINDS);
            add(if prime >> 32 == 0 { 16 } else { 14 }, one_kind);
            continue;
        }
        (4..=17)
            .filter(|log2| (*log2 as usize + i).is_multiple_of(2) || *log2 == 17)
            .for_each(|log2| add(log2, &KINDS));
        add(20, one_kind);
        if i % 4 == 2 {
            add(24, &KINDS[1..=1]);
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use limbforge_kernels_gen::Limits;
    use limbforge_kernels_gen::ntt::render_transform;

    use super::*;

    #[test]
    fn every_class_meets_every_kind_and_length() {
        let all = cases(false);
        let classes: HashSet<_> = all.iter().map(BatchedTransform::class_name).collect();
        assert_eq!(classes.len(), ResidueClass::ALL.len());
        for class in classes {
            for kind in KINDS {
                let mine = all.iter().filter(|case| case.class_name() == class);
                let lengths: HashSet<_> =
                    mine.filter(|case| (case.wrap, case.direction) == kind).map(|case| case.points).collect();
                assert!(lengths.len() >= 7, "{class} {kind:?}: {lengths:?}");
            }
        }
        for log2 in (4..=17).chain([20, 24]) {
            for word in ["u32", "u64"] {
                let meets = |case: &BatchedTransform| case.points == 1 << log2 && case.word_name() == word;
                assert!(all.iter().any(meets), "2^{log2} points of {word}");
            }
        }
        assert!(all.len() < 330, "{}", all.len());
        assert!(cases(true).len() == 5 * PRIMES.len());
    }

    #[test]
    fn all_render_and_small_ones_on_the_smallest_gpu() {
        for case in cases(false).into_iter().filter(|case| case.points <= 1 << 17) {
            let plan = case.plan().unwrap();
            render_transform(&plan, &Limits::SM_90).unwrap();
            if let Err(error) = render_transform(&plan, &Limits::SM_75) {
                assert!(case.may_refuse(&error.into()), "{case}");
            }
        }
    }
}
