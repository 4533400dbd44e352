//! Constants and tables of roots modulo the eight primes.

use std::sync::{LazyLock, OnceLock};

use limbforge_field::modular::{inv_mod_prime, mul_mod, pow_mod};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::primes::{MAX_DEPTH, P, PART_BITS, PRIMES};
use super::residues::Residues;
use crate::invariant::broken_invariant;

/// P and each P/p in signed parts of 24 bits, |part| <= 2^23, least significant first: two vectors of eight.
pub(super) type Parts = [Residues; 2];

/// Constants modulo the primes.
#[derive(Debug)]
pub(super) struct Basis {
    pub(super) primes: Residues,
    /// 1/p, rounded.
    pub(super) inverses: Residues,
    /// 2^48, 2^96 and 2^144.
    pub(super) powers: [Residues; 3],
    /// 1/2.
    pub(super) half: Residues,
    /// The inverse of P/p modulo p.
    pub(super) cofactor_inverses: Residues,
    /// P/p for each p.
    pub(super) cofactors: [Parts; PRIMES],
    /// P without its highest part.
    pub(super) product: Parts,
    /// The highest part of P, the seventeenth.
    pub(super) product_top: f64,
}

/// The constants, computed once.
pub(super) static BASIS: LazyLock<Basis> = LazyLock::new(|| {
    let product: BigUint = P.iter().map(|&p| BigUint::from(p)).product();
    let (product_parts, product_top) = parts(&product);
    let cofactor =
        |p: u64| (&product / p % p).to_u64().unwrap_or_else(|| broken_invariant("a residue fits a word"));
    Basis {
        primes: Residues(P.map(|p| p as f64)),
        inverses: Residues(P.map(|p| 1.0 / p as f64)),
        powers: [48, 96, 144].map(|bits| residues(P.map(|p| pow_mod(2, bits, p)))),
        half: residues(P.map(|p| p.div_ceil(2))),
        cofactor_inverses: residues(P.map(|p| inv_mod_prime(cofactor(p), p))),
        cofactors: P.map(|p| parts(&(&product / p)).0),
        product: product_parts,
        product_top,
    }
});

/// The number with these residues in `0..p`, as residues of least magnitude.
fn residues(values: [u64; PRIMES]) -> Residues {
    Residues(core::array::from_fn(|i| match (values[i], P[i]) {
        (value, p) if value > p / 2 => -((p - value) as f64),
        (value, _) => value as f64,
    }))
}

/// Sixteen signed parts and the seventeenth.
fn parts(value: &BigUint) -> (Parts, f64) {
    let mut parts = [Residues::ZERO; 2];
    let mut rest = value.clone();
    for part in parts.iter_mut().flat_map(|half| &mut half.0) {
        let low =
            (&rest % (1_u32 << PART_BITS)).to_u32().unwrap_or_else(|| broken_invariant("a part fits a word"));
        rest >>= PART_BITS;
        let carry = low > 1 << (PART_BITS - 1);
        *part = f64::from(low) - if carry { f64::from(1_u32 << PART_BITS) } else { 0.0 };
        rest += u32::from(carry);
    }
    (parts, rest.to_u32().map_or_else(|| broken_invariant("seventeen parts suffice"), f64::from))
}

/// The square roots that split `x^(2m) - r^2` into `x^m - r` and `x^m + r` down to `depth` levels: `roots[j]`
/// splits the j-th polynomial of each level, whose square root it is; `roots[2j]` is a root of `roots[j]`,
/// `roots[2j + 1]` of its negative. These are the powers of a root of unity in bit-reversed order, so that
/// all levels share one table. `2^(depth - 1)` entries; computed once for each depth. The depth is at most
/// 20, the adicity of the primes.
pub(super) fn roots(depth: u32) -> &'static [Residues] {
    static TABLES: [OnceLock<Box<[Residues]>>; MAX_DEPTH as usize + 1] =
        [const { OnceLock::new() }; MAX_DEPTH as usize + 1];
    TABLES[depth as usize].get_or_init(|| {
        let columns = P.map(|p| powers_in_bit_reversed_order(p, depth.saturating_sub(1)));
        (0..columns[0].len()).map(|j| residues(columns.each_ref().map(|column| column[j]))).collect()
    })
}

/// `w^reversed(j)` mod p for `j < 2^bits`, w of order `2^(bits + 1)`.
fn powers_in_bit_reversed_order(p: u64, bits: u32) -> Vec<u64> {
    let root = root_of_full_order(p);
    let mut powers = vec![1];
    for level in 0..bits {
        // Of order 2^(level + 2): its powers are between those that are there.
        let w = pow_mod(root, 1 << (MAX_DEPTH - level - 2), p);
        powers.extend_from_within(..);
        for power in &mut powers[1 << level..] {
            *power = mul_mod(*power, w, p);
        }
    }
    powers
}

/// An element of order 2^20: a power of the first number that is no square.
fn root_of_full_order(p: u64) -> u64 {
    let mut candidates = (2..p).map(|g| pow_mod(g, (p - 1) >> MAX_DEPTH, p));
    candidates
        .find(|&root| pow_mod(root, 1 << (MAX_DEPTH - 1), p) == p - 1)
        .unwrap_or_else(|| broken_invariant("half of all numbers are no squares"))
}
