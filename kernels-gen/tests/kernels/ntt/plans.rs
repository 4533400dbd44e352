//! Plans: which launches, for how much shared memory, and what is refused.

use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_field::DynField;
use limbforge_kernels_gen::ntt::{
    ResidueClass, TransformPass, TransformPlan, TransformSpec, render_transform,
};
use limbforge_kernels_gen::{Limits, SpecError};

use super::{KINDS, PRIMES_3, spec};
use crate::common::TRANSFORM_PRIMES;

#[test]
fn plans_are_whole_or_columns_and_rows() {
    for (p, _) in TRANSFORM_PRIMES.into_iter().chain(PRIMES_3) {
        let adicity = (p - 1).trailing_zeros();
        let with_three = (4..=adicity.min(22)).filter(|_| (p - 1).is_multiple_of(3));
        let lengths = (4..=adicity.min(24)).map(|k| (1, k)).chain(with_three.map(|k| (3, k)));
        for (odd, log2) in lengths {
            let plan = TransformPlan::new(spec(p, odd << log2, KINDS[0])).unwrap();
            let points: u64 = plan.launches.iter().map(|launch| u64::from(launch.points())).product();
            assert_eq!(points, u64::from(odd) << log2);
            let whole = if p >> 32 == 0 { 15 } else { 13 } - if odd == 3 { 2 } else { 0 };
            assert_eq!(plan.launches.len(), if log2 <= whole { 1 } else { 2 });
            for launch in &plan.launches {
                let geometry = launch.geometry(plan.class);
                assert!(geometry.shared_bytes <= 227 << 10 && geometry.threads <= 1024, "{launch:?}");
                assert_eq!(launch.pass == TransformPass::Whole, plan.launches.len() == 1);
                let [r1, r2, r3] = launch.radices;
                let tasks = [r2 * r3, r1 * r3, r1 * r2];
                assert!(tasks.iter().all(|tasks| tasks.is_multiple_of(launch.threads)), "{launch:?}");
                assert_eq!(launch.tiles() * launch.slots.min(launch.pass.stride()), launch.pass.stride());
            }
        }
    }
}

/// Up to 2^20 points every GPU has a plan, and the one that is measured where that fits.
#[test]
fn plans_for_less_shared_memory() {
    let bytes = |plan: &TransformPlan| {
        plan.launches.iter().map(|launch| launch.geometry(plan.class).shared_bytes).max().unwrap()
    };
    for limits in [Limits::SM_75, Limits::SM_86, Limits::SM_90] {
        for (p, odd) in TRANSFORM_PRIMES.map(|(p, _)| (p, 1)).into_iter().chain(PRIMES_3.map(|(p, _)| (p, 3)))
        {
            let most = if odd == 1 { 20 } else { 18 };
            for log2 in 4..=most.min((p - 1).trailing_zeros()) {
                let spec = spec(p, odd << log2, KINDS[0]);
                let (usual, plan) =
                    (TransformPlan::new(spec).unwrap(), TransformPlan::for_limits(spec, &limits).unwrap());
                assert!(u64::from(bytes(&plan)) <= limits.shared_bytes, "{plan:?}");
                assert!(u64::from(bytes(&usual)) > limits.shared_bytes || plan == usual, "{plan:?}");
                assert!(limits != Limits::SM_90 || plan == usual);
            }
        }
    }
    let spec = spec(2_013_265_921, 1 << 24, KINDS[0]);
    let plan = TransformPlan::for_limits(spec, &Limits::SM_75).unwrap();
    let refused = render_transform(&plan, &Limits::SM_75);
    assert!(matches!(refused, Err(SpecError::SharedMemory { .. })));
}

#[test]
fn what_is_not_there_is_refused() {
    let field = DynField::new(12_289).unwrap();
    let new = |points, wrap| TransformSpec::new(&field, points, wrap, Direction::Forward);
    assert!(new(1 << 12, Wrap::Cyclic).is_ok());
    assert_eq!(
        new(1 << 12, Wrap::Negacyclic),
        Err(SpecError::Points { points: 1 << 12, p: 12_289, adicity: 12 })
    );
    assert!(new(3 << 12, Wrap::Cyclic).is_ok() && new(3 << 12, Wrap::Negacyclic).is_err());
    for points in [0, 8, 24, 100, 5 << 4, 9 << 4, 3 << 13, 3 << 23, 1 << 25] {
        assert!(matches!(new(points, Wrap::Cyclic), Err(SpecError::Points { .. })));
    }
    let spec = new(1 << 8, Wrap::Cyclic).unwrap();
    for columns in [1, 3, 5, 40] {
        let refused = TransformPlan::with_columns(spec, ResidueClass::Lazy32, columns);
        assert!(matches!(refused, Err(SpecError::Columns { .. })), "{columns}");
    }
    for class in [ResidueClass::Signed28, ResidueClass::Special64, ResidueClass::Full64] {
        let refused = TransformPlan::with_columns(spec, class, 0);
        assert!(matches!(refused, Err(SpecError::ResidueClass { .. })), "{class:?}");
    }
}
