//! Transforms: the conformance suite on preset fields, and plans as data.

use limbforge_algos::transform::ntt::{Direction, NttPlan, Radix, Wrap};
use limbforge_field::presets::{
    BabyBear, F167772161, F268582913, F268664833, F268730369, F268779521, F268861441, F469762049, F998244353,
    F1107296257, F1711276033, F1811939329, F2113929217, Goldilocks, KoalaBear, PrimeField32, PrimeField64,
};
use limbforge_testing::conformance_ntt;

conformance_ntt!(prime_field_32: PrimeField32);
conformance_ntt!(prime_field_64: PrimeField64);
conformance_ntt!(goldilocks: Goldilocks);
conformance_ntt!(baby_bear: BabyBear);
conformance_ntt!(koala_bear: KoalaBear);
conformance_ntt!(f998244353: F998244353);
conformance_ntt!(f469762049: F469762049);
conformance_ntt!(f167772161: F167772161);
conformance_ntt!(f2113929217: F2113929217);
conformance_ntt!(f1811939329: F1811939329);
conformance_ntt!(f1711276033: F1711276033);
conformance_ntt!(f1107296257: F1107296257);
conformance_ntt!(f268582913: F268582913);
conformance_ntt!(f268664833: F268664833);
conformance_ntt!(f268730369: F268730369);
conformance_ntt!(f268779521: F268779521);
conformance_ntt!(f268861441: F268861441);

limbforge_field::prime_field! {
    /// A prime of a user, with roots of unity of order 3 * 2^k.
    type Small: u32 = 3 * 2^6 + 1;
}
conformance_ntt!(of_a_user: Small);

#[test]
fn passes_cover_all_points() {
    for points in [1, 2, 3, 4, 6, 8, 12, 96, 1 << 13, 3 << 10] {
        let plan = NttPlan::new(points, Wrap::Cyclic).unwrap();
        let forward: Vec<_> = plan.passes(Direction::Forward).collect();
        let mut inverse: Vec<_> = plan.passes(Direction::Inverse).collect();
        inverse.reverse();
        assert_eq!(forward, inverse);
        assert_eq!(forward.iter().map(|pass| pass.radix as usize).product::<usize>(), points);
        let mut block = points;
        for pass in &forward {
            assert_eq!(pass.block, block);
            block /= pass.radix as usize;
        }
        let mut positions: Vec<usize> = (0..points).map(|j| plan.position(j)).collect();
        positions.sort_unstable();
        assert!(positions.into_iter().eq(0..points));
    }
}

#[test]
fn a_plan_is_radix_3_then_4_then_2() {
    let plan = NttPlan::new(24, Wrap::Cyclic).unwrap();
    let radices: Vec<Radix> = plan.passes(Direction::Forward).map(|pass| pass.radix).collect();
    assert_eq!(radices, [Radix::Three, Radix::Four, Radix::Two]);
}
