//! a P + b Q.

use limbforge::num_bigint::BigUint;

use crate::curve::{Curve, Point};

/// The coefficients modulo n of a point a P + b Q.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The coefficient of P.
    pub a: BigUint,
    /// The coefficient of Q.
    pub b: BigUint,
}

impl Combination {
    /// Pseudorandom coefficients of at most so many bits from a seed and a name, by BLAKE3: the same for all time.
    /// Neither is 0.
    #[must_use]
    pub fn derived(curve: &Curve, seed: u64, name: &str, bits: u64) -> Self {
        let number = |of: &str| {
            let number = derived(&curve.n, seed, &format!("{name} {of}"));
            if bits < curve.n.bits() {
                (number >> (curve.n.bits() - bits)) | BigUint::from(1_u32)
            } else {
                number
            }
        };
        Self { a: number("P"), b: number("Q") }
    }

    /// The point.
    #[must_use]
    pub fn point(&self, curve: &Curve) -> Point {
        let (p, q) = (Some(curve.base.clone()), Some(curve.target.clone()));
        curve.add(&curve.times(&self.a, &p), &curve.times(&self.b, &q))
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self, n: &BigUint) -> Self {
        Self { a: (&self.a + &other.a) % n, b: (&self.b + &other.b) % n }
    }

    /// The combination of k times the point.
    #[must_use]
    pub fn times(&self, k: &BigUint, n: &BigUint) -> Self {
        Self { a: &self.a * k % n, b: &self.b * k % n }
    }

    /// The combination of the negative point.
    #[must_use]
    pub fn negative(&self, n: &BigUint) -> Self {
        Self { a: (n - &self.a) % n, b: (n - &self.b) % n }
    }

    /// The k with Q = k P if both are combinations of one point; None if both have the same multiple of Q.
    #[must_use]
    pub fn logarithm(&self, other: &Self, n: &BigUint) -> Option<BigUint> {
        let (left, right) = ((&self.a + n - &other.a) % n, (&other.b + n - &self.b) % n);
        Some(left * right.modinv(n)? % n)
    }
}

/// The points 2^i P and 2^i Q.
#[derive(Clone, Debug)]
pub struct Powers([Vec<Point>; 2]);

impl Powers {
    /// Those for coefficients of at most so many bits.
    #[must_use]
    pub fn new(curve: &Curve, bits: u64) -> Self {
        let powers = |point: &(BigUint, BigUint)| {
            let doubles = std::iter::successors(Some(Some(point.clone())), |point| Some(curve.double(point)));
            doubles.take(usize::try_from(bits).unwrap_or(usize::MAX)).collect()
        };
        Self([powers(&curve.base), powers(&curve.target)])
    }

    /// The point of a combination with coefficients of so many bits: a sum of half of them.
    #[must_use]
    pub fn point(&self, curve: &Curve, combination: &Combination) -> Point {
        let coefficients = [&combination.a, &combination.b];
        let bits = self.0.iter().zip(coefficients).flat_map(|(powers, k)| {
            powers.iter().zip(0..).filter(|(_, i)| k.bit(*i)).map(|(point, _)| point)
        });
        bits.fold(None, |sum, point| curve.add(&sum, point))
    }
}

/// A number from 1 to n - 1.
#[must_use]
pub fn derived(n: &BigUint, seed: u64, name: &str) -> BigUint {
    let mut hash = blake3::Hasher::new_derive_key("limbforge ecdlp 2026 numbers from a seed");
    hash.update(&seed.to_le_bytes()).update(name.as_bytes());
    // 128 bits more than n: the numbers are uniform for all purposes.
    let mut bytes = vec![0; usize::try_from(n.bits()).unwrap_or(usize::MAX).div_ceil(8) + 16];
    hash.finalize_xof().fill(&mut bytes);
    BigUint::from_bytes_le(&bytes) % (n - 1_u32) + 1_u32
}
