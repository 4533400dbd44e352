//! Batched transforms: every class of residues, forward and inverse, cyclic and negacyclic.

use limbforge::algos::transform::ntt::{Direction, Wrap};
use limbforge::field::DynField;
use limbforge_kernels_gen::Limits;
use limbforge_kernels_gen::ntt::{ResidueClass, TransformPlan, TransformSpec};

use super::{Case, CliError, Task};

/// Transforms of one length over one field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchedTransform {
    pub(crate) prime: u64,
    pub(crate) points: u32,
    pub(crate) wrap: Wrap,
    pub(crate) direction: Direction,
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

/// A prime of each class with roots of order 3 2^k.
const PRIMES_3: [u64; 8] =
    [PRIMES[0], 786_433, PRIMES[2], PRIMES[4], PRIMES[5], 3_458_764_513_691_566_081, PRIMES[7], PRIMES[8]];

const KINDS: [(Wrap, Direction); 4] = [
    (Wrap::Cyclic, Direction::Forward),
    (Wrap::Negacyclic, Direction::Inverse),
    (Wrap::Cyclic, Direction::Inverse),
    (Wrap::Negacyclic, Direction::Forward),
];

/// Points from which on blocks may have too little shared memory on other GPUs.
pub(super) const MANY_POINTS: u32 = 1 << 21;

impl BatchedTransform {
    pub(crate) fn field(&self) -> Result<DynField, CliError> {
        DynField::new(self.prime).map_err(|error| CliError::Field(error.to_string()))
    }

    /// The plan that every program gets.
    pub(super) fn plan(&self, limits: &Limits) -> Result<TransformPlan, CliError> {
        let spec = TransformSpec::new(&self.field()?, self.points, self.wrap, self.direction)?;
        Ok(TransformPlan::for_limits(spec, limits)?)
    }
}

impl From<BatchedTransform> for Case {
    fn from(case: BatchedTransform) -> Self {
        let BatchedTransform { prime, points, wrap, direction } = case;
        let (word, class) = (if prime >> 32 == 0 { "u32" } else { "u64" }, ResidueClass::of(prime).name());
        Self {
            name: format!("transform {word} {class} {prime} points={points} {wrap:?} {direction:?}"),
            key: ["transform", word, class],
            size: points,
            task: Task::Transform(case),
        }
    }
}

/// Every prime with every kind at every other length up to 2^17 and at 2^17, one kind at 2^20, two primes at
/// 2^24; then lengths of 3 2^k. Small: every kind at one length each, and a transform of two launches.
pub(super) fn cases(small: bool) -> Vec<BatchedTransform> {
    let mut cases = vec![];
    for (i, prime) in PRIMES.into_iter().enumerate() {
        let one_kind = &KINDS[i % 4..=i % 4];
        if small {
            add(&mut cases, prime, 1 << [4, 10, 7, 9, 6, 11, 10, 8, 5][i], &KINDS);
            add(&mut cases, prime, if prime >> 32 == 0 { 1 << 16 } else { 1 << 14 }, one_kind);
            continue;
        }
        for log2 in (4..=17).filter(|log2| (log2 + i).is_multiple_of(2) || *log2 == 17) {
            add(&mut cases, prime, 1 << log2, &KINDS);
        }
        add(&mut cases, prime, 1 << 20, one_kind);
        if i % 4 == 2 {
            add(&mut cases, prime, 1 << 24, &KINDS[1..=1]);
        }
    }
    for (i, prime) in PRIMES_3.into_iter().enumerate() {
        if small {
            add(&mut cases, prime, 3 << [4, 5, 6, 7, 8, 9, 10, 8][i], &KINDS[i % 4..=i % 4]);
            continue;
        }
        for log2 in (4..=15).filter(|log2| (log2 + i).is_multiple_of(2)) {
            // Every other length has both forward transforms, the others both inverse ones.
            let kinds = [[KINDS[0], KINDS[3]], [KINDS[1], KINDS[2]]];
            add(&mut cases, prime, 3 << log2, &kinds[log2 / 2 % 2]);
        }
    }
    cases
}

/// Adds transforms over a field, if it has roots for them.
fn add(cases: &mut Vec<BatchedTransform>, prime: u64, points: u32, kinds: &[(Wrap, Direction)]) {
    let case = |&(wrap, direction)| BatchedTransform { prime, points, wrap, direction };
    cases.extend(kinds.iter().map(case).filter(|case| case.plan(&Limits::SM_90).is_ok()));
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use limbforge_kernels_gen::ntt::render_transform;

    use super::*;

    #[test]
    fn every_class_meets_every_kind_and_length() {
        let all = cases(false);
        let class_of = |case: &BatchedTransform| ResidueClass::of(case.prime).name();
        let classes: HashSet<_> = all.iter().map(class_of).collect();
        assert_eq!(classes.len(), ResidueClass::ALL.len());
        for class in classes {
            for kind in KINDS {
                let mine = all.iter().filter(|case| class_of(case) == class);
                let lengths: HashSet<_> =
                    mine.filter(|case| (case.wrap, case.direction) == kind).map(|case| case.points).collect();
                let three = lengths.iter().filter(|points| points.is_multiple_of(3)).count();
                assert!(lengths.len() >= 10 && three >= 3, "{class} {kind:?}: {lengths:?}");
            }
        }
        for log2 in (4..=17).chain([20, 24]) {
            for is_short in [false, true] {
                let meets =
                    |case: &BatchedTransform| case.points == 1 << log2 && (case.prime >> 32 == 0) == is_short;
                assert!(all.iter().any(meets), "2^{log2} points");
            }
        }
        assert!(all.len() < 420, "{}", all.len());
        assert_eq!(cases(true).len(), 5 * PRIMES.len() + PRIMES_3.len());
    }

    #[test]
    fn all_but_the_longest_render_on_every_gpu() {
        for case in cases(false).into_iter().filter(|case| case.points <= 1 << 17) {
            for limits in [Limits::SM_90, Limits::SM_75] {
                render_transform(&case.plan(&limits).unwrap(), &limits).unwrap();
            }
        }
    }
}
