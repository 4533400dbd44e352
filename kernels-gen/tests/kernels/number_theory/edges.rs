//! Operands at the edges of the definitions: zeros, ones, negative numbers, equal operands.
//! `algos/tests/all/operations.rs` has the same of the CPU backend and the oracle.

use limbforge_limb::IntType;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::{BigInt, BigUint};

use super::check_operands;

/// All triples of these, as residues of the type.
fn triples(ty: IntType) -> Vec<[BigUint; 3]> {
    let modulus = BigInt::from(1) << ty.bits();
    let number = |value: i32| ((BigInt::from(value) + &modulus) % &modulus).magnitude().clone();
    let numbers = [-4, -1, 0, 1, 2, 15].map(number);
    let pairs = numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b)));
    pairs.flat_map(|(a, b)| numbers.iter().map(move |c| [a.clone(), b.clone(), c.clone()])).collect()
}

macro_rules! edges {
    ($($name:ident: $text:literal;)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            for (ty, q) in sample($text, [("u64", 2), ("i131", 3)], 1) {
                let ty: IntType = ty.parse().unwrap();
                let triples = triples(ty);
                let operands: Vec<[&BigUint; 3]> = triples.iter().map(<[BigUint; 3]>::each_ref).collect();
                check_operands($text, ty, q, &operands);
            }
        }
    )*};
}

edges! {
    quotients_of_edges: "a / b";
    exact_quotients_of_edges: "div_exact(a, b)";
    divisible_by_0: "divisible(a, b)";
    wide_quotients_of_edges: "div_wide(a, b, c)";
    gcd_of_zeros: "gcd(a, b)";
    lcm_of_zeros: "lcm(a, b)";
    xgcd_of_zeros: "xgcd_x(a, b) ^ (xgcd_y(a, b) << 7)";
    jacobi_of_edges: "jacobi(a, b)";
    modinv_of_edges: "modinv(a, b)";
    modinv2k_of_edges: "modinv2k(a)";
    powmod_of_edges: "powmod(a, b, c)";
    residues_of_edges: "addmod(a, b, c) ^ submod(a, b, c)";
    mulmod_of_edges: "mulmod(a, b, c)";
    to_mont_of_edges: "to_mont(a, b)";
    from_mont_of_edges: "from_mont(a, b)";
    mont_mul_of_edges: "mont_mul(a, b, c)";
    mont_reduce_of_edges: "mont_reduce(a, b, c)";
    isqrt_of_edges: "isqrt(a)";
    isqrt_rem_of_edges: "isqrt_rem(a)";
    root_of_edges: "root(a, b)";
    tests_of_edges: "is_square(a) + 2 * is_perfect_power(a) + 4 * is_prime(a)";
    strong_probable_primes_of_edges: "is_strong_probable_prime(a, b)";
    insert_beyond_the_width: "insert(a, b, c + 60, 15) ^ insert(b, a, c, c)";
}
