//! Factors that are found, and where they are known from.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

use super::{Case, mersenne, number};
use crate::primality::is_prime;

/// lcm(1, ..., bound)
fn lcm_to(bound: u32) -> BigInt {
    (1..=bound).fold(BigInt::one(), |product, k| product.lcm(&k.into()))
}

/// The tests of `-param 3` in GMP-ECM's `test.gpuecm`: which curves find a factor in stage 1.
pub(super) fn elliptic_curves() -> Vec<Case> {
    let curve = |n: BigInt, ty: &str, bound: u32, sigma: &[u32], factors: Vec<BigInt>| {
        Case::new("GMP-ECM's tests of -param 3", sigma.len())
            .input("N", ty, [n])
            .input("s", &format!("u{}", 2 * bound), [lcm_to(bound)])
            .input("sigma", "u32", sigma.iter().copied())
            .result("factor", factors)
    };
    let fifth = (BigInt::from(5).pow(139) + 1) / 6;
    vec![
        curve(
            number("458903930815802071188998938170281707063809443792768383215233"),
            "u200",
            125,
            &[227],
            vec![number("5422968571")],
        ),
        curve(mersenne(349), "u352", 587, &[279], vec![number("1779973928671")]),
        // The second of these curves finds no factor.
        curve(
            fifth,
            "u321",
            1000,
            &[2_829_874_052, 9_829_216],
            vec![number("172694671812043"), BigInt::one()],
        ),
        curve(mersenne(1018), "u1024", 4, &[92], vec![BigInt::from(3057)]),
    ]
}

/// A prime q with q - 1 = 2 * 3 * 5 * 7 * 11 * 13 * 1009 k, which only the second stage finds.
pub(super) fn less_one() -> Vec<Case> {
    let step = 2 * 3 * 5 * 7 * 11 * 13 * 1009_u64;
    let q = (1..).map(|k| k * step + 1).find(|&q| is_prime(q));
    let q = q.unwrap_or_else(|| panic!("there is a prime in the progression"));
    let primes: Vec<u64> = (53..60_000).filter(|&n| is_prime(n)).take(1001).collect();
    let gaps = primes.windows(2).map(|pair| (pair[1] - pair[0]) / 2);
    vec![
        Case::new("a factor whose p - 1 has one prime between the bounds", 2)
            .input("N", "u128", [mersenne(89) * q, mersenne(89)])
            .input("s", "u80", [lcm_to(50)])
            .input("first", "u64", [53_u64])
            .array("gaps", "u32", 1000, gaps)
            .result("g1", [1_u32, 1])
            .result("g2", [q, 1]),
    ]
}

/// The smaller of two Mersenne primes.
pub(super) fn rho() -> Vec<Case> {
    let (small, large) = (mersenne(31), mersenne(61));
    let mut case = Case::new("products of two Mersenne primes, and an even number", 3)
        .input("N", "u96", [&small * &large, mersenne(19) * &small, 10.into()])
        .input("c", "u32", [1_u32])
        .result("g", [small, mersenne(19), BigInt::ZERO]);
    case.failures = vec![(2, "EVEN")];
    vec![case]
}
