//! Common divisors, roots and primality on integers without bound, by their definitions.

use limbforge_algos::cpu::Why;
use limbforge_algos::op::class::{Gcd, Primality, Root};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Euclid, One, Signed, ToPrimitive, Zero};

use super::definition::{fails_if, truth};

pub(super) fn divisor(op: Gcd, [x, y]: [&BigInt; 2]) -> Result<BigInt, Why> {
    Ok(match op {
        Gcd::Gcd => gcd(x, y),
        Gcd::Lcm if x.is_zero() || y.is_zero() => BigInt::zero(),
        Gcd::Lcm => (x * y / gcd(x, y)).abs(),
        Gcd::XgcdX => xgcd(x, y).0,
        Gcd::XgcdY => xgcd(x, y).1,
        Gcd::Jacobi => fails_if(!y.bit(0), Why::EvenModulus).map(|()| jacobi(x, y.magnitude()).into())?,
    })
}

pub(super) fn root_or_power(op: Root, args: &[&BigInt]) -> Result<BigInt, Why> {
    let x = args[0];
    Ok(match op {
        Root::Isqrt => fails_if(x.is_negative(), Why::Negative).map(|()| x.sqrt())?,
        Root::IsqrtRem => fails_if(x.is_negative(), Why::Negative).map(|()| x - x.sqrt().pow(2))?,
        Root::IsSquare => truth(!x.is_negative() && x.sqrt().pow(2) == *x),
        Root::Root => {
            let k = args[1];
            fails_if(!k.is_positive(), Why::NoDegree)?;
            fails_if(x.is_negative() && !k.bit(0), Why::Negative)?;
            root(x, k.to_u32().unwrap_or(u32::MAX))
        }
        Root::IsPerfectPower => truth(is_perfect_power(x)),
    })
}

pub(super) fn primality(op: Primality, args: &[&BigInt]) -> bool {
    match op {
        Primality::IsPrime => !args[0].is_negative() && is_prime(args[0].magnitude()),
        Primality::IsStrongProbablePrime => is_strong_probable_prime(args[0], args[1]),
    }
}

/// The greatest common divisor by Euclid's algorithm.
fn gcd(x: &BigInt, y: &BigInt) -> BigInt {
    let (mut x, mut y) = (x.magnitude().clone(), y.magnitude().clone());
    while !y.is_zero() {
        (x, y) = (y.clone(), x % y);
    }
    x.into()
}

/// The coefficients of the greatest common divisor that are in the documented range: from x modulo |y| / g,
/// by its definition as the inverse of |x| / g.
#[must_use]
pub fn xgcd(x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
    let (a, b) = (x.abs(), y.abs());
    let (s, t) = if b.is_zero() {
        (truth(!a.is_zero()), BigInt::zero())
    } else {
        let g = gcd(&a, &b);
        let (a, b) = (&a / &g, &b / &g);
        // Modulo 1 there is 0; of b = 2, 1 is taken, which is half of it.
        let inverse = if b.is_one() { BigInt::zero() } else { (&a % &b).modinv(&b).unwrap_or_default() };
        let s = if &inverse * 2 > b { inverse - &b } else { inverse };
        let t = (BigInt::one() - &s * a) / b;
        (s, t)
    };
    let sign = |negative: bool| if negative { -BigInt::one() } else { BigInt::one() };
    (s * sign(x.is_negative()), t * sign(y.is_negative()))
}

/// The Jacobi symbol `(x / n)` for odd n: Handbook of Applied Cryptography, algorithm 2.149.
#[must_use]
pub fn jacobi(x: &BigInt, n: &BigUint) -> i8 {
    let n = BigInt::from(n.clone());
    let (mut a, mut n, mut symbol) = (x.rem_euclid(&n), n, 1);
    let low = |x: &BigInt, m: u8| (x % m).to_u8().unwrap_or_default();
    while !a.is_zero() {
        while !a.bit(0) {
            a >>= 1;
            symbol = if matches!(low(&n, 8), 3 | 5) { -symbol } else { symbol };
        }
        symbol = if low(&a, 4) == 3 && low(&n, 4) == 3 { -symbol } else { symbol };
        (a, n) = (n % &a, a);
    }
    if n.is_one() { symbol } else { 0 }
}

/// The root rounded down, for odd k of negative numbers too.
fn root(x: &BigInt, k: u32) -> BigInt {
    let magnitude = x.magnitude();
    let root = if u64::from(k) > magnitude.bits() {
        BigUint::from(u8::from(!magnitude.is_zero()))
    } else {
        magnitude.nth_root(k)
    };
    // A root of 0 or 1 is exact for every k.
    let exact = root == *magnitude || u64::from(k) <= magnitude.bits() && root.pow(k) == *magnitude;
    let up = BigUint::from(u8::from(x.is_negative() && !exact));
    BigInt::from_biguint(if x.is_negative() { Sign::Minus } else { Sign::Plus }, root + up)
}

/// Whether x is a k-th power for some k from 2 on, odd for a negative x: all k are tried.
#[must_use]
pub fn is_perfect_power(x: &BigInt) -> bool {
    let magnitude = x.magnitude();
    let (first, step) = if x.is_negative() { (3, 2) } else { (2, 1) };
    magnitude.bits() <= 1
        || (first..=magnitude.bits() as u32).step_by(step).any(|k| magnitude.nth_root(k).pow(k) == *magnitude)
}

/// Whether n is a strong probable prime to the bases 2 to 59 and to four above 100, by num-bigint's powers: known pseudoprimes are so to
/// all bases below 100.
#[must_use]
pub fn is_prime(n: &BigUint) -> bool {
    let n = BigInt::from(n.clone());
    (2..60_u32).chain([101, 103, 107, 109]).all(|base| is_strong_probable_prime(&n, &base.into()))
}

/// Whether n is a strong probable prime to the base, by the definition.
#[must_use]
pub fn is_strong_probable_prime(n: &BigInt, base: &BigInt) -> bool {
    let two = BigInt::from(2);
    if *n <= two || !n.bit(0) {
        return *n == two;
    }
    let base = base.rem_euclid(n);
    let less: BigInt = n - 1;
    let s = less.trailing_zeros().unwrap_or_default();
    let power = base.modpow(&(&less >> s), n);
    base.is_zero() || power.is_one() || (0..s).any(|r| power.modpow(&(BigInt::one() << r), n) == less)
}
