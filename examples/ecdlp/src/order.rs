//! Random curves of prime order.
//!
//! The order of a curve lies in Hasse's interval p + 1 - 2 sqrt(p) .. p + 1 + 2 sqrt(p). A number N of the interval
//! with N R = O for a point R is found by baby steps and giant steps. If N is prime, it is the order of R and divides
//! that of the curve, which is N itself, as 2 N lies above the interval.

use std::collections::HashMap;

use limbforge::num_bigint::BigUint;

use crate::combination::derived;
use crate::curve::{Curve, Point};
use crate::error::EcdlpError;
use crate::file::is_prime;

/// Bits of the primes that are searched.
pub const BITS: std::ops::RangeInclusive<u32> = 16..=72;

/// A curve of prime order over a random prime of so many bits, and two random points.
///
/// # Errors
/// [`EcdlpError::Usage`] for too many or too few bits.
pub fn random_curve(bits: u32, seed: u64) -> Result<Curve, EcdlpError> {
    if !BITS.contains(&bits) {
        let (least, most) = (BITS.start(), BITS.end());
        return Err(EcdlpError::Usage(format!("expected {least} to {most} bits, found {bits}")));
    }
    let p = prime(bits, seed);
    let curves = (0..).map(|i| curve_over(&p, seed, i));
    let with_order = |mut curve: Curve| {
        curve.n = order(&curve)?;
        // An anomalous curve has easier logarithms.
        (curve.n != curve.p).then_some(curve)
    };
    let found = curves.filter(has_odd_order).find_map(with_order);
    let Some(mut curve) = found else { unreachable!("an endless search") };
    let k = derived(&curve.n, seed, "the logarithm");
    if let Some(target) = curve.times(&k, &Some(curve.base.clone())) {
        curve.target = target;
    }
    Ok(curve)
}

/// A random prime with exactly so many bits.
#[must_use]
pub fn prime(bits: u32, seed: u64) -> BigUint {
    let half = BigUint::from(1_u32) << (bits - 1);
    let number = |i: u32| derived(&half, seed, &format!("prime {i}")) | (&half + 1_u32);
    let mut candidates = (0..).map(number);
    candidates.find(|p| p.bits() == u64::from(bits) && is_prime(p)).unwrap_or_default()
}

/// A curve over the prime p with a random a through a random point; its n is not known, and 0. There is another one
/// for each i.
#[must_use]
pub fn curve_over(p: &BigUint, seed: u64, i: u32) -> Curve {
    let number = |name: &str| derived(p, seed, &format!("curve {i} {name}"));
    let (a, x, y) = (number("a"), number("x"), number("y"));
    let right = (&x * &x * &x + &a * &x) % p;
    let b = (&y * &y + p - right) % p;
    let (base, name, p) = ((x, y), format!("random-{}-{seed}", p.bits()), p.clone());
    Curve { name, p, a, b, n: BigUint::ZERO, target: base.clone(), base }
}

/// Whether x^3 + a x + b has no root modulo p, so that no point is its own negative: gcd(x^p - x, cubic) = 1.
fn has_odd_order(curve: &Curve) -> bool {
    let Curve { p, a, b, .. } = curve;
    // Polynomials of degree 2 modulo the cubic; x^3 = -a x - b, x^4 = -a x^2 - b x.
    let product = |f: &[BigUint; 3], g: &[BigUint; 3]| {
        let mut c: [BigUint; 5] = Default::default();
        for (i, s) in f.iter().enumerate() {
            for (j, t) in g.iter().enumerate() {
                c[i + j] = (&c[i + j] + s * t) % p;
            }
        }
        let [c0, c1, c2, c3, c4] = c;
        let minus = |x: BigUint, y: BigUint| curve.minus(&x, &(y % p));
        [minus(c0, &c3 * b), minus(minus(c1, &c3 * a), &c4 * b), minus(c2, &c4 * a)]
    };
    let (zero, one) = (BigUint::ZERO, BigUint::from(1_u32));
    let x = [zero.clone(), one.clone(), zero.clone()];
    let mut power = [one, zero.clone(), zero];
    for i in (0..p.bits()).rev() {
        power = product(&power, &power);
        if p.bit(i) {
            power = product(&power, &x);
        }
    }
    power[1] = curve.minus(&power[1], &1_u32.into());
    // The roots of the cubic are those of x^p - x. Its norm is the product of its values at all roots.
    let columns = [power.clone(), product(&power, &x), product(&product(&power, &x), &x)];
    let minor = |r: usize, s: usize| {
        curve.minus(&(&columns[1][r] * &columns[2][s] % p), &(&columns[1][s] * &columns[2][r] % p))
    };
    let [d0, d1, d2] = &columns[0];
    let norm = d0 * minor(1, 2) + d1 * minor(2, 0) + d2 * minor(0, 1);
    norm % p != BigUint::ZERO
}

/// The order of the curve if it is prime; None if it is not, or not found by its base.
fn order(curve: &Curve) -> Option<BigUint> {
    let base: Point = Some(curve.base.clone());
    let middle = &curve.p + 1_u32;
    let width = curve.p.sqrt() * 2_u32 + 1_u32;
    // N = middle + i (2 s + 1) + j with abs(j) <= s: baby steps j, giant steps i.
    let s = (&width * 2_u32).sqrt() / 2_u32 + 1_u32;
    let s = u64::try_from(&s).ok()?;
    let mut baby: HashMap<BigUint, u64> = HashMap::new();
    let mut point = None;
    for j in 1..=s {
        point = curve.add(&point, &base);
        // A base of a tiny order is of no use.
        let (x, _) = point.as_ref()?;
        baby.insert(x.clone(), j);
    }
    let stride = BigUint::from(2 * s + 1);
    let giant = curve.times(&stride, &base);
    let back = curve.negative(&giant);
    let count = u64::try_from(&(&width / &stride)).ok()? + 1;
    let (mut up, mut down) = (curve.times(&middle, &base), curve.times(&middle, &base));
    for i in 0..=count {
        for (at, sign) in [(&up, 1), (&down, -1)] {
            let offset = &stride * i;
            let center = if sign > 0 { &middle + offset } else { &middle - offset };
            let near = match at {
                None => vec![center],
                Some((x, _)) => baby.get(x).map_or(vec![], |&j| vec![&center - j, &center + j]),
            };
            for n in near {
                let is_near = if n > middle { &n - &middle <= width } else { &middle - &n <= width };
                if is_near && curve.times(&n, &base).is_none() {
                    return is_prime(&n).then_some(n);
                }
            }
        }
        (up, down) = (curve.add(&up, &giant), curve.add(&down, &back));
    }
    None
}
