//! Products, of rows and by transforms.

use limbforge_field::DynField;
use limbforge_kernels_gen::poly::{PolyMulSpec, PolyNttSpec};
use limbforge_kernels_gen::{Limits, SpecError};
use limbforge_needs::needs;
use limbforge_testing::poly::schoolbook;

use super::{PRIMES, from_words, polynomials, run, some, to_words};

pub(super) fn check_product(p: u64, (n, m, s, threads): (u32, u32, u32, u32), instances: usize) {
    let spec = PolyMulSpec::new(&DynField::new(p).unwrap(), n, m, s, threads).unwrap();
    let (a, b) = (polynomials(instances, n as usize, p, 1), polynomials(instances, m as usize, p, 2));
    let program = spec.program(&Limits::SM_90).unwrap();
    let words = run(&program, &[&to_words(&a, p), &to_words(&b, p)], instances);
    let found = from_words(&words, p);
    assert_eq!(found.len(), instances * spec.terms() as usize);
    for (i, found) in found.chunks(spec.terms() as usize).enumerate() {
        let of = |all: &[u64], len: u32| all[i * len as usize..][..len as usize].to_vec();
        let expected = schoolbook::product(&of(&a, n), &of(&b, m), p);
        assert_eq!(schoolbook::trimmed(found.to_vec()), expected, "instance {i} of {spec}");
    }
}

#[needs(cxx)]
#[test]
fn products() {
    let shapes =
        [(1, 1, 1, 32), (70, 50, 2, 32), (200, 37, 4, 32), (33, 90, 8, 64), (5, 3, 7, 32), (40, 64, 16, 32)];
    for (p, first, second) in some("products of polynomials", &shapes, 2) {
        check_product(p, first, 5);
        check_product(p, second, 4);
    }
}

/// By transforms, of one launch each.
#[needs(cxx)]
#[test]
fn products_by_transforms() {
    let shapes: [(u32, u32, u32); 4] = [(1, 1, 16), (40, 25, 64), (50, 47, 96), (200, 30, 256)];
    for (i, p) in [2_013_265_921, 3_221_225_473, 0xffff_ffff_0000_0001, 4_179_340_454_199_820_289]
        .into_iter()
        .enumerate()
    {
        let (n, m, points) = shapes[i];
        let field = DynField::new(p).unwrap();
        let spec = PolyNttSpec::new(&field, n, m).unwrap();
        let points = if (p - 1) % 3 == 0 { points } else { points.next_power_of_two() };
        assert_eq!((spec.points(), spec.terms()), (points, n + m - 1));
        let (a, b) = (polynomials(4, n as usize, p, 1), polynomials(4, m as usize, p, 2));
        let program = spec.program(&Limits::SM_90).unwrap();
        let words = run(&program, &[&to_words(&a, p), &to_words(&b, p)], 4);
        for (i, found) in from_words(&words, p).chunks(spec.terms() as usize).enumerate() {
            let of = |all: &[u64], len: u32| all[i * len as usize..][..len as usize].to_vec();
            let expected = schoolbook::product(&of(&a, n), &of(&b, m), p);
            assert_eq!(schoolbook::trimmed(found.to_vec()), expected, "instance {i} of {spec}");
        }
    }
    let field = DynField::new(97).unwrap();
    assert!(matches!(PolyNttSpec::new(&field, 100, 100), Err(SpecError::Points { .. })));
}

/// Seventeen rows: the last one has no partner in most steps.
#[needs(cxx)]
#[test]
fn products_of_rows_without_partner() {
    check_product(PRIMES[0], (20, 17, 1, 32), 4);
    check_product(PRIMES[6], (9, 33, 2, 32), 4);
}
