//! Bitwise operations, selection, minimum and maximum: the conformance suite on every limb.

mod on_u32 {
    limbforge_testing::conformance_block!(bits, u32);
}
mod on_u64 {
    limbforge_testing::conformance_block!(bits, u64);
}
mod on_u128 {
    limbforge_testing::conformance_block!(bits, u128);
}

use limbforge_algos::block::map_batch;

#[test]
fn select_takes_whole_instances() {
    let (a, b) = ([1u32, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]);
    let (chosen, _) = map_batch::<u32, (), 2, 3, 2, 2>(2, [&a, &b], |block, [a, b]| {
        (block.select(&[false, true], &a, &b), Vec::new())
    })
    .unwrap();
    assert_eq!(chosen, [7, 8, 9, 4, 5, 6]);
}

#[test]
fn complement_leaves_the_padding_zero() {
    map_batch::<u32, (), 1, 3, 2, 1>(1, [&[0; 3]], |block, [a]| {
        let limbs = block.complement(&a);
        assert_eq!(limbs[..2], [[u32::MAX, u32::MAX], [u32::MAX, 0]]);
        (limbs, Vec::new())
    })
    .unwrap();
}
