//! Greatest common divisors.

use limbforge_field::DynField;
use limbforge_kernels_gen::Limits;
use limbforge_kernels_gen::poly::PolyGcdSpec;
use limbforge_needs::needs;
use limbforge_testing::poly::schoolbook;

use super::{from_words, residues, run, some, to_words};

/// The gcds of instances, by the kernels.
fn kernel_gcds(spec: PolyGcdSpec, a: &[u64], b: &[u64], instances: usize) -> Vec<Vec<u64>> {
    let p = spec.modulus();
    let program = spec.program(&Limits::SM_90).unwrap();
    let words = run(&program, &[&to_words(a, p), &to_words(b, p)], instances);
    let found = from_words(&words, p);
    found.chunks(spec.terms() as usize).map(|found| schoolbook::trimmed(found.to_vec())).collect()
}

pub(super) fn check_gcd(p: u64, (n, m, s, threads): (u32, u32, u32, u32)) {
    let spec = PolyGcdSpec::new(&DynField::new(p).unwrap(), n, m, s, threads).unwrap();
    let (n, m) = (n as usize, m as usize);
    let padded = |mut a: Vec<u64>, len: usize| {
        assert!(a.len() <= len);
        a.resize(len, 0);
        a
    };
    let short = n.min(m);
    let common = residues(short / 3 + 1, p, 5);
    let factor = |len: usize, seed| residues(len - short / 3, p, seed);
    let sparse = |len: usize| (0..len).map(|i| u64::from(i == 0 || i + 1 == len || i == len / 2)).collect();
    let pairs: Vec<(Vec<u64>, Vec<u64>)> = vec![
        (residues(n, p, 1), residues(m, p, 2)),
        (schoolbook::product(&factor(n, 3), &common, p), schoolbook::product(&factor(m, 4), &common, p)),
        (vec![0; n], vec![0; m]),
        (vec![0; n], padded(residues(m / 2, p, 7), m)),
        (padded(residues(n / 2, p, 8), n), vec![0; m]),
        (vec![p - 1; n], vec![p - 1; m]),
        (sparse(n), sparse(m)),
        (padded(vec![1], n), residues(m, p, 9)),
    ];
    let pairs: Vec<_> = pairs.into_iter().map(|(a, b)| (padded(a, n), padded(b, m))).collect();
    let a: Vec<u64> = pairs.iter().flat_map(|pair| pair.0.clone()).collect();
    let b: Vec<u64> = pairs.iter().flat_map(|pair| pair.1.clone()).collect();
    let found = kernel_gcds(spec, &a, &b, pairs.len());
    for (i, ((a, b), found)) in pairs.iter().zip(found).enumerate() {
        assert_eq!(found, schoolbook::gcd(a, b, p), "pair {i} of {spec}");
    }
}

#[needs(cxx)]
#[test]
fn divisors() {
    let shapes = [
        (1, 1, 1, 32),
        (40, 30, 8, 32),
        (90, 90, 16, 64),
        (23, 50, 5, 32),
        (70, 20, 64, 192),
        (33, 32, 3, 32),
        (12, 9, 1, 32),
    ];
    for (p, first, second) in some("divisors of polynomials", &shapes, 2) {
        check_gcd(p, first);
        check_gcd(p, second);
    }
}
