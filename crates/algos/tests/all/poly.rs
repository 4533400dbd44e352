//! Polynomials: the conformance suite over small, large and run-time primes, and long polynomials against num-bigint.

use limbforge_algos::poly::PolyRing;
use limbforge_algos::transform::context::Context;
use limbforge_field::presets::{BabyBear, Goldilocks, PrimeField32, PrimeField64};
use limbforge_field::{DynElement, DynField};
use limbforge_testing::conformance_poly;
use limbforge_testing::poly::optimised::Optimised;
use num_bigint::BigUint;
use num_traits::Zero;

limbforge_field::prime_field! {
    /// The largest prime below 2^64, with adicity 2.
    type Largest64: u64 = 4_611_686_018_427_387_889 * 2^2 + 1;
    /// The largest prime below 2^32, with adicity 1.
    type Largest32: u32 = 2_147_483_645 * 2^1 + 1, root 4_294_967_290;
    type Three: u32 = 1 * 2^1 + 1;
    type Five: u64 = 1 * 2^2 + 1;
    type Small: u32 = 3 * 2^5 + 1;
}

conformance_poly!(baby_bear: BabyBear);
conformance_poly!(prime_field_32: PrimeField32);
conformance_poly!(prime_field_64: PrimeField64);
conformance_poly!(goldilocks: Goldilocks);
conformance_poly!(largest_64: Largest64);
conformance_poly!(largest_32: Largest32);
conformance_poly!(three: Three);
conformance_poly!(five: Five);
conformance_poly!(small: Small);

const PRIMES: [u64; 4] = [97, 4_294_967_291, 0xffff_ffff_0000_0001, 18_446_744_073_709_551_557];

/// Any residues: a linear congruential generator.
fn residues(len: usize, p: u64, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.rotate_right(23) % p
    };
    (0..len).map(|_| next()).collect()
}

/// The product by one product of num-bigint's integers, with 192 bits for each coefficient.
fn kronecker(a: &[u64], b: &[u64], p: u64) -> Vec<u64> {
    let pack = |a: &[u64]| {
        let words: Vec<u32> = a.iter().flat_map(|&x| [x as u32, (x >> 32) as u32, 0, 0, 0, 0]).collect();
        BigUint::new(words)
    };
    let digits = (pack(a) * pack(b)).to_u32_digits();
    let digit = |digit: &[u32]| {
        let value = BigUint::from_slice(digit) % p;
        value.to_u64_digits().first().copied().unwrap_or(0)
    };
    limbforge_testing::poly::schoolbook::trimmed(digits.chunks(6).map(digit).collect())
}

/// Every rung over every prime for lengths up to 5000 terms on both sides of the crossovers.
#[test]
fn long_products() {
    for p in PRIMES {
        let ring = PolyRing::new(DynField::new(p).unwrap());
        for (n, m) in [(5000, 5000), (5000, 1), (1, 4999), (4097, 96), (3000, 95), (2049, 2048), (1500, 1024)]
        {
            let [a, b] = [residues(n, p, 1), residues(m, p, 2)];
            let expected = kronecker(&a, &b, p);
            let [x, y] = [&a, &b].map(|a| ring.from_integers(a));
            assert_eq!(ring.to_integers(&ring.mul(&x, &y)), expected, "{p}: {n}, {m}");
            assert_eq!(ring.to_integers(&ring.mul_by_integers(&x, &y)), expected, "{p}: {n}, {m}");
            if let Some(product) = ring.mul_by_transform(&x, &y) {
                assert_eq!(ring.to_integers(&product), expected, "{p}: {n}, {m}");
            }
        }
        // All coefficients p - 1: the largest digits.
        let ones = vec![p - 1; 3000];
        let x = ring.from_integers(&ones);
        assert_eq!(ring.to_integers(&ring.mul(&x, &x)), kronecker(&ones, &ones, p), "{p}");
    }
}

type Division = fn(PolyRing<DynField>, &[DynElement], &[DynElement]) -> (Vec<DynElement>, Vec<DynElement>);

