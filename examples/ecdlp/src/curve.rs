//! The group law of y^2 = x^3 + a x + b modulo a prime, with integers of any size.

use limbforge::num_bigint::BigUint;

/// A point, or None at infinity.
pub type Point = Option<(BigUint, BigUint)>;

/// A curve and two points of a group of prime order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The name.
    pub name: String,
    /// The prime.
    pub p: BigUint,
    /// The coefficient of x.
    pub a: BigUint,
    /// The constant coefficient.
    pub b: BigUint,
    /// The order of P, a prime.
    pub n: BigUint,
    /// The base P.
    pub base: (BigUint, BigUint),
    /// Q, of which the logarithm is asked for.
    pub target: (BigUint, BigUint),
}

/// Bits of a word of programs.
const WORD: u32 = 32;
/// Most bits of 2^k - p, moved to the top of the words of p, that kernels have products of their own for.
const CLOSE: u32 = 40;

impl Curve {
    /// The bits of the prime.
    #[must_use]
    pub fn bits(&self) -> u32 {
        u32::try_from(self.p.bits()).unwrap_or(u32::MAX)
    }

    /// The function of programs whose low bits choose a row of the table and distinguished points: the one that
    /// costs nothing. Numbers modulo primes close below a power of two are held as they are, others times a
    /// power of 2^32.
    #[must_use]
    pub fn key_function(&self) -> &'static str {
        let is_close = (CLOSE - self.unused_bits()..self.bits()).all(|i| self.p.bit(i.into()));
        if is_close { "int" } else { "key" }
    }

    /// That function of a residue modulo p.
    #[must_use]
    pub fn key(&self, x: &BigUint) -> BigUint {
        match self.key_function() {
            "int" => x.clone(),
            _ => (x << (self.bits() + self.unused_bits())) % &self.p,
        }
    }

    /// Bits of the words of p above its own.
    fn unused_bits(&self) -> u32 {
        self.bits().next_multiple_of(WORD) - self.bits()
    }

    /// x - y modulo p.
    #[must_use]
    pub fn minus(&self, x: &BigUint, y: &BigUint) -> BigUint {
        if x >= y { x - y } else { x + &self.p - y }
    }

    /// x^3 + a x + b - y^2 modulo p, which is 0 on the curve.
    #[must_use]
    pub fn contains(&self, (x, y): &(BigUint, BigUint)) -> bool {
        x < &self.p && y < &self.p && (x * x * x + &self.a * x + &self.b) % &self.p == y * y % &self.p
    }

    /// The negative of a point.
    #[must_use]
    pub fn negative(&self, point: &Point) -> Point {
        point.as_ref().map(|(x, y)| (x.clone(), self.minus(&BigUint::ZERO, y) % &self.p))
    }

    /// The third point of the line of this slope through (x, y) and a point of this x, mirrored.
    fn third(&self, (x, y): &(BigUint, BigUint), other: &BigUint, slope: &BigUint) -> (BigUint, BigUint) {
        let z = self.minus(&self.minus(&(slope * slope % &self.p), x), other);
        let w = self.minus(&(slope * self.minus(x, &z) % &self.p), y);
        (z, w)
    }

    /// numerator / denominator modulo p; None if the denominator is 0.
    fn quotient(&self, numerator: &BigUint, denominator: &BigUint) -> Option<BigUint> {
        Some(numerator * (denominator % &self.p).modinv(&self.p)? % &self.p)
    }

    /// 2 P, for a point that is not its own negative.
    #[must_use]
    pub fn double(&self, point: &Point) -> Point {
        let (x, y) = point.as_ref()?;
        let slope = self.quotient(&(x * x * 3_u32 + &self.a), &(y * 2_u32))?;
        Some(self.third(&(x.clone(), y.clone()), x, &slope))
    }

    /// The sum of two points.
    #[must_use]
    pub fn add(&self, left: &Point, right: &Point) -> Point {
        let ((x, y), (u, v)) = match (left, right) {
            (None, other) | (other, None) => return other.clone(),
            (Some(left), Some(right)) => (left, right),
        };
        if x == u {
            return if y == v { self.double(left) } else { None };
        }
        let slope = self.quotient(&self.minus(y, v), &self.minus(x, u))?;
        Some(self.third(&(x.clone(), y.clone()), u, &slope))
    }

    /// k times a point.
    #[must_use]
    pub fn times(&self, k: &BigUint, point: &Point) -> Point {
        let mut sum = None;
        for i in (0..k.bits()).rev() {
            sum = self.double(&sum);
            if k.bit(i) {
                sum = self.add(&sum, point);
            }
        }
        sum
    }

    /// Whether k P = Q.
    #[must_use]
    pub fn is_logarithm(&self, k: &BigUint) -> bool {
        self.times(k, &Some(self.base.clone())).as_ref() == Some(&self.target)
    }
}
