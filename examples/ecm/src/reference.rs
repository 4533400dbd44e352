//! Curves on the CPU, one by one: what the programs are tested against, and what tells apart factors that an engine
//! finds all at once.

use limbforge::field::primes;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;

/// A point of a curve: X and Z.
pub type Point = (BigUint, BigUint);

/// The curve 2 b y^2 = x^3 + a x^2 + x modulo N with (a + 2) / 4 = sigma / 2^32, of which P = (2 : 1) is a point.
#[derive(Clone, Debug)]
pub struct Curve {
    n: BigUint,
    d: BigUint,
}

impl Curve {
    /// The curve of a sigma. N is odd.
    #[must_use]
    pub fn new(n: &BigUint, sigma: u32) -> Self {
        let inverse = (BigUint::one() << 32_u32).modinv(n).unwrap_or_default();
        Self { n: n.clone(), d: inverse * sigma % n }
    }

    fn sub(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a + &self.n - b % &self.n) % &self.n
    }

    /// 2 P
    #[must_use]
    pub fn double(&self, (x, z): &Point) -> Point {
        let (p, m) = ((x + z).pow(2) % &self.n, self.sub(x, z).pow(2) % &self.n);
        let t = self.sub(&p, &m);
        (&p * &m % &self.n, &t * (&m + &self.d * &t) % &self.n)
    }

    /// P + Q, if `difference` is P - Q.
    #[must_use]
    pub fn add(&self, (x, z): &Point, (u, w): &Point, difference: &Point) -> Point {
        let (p, m) = (self.sub(x, z) * (u + w) % &self.n, (x + z) * self.sub(u, w) % &self.n);
        let (sum, rest) = (&p + &m, self.sub(&p, &m));
        (&difference.1 * sum.pow(2) % &self.n, &difference.0 * rest.pow(2) % &self.n)
    }

    /// k P for k of at least 1, by Montgomery's ladder.
    #[must_use]
    pub fn multiple(&self, point: &Point, k: &BigUint) -> Point {
        let (mut a, mut b) = (point.clone(), self.double(point));
        for i in (0..k.bits().saturating_sub(1)).rev() {
            let sum = self.add(&a, &b, point);
            (a, b) = if k.bit(i) { (sum, self.double(&b)) } else { (self.double(&a), sum) };
        }
        a
    }

    /// The first common divisor with N, other than 1, that stage 1 meets from prime to prime; None if it meets none.
    /// Primes that different bounds find come one after the other.
    #[must_use]
    pub fn first_factor(&self, b1: u32) -> Option<BigUint> {
        let mut point = (BigUint::from(2_u8), BigUint::one());
        for q in primes::up_to(b1) {
            let mut power = u64::from(q);
            while power <= b1.into() {
                point = self.multiple(&point, &q.into());
                let factor = point.1.gcd(&self.n);
                if !factor.is_one() {
                    return Some(factor);
                }
                power *= u64::from(q);
            }
        }
        None
    }

    /// What a stage 2 of these giant steps m D and baby steps j finds: the common divisor of N with the product of
    /// X(m D Q) Z(j Q) - X(j Q) Z(m D Q) and of all Z, for Q = (x : 1).
    #[must_use]
    pub fn stage2(&self, x: &BigUint, step: u32, first: u32, giants: u32) -> BigUint {
        let point = (x.clone(), BigUint::one());
        let of = |k: u32| self.multiple(&point, &k.into());
        let baby: Vec<Point> = (1..step / 2).filter(|j| j.gcd(&step) == 1).map(of).collect();
        let step = of(step);
        let mut product = BigUint::one();
        for (_, z) in &baby {
            product = product * z % &self.n;
        }
        for m in first..first + giants {
            let (x, z) = self.multiple(&step, &m.into());
            product = product * &z % &self.n;
            for (u, w) in &baby {
                product = product * self.sub(&(&x * w), &(u * &z)) % &self.n;
            }
            // What N divides stays 0: the common divisor is N then.
        }
        product.gcd(&self.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of a curve modulo p takes each point to the neutral element; multiples agree with sums.
    #[test]
    fn multiples_are_those_of_a_group() {
        let n = BigUint::from(1_000_003_u32);
        let curve = Curve::new(&n, 77);
        let p = (BigUint::from(2_u8), BigUint::one());
        let of = |k: u32| curve.multiple(&p, &k.into());
        let x = |(x, z): Point| z.modinv(&n).map(|inverse| x * inverse % &n);
        for (a, b) in [(2_u32, 1_u32), (7, 3), (100, 41), (1000, 999)] {
            assert_eq!(x(curve.add(&of(a), &of(b), &of(a - b))), x(of(a + b)), "{a} {b}");
            assert_eq!(x(curve.multiple(&of(a), &b.into())), x(of(a * b)), "{a} {b}");
        }
        let order = (998_000..1_002_100).find(|&k| x(of(k)).is_none());
        assert!(order.is_some(), "an order in Hasse's interval, or a multiple of the point's");
    }

    /// 10000019 * 100000190000000000039: curves of B1 = 200 find the first factor, as the guide to programs has it.
    #[test]
    fn small_factors_are_found() {
        let n = BigUint::parse_bytes(b"1000001900000000000390000741", 10).unwrap();
        let found: Vec<BigUint> =
            (1..=20).filter_map(|sigma| Curve::new(&n, sigma).first_factor(200)).collect();
        assert_eq!(found, vec![BigUint::from(10_000_019_u32); 4]);
    }
}