/// a = q b + r by num-bigint, for long quotients and long divisors; the rungs agree.
#[test]
fn long_divisions() {
    let rungs: [Division; 4] = [
        |ring, a, b| ring.div_rem(a, b).unwrap(),
        |ring, a, b| ring.div_rem_newton(a, b).unwrap(),
        |ring, a, b| Optimised::new(&ring, 64).div_rem(a, b).unwrap(),
        |ring, a, b| Optimised::new(&ring, 37).div_rem(a, b).unwrap(),
    ];
    for p in PRIMES {
        let ring = PolyRing::new(DynField::new(p).unwrap());
        for (n, m) in [(5000, 600), (2500, 1200), (1300, 1), (2000, 1999), (1500, 200)] {
            let mut b = residues(m, p, 3);
            b[m - 1] = p - 1;
            let a = residues(n, p, 4);
            let [x, y] = [&a, &b].map(|a| ring.from_integers(a));
            for (i, rung) in rungs.iter().enumerate().skip(usize::from(n * m > 2_000_000)) {
                let (quotient, remainder) = rung(ring, &x, &y);
                assert!(remainder.len() < m);
                let back = kronecker(&ring.to_integers(&quotient), &b, p);
                let sum = ring.add(&ring.from_integers(&back), &remainder);
                assert_eq!(sum, x, "{p}: {n} by {m}, rung {i}");
            }
        }
    }
}

/// A dividend whose degree drops by hundreds between steps, and one that divides.
#[test]
fn divisions_with_gaps() {
    let p = 4_294_967_291;
    let ring = PolyRing::new(DynField::new(p).unwrap());
    let mut quotient = vec![0; 1500];
    for (at, value) in [(1499, 5), (1100, 7), (1099, p - 1), (3, 1)] {
        quotient[at] = value;
    }
    let b = residues(700, p, 9);
    let a = kronecker(&quotient, &b, p);
    let [x, y, q] = [&a, &b, &quotient].map(|a| ring.from_integers(a));
    for s in [1, 2, 64, 512, 4000] {
        assert_eq!(Optimised::new(&ring, s).div_rem(&x, &y).unwrap(), (q.clone(), vec![]), "{s}");
    }
    assert_eq!(ring.div_rem(&x, &y).unwrap(), (q, vec![]));
}

/// Common factors that are known, in polynomials of thousands of terms, with blocks on both sides of their limits.
#[test]
fn long_common_divisors() {
    let p = 4_294_967_291;
    let ring = PolyRing::new(DynField::new(p).unwrap());
    for (n, m, common, s) in [
        (1100, 1100, 1, 64),
        (1030, 900, 100, 128),
        (4500, 4400, 500, 64),
        (2500, 20, 300, 64),
        (1025, 1024, 200, 5),
    ] {
        let [a, b, g] = [(n, 5), (m, 6), (common, 7)].map(|(len, seed)| residues(len, p, seed));
        let [x, y, g] = [&kronecker(&a, &g, p), &kronecker(&b, &g, p), &g].map(|a| ring.from_integers(a));
        let expected = ring.monic(&g);
        assert_eq!(Optimised::new(&ring, s).gcd(&x, &y), expected, "{n}, {m}, {common}, {s}");
        assert_eq!(ring.gcd(&y, &x), expected, "{n}, {m}, {common}");
    }
}

/// Polynomials of thousands of terms, with degrees that drop by hundreds.
#[test]
fn divisors_with_gaps() {
    let ring = PolyRing::new(DynField::new(97).unwrap());
    let mut a = vec![0; 4000];
    for (at, value) in [(3999, 1), (2500, 3), (40, 4), (0, 1)] {
        a[at] = value;
    }
    let mut b = vec![0; 1500];
    for (at, value) in [(1499, 2), (1000, 3), (999, 4), (0, 96)] {
        b[at] = value;
    }
    let [x, y] = [&a, &b].map(|a| ring.from_integers(a));
    let g = ring.from_integers(&residues(60, 97, 8));
    let [u, v] = [&x, &y].map(|a| ring.mul(a, &g));
    let expected = ring.mul(&ring.gcd(&x, &y), &ring.monic(&g));
    assert_eq!(Optimised::new(&ring, 32).gcd(&u, &v), expected);
    assert_eq!(ring.gcd(&u, &v), expected);
}

#[test]
fn long_integers() {
    let field = DynField::new(PRIMES[2]).unwrap();
    let ring = PolyRing::new(field);
    let a = ring.from_integers(&residues(4000, PRIMES[2], 11));
    let integer = ring.to_integer(&a, 77).unwrap();
    assert_eq!(ring.from_integer(&integer, 77).unwrap(), a);
    assert_eq!(ring.from_integer(&BigUint::zero(), 77), Ok(vec![]));
    assert_eq!(field.modulus(), Context::modulus(field));
}
