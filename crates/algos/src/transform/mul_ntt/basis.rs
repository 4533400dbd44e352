//! The eight primes, with constants and tables of roots modulo them.

use std::sync::{LazyLock, OnceLock};

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x8};
use limbforge_field::check::two_adic_root;
use limbforge_field::modular::{inv_mod_prime, mul_mod, pow_mod};
use limbforge_field::primality::is_prime;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::invariant::broken_invariant;

/// Most levels of a transform: the least adicity of the primes.
pub(super) const MAX_DEPTH: u32 = 20;

/// The number of primes: doubles in the widest vector register.
pub(super) const PRIMES: usize = 8;

/// The eight largest primes `k * 2^20 + 1` below 2^50. Their product P is just below 2^400.
pub(super) const P: [u64; PRIMES] = {
    let mut primes = [0; PRIMES];
    let (mut i, mut p) = (0, (1_u64 << 50) + 1);
    while i < PRIMES {
        p -= 1 << MAX_DEPTH;
        if is_prime(p) {
            primes[i] = p;
            i += 1;
        }
    }
    primes
};

/// Bits of the parts that the recombination cuts numbers into.
pub(super) const PART_BITS: u32 = 24;

/// One number modulo each of the eight primes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Residues(pub(super) [f64; PRIMES]);

impl Residues {
    pub(super) const ZERO: Self = Self([0.0; PRIMES]);

    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> f64x8<S> {
        f64x8::from_slice(simd, &self.0)
    }

    #[inline(always)]
    pub(super) fn store<S: Simd>(&mut self, value: f64x8<S>) {
        value.store_slice(&mut self.0);
    }
}

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

/// Residues in `0..p` as residues of least magnitude.
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

/// The square roots that split `x^(2m) - r^2` into `x^m - r` and `x^m + r` down to `depth` levels, at most
/// [`MAX_DEPTH`]: `roots[j]` splits the j-th polynomial of each level; `roots[2j]` is a square root of
/// `roots[j]`, `roots[2j + 1]` of its negative. These `2^(depth - 1)` powers of a root of unity in
/// bit-reversed order serve all levels. Each depth is computed once.
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
    let (root, adicity) = (two_adic_root(p), (p - 1).trailing_zeros());
    let mut powers = vec![1];
    for level in 0..bits {
        // Of order 2^(level + 2): its odd powers are between the powers so far.
        let w = pow_mod(root, 1 << (adicity - level - 2), p);
        powers.extend_from_within(..);
        for power in &mut powers[1 << level..] {
            *power = mul_mod(*power, w, p);
        }
    }
    powers
}
