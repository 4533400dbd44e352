//! Squares: half the steps, or the lower half of them.

use limbforge_kernels_gen::tensor::{MulTensorSpec, Squaring};
use limbforge_needs::needs;

use super::{U32, check_some, check_spec, spec, unsigned};

#[needs(cxx)]
#[test]
fn squares_take_half_the_steps() {
    // Three, four and more groups; several warps.
    let widths = [(18_000, 2), (24_000, 1), (24_576, 1), (32_768, 2), (49_152, 1), (65_536, 1)];
    check_some("squares", &widths, |bits| {
        let spec = spec(unsigned(bits), U32, true);
        assert!(spec.plan.squaring.squares, "{spec}");
        spec
    });
    // Two groups, of what is planned by the lower half.
    for (bits, instances, tiles_per_pass) in [(10_000, 2, 5), (12_288, 2, 6), (16_384, 1, 8)] {
        let spec = spec(unsigned(bits), U32, true);
        let mut plan = spec.plan;
        (plan.schedule.tiles_per_pass, plan.squaring) = (tiles_per_pass, Squaring { squares: true, half: 0 });
        check_spec(&MulTensorSpec { plan, ..spec }, instances);
    }
    assert!(!spec(unsigned(4096), U32, true).plan.squaring.squares);
    assert!(!spec(unsigned(8192), U32, false).plan.squaring.squares);
}

#[needs(cxx)]
#[test]
fn squares_of_few_tiles_are_products_by_their_lower_half() {
    // The upper half begins with a load of four words, of two, of one; one tile, two, three and four, and up
    // to sixteen as quads.
    let widths = [
        (1024, 9),
        (1000, 5),
        (768, 5),
        (520, 4),
        (544, 3),
        (2048, 9),
        (1100, 5),
        (1300, 2),
        (1536, 5),
        (3072, 2),
        (4096, 3),
        (3001, 2),
        (5000, 2),
        (6144, 2),
        (7200, 1),
        (8192, 3),
        (10_000, 1),
        (14_000, 1),
        (16_384, 2),
    ];
    check_some("squares by halves", &widths, |bits| {
        let spec = spec(unsigned(bits), U32, true);
        assert!(spec.plan.squaring.half > 0 && !spec.plan.squaring.squares, "{spec}");
        spec
    });
    assert_eq!(spec(unsigned(512), U32, true).plan.squaring.half, 0);
    assert_eq!(spec(unsigned(8192), U32, false).plan.squaring.half, 0);
}
