//! Greatest common divisors and modular inverses.

use limbforge_algos::cpu::Why;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::{check, wrapped};

fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn inverse(a: &BigInt, m: &BigInt) -> Result<BigInt, Why> {
    let m = m.abs();
    if m.is_zero() {
        return Err(Why::DivisionByZero);
    }
    if m.is_one() {
        return Ok(BigInt::zero());
    }
    a.modinv(&m).ok_or(Why::NoInverse)
}

#[test]
fn divisors_and_inverses_of_any_count_limb_and_type() {
    for ty in ["u64", "u96", "i128", "u129", "u256", "i333", "u1024", "i2049"] {
        for count in [1, 3, 8, 9, 16, 21, 60] {
            check::<u64>("gcd(a, b)", ty, count, |a, b| Ok(gcd(a, b)));
            check::<u64>("modinv(a, b)", ty, count, inverse);
            check::<u64>("lcm(a, b)", ty, count, |a, b| {
                let divisor = gcd(a, b);
                Ok(if divisor.is_zero() { divisor } else { a.abs() / divisor * b.abs() })
            });
        }
        check::<u32>("gcd(a, b)", ty, 41, |a, b| Ok(gcd(a, b)));
        check::<u128>("gcd(a, b)", ty, 41, |a, b| Ok(gcd(a, b)));
        check::<u32>("modinv(a, b)", ty, 41, inverse);
        check::<u128>("modinv(a, b)", ty, 41, inverse);
    }
}

/// Common divisors of half the bits, and powers of two.
#[test]
fn long_common_divisors() {
    check::<u64>("gcd((a >> 520) * (b >> 520), (b >> 520) * ((a >> 521) + 1))", "u1024", 60, |a, b| {
        let (x, y, z): (BigInt, BigInt, BigInt) = (a >> 520, b >> 520, (a >> 521) + 1);
        Ok(gcd(&(&x * &y), &(&y * &z)))
    });
    check::<u64>("gcd((a >> 100) << 77, (b >> 90) << 80)", "u256", 60, |a, b| {
        let [x, y]: [BigInt; 2] = [(a >> 100) << 77, (b >> 90) << 80];
        let modulus = BigInt::one() << 256;
        Ok(gcd(&(x % &modulus), &(y % &modulus)))
    });
}

/// Even moduli and odd numbers, which are exchanged; and numbers that are not smaller than the modulus.
#[test]
fn inverses_modulo_even_numbers() {
    for ty in ["u128", "i256", "u1024"] {
        check::<u64>("modinv(a | 1, b << 1)", ty, 60, |a, b| {
            let (odd, even) = (a | BigInt::one(), b << 1);
            inverse(&odd, &wrapped(even, ty.parse().unwrap()))
        });
    }
}
