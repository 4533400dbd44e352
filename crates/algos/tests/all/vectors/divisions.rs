//! Quotients and remainders.

use limbforge_algos::cpu::Why;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::check;

/// Quotient and remainder, rounded down.
pub(super) fn floor(a: &BigInt, b: &BigInt) -> Result<(BigInt, BigInt), Why> {
    if b.is_zero() {
        return Err(Why::DivisionByZero);
    }
    let (q, r) = (a / b, a % b);
    let is_off = !r.is_zero() && r.is_negative() != b.is_negative();
    Ok(if is_off { (q - 1, r + b) } else { (q, r) })
}

/// Quotient and remainder, towards 0.
fn truncated(a: &BigInt, b: &BigInt) -> Result<(BigInt, BigInt), Why> {
    if b.is_zero() { Err(Why::DivisionByZero) } else { Ok((a / b, a % b)) }
}

#[test]
fn divisions_of_any_count_limb_and_type() {
    let short = ["u64", "u100", "u128", "u192", "u250", "u320", "u512", "u700", "u832"];
    for ty in short.into_iter().chain(["u384", "i400", "u1024", "i1031", "i2048", "u3000"]) {
        for count in [1, 4, 8, 13, 40] {
            check::<u64>("a / b", ty, count, |a, b| Ok(truncated(a, b)?.0));
            check::<u64>("a % b", ty, count, |a, b| Ok(truncated(a, b)?.1));
            check::<u64>("div_floor(a, b)", ty, count, |a, b| Ok(floor(a, b)?.0));
            check::<u64>("rem_floor(a, b)", ty, count, |a, b| Ok(floor(a, b)?.1));
            check::<u64>("a / b * 3 + a % b", ty, count, |a, b| {
                let (q, r) = truncated(a, b)?;
                Ok(q * 3 + r)
            });
        }
        for count in [13, 40] {
            check::<u32>("div_floor(a, b)", ty, count, |a, b| Ok(floor(a, b)?.0));
            check::<u128>("rem_floor(a, b)", ty, count, |a, b| Ok(floor(a, b)?.1));
            check::<u64>("rem_euclid(a, b)", ty, count, |a, b| Ok(floor(a, &b.abs())?.1));
            check::<u64>("div_exact(a, b)", ty, count, |a, b| {
                let (q, r) = truncated(a, b)?;
                if r.is_zero() { Ok(q) } else { Err(Why::NotDivisible) }
            });
        }
    }
}

/// Divisors of all lengths, in runs of one length and alone, with quotients of none to many words.
#[test]
fn quotients_by_divisors_of_any_length() {
    for (ty, half) in
        [("u256", 128), ("u640", 320), ("u1024", 512), ("u2048", 1024), ("u4096", 2048), ("u4160", 2080)]
    {
        for count in [1, 2, 33, 300] {
            check::<u64>(&format!("a / ((b >> {half}) | 1)"), ty, count, |a, b| {
                Ok(a / ((b >> half) | BigInt::one()))
            });
            check::<u64>(&format!("a % ((b >> {half}) | 1)"), ty, count, |a, b| {
                Ok(a % ((b >> half) | BigInt::one()))
            });
        }
        check::<u32>(&format!("a / ((b >> {half}) | 1)"), ty, 100, |a, b| {
            Ok(a / ((b >> half) | BigInt::one()))
        });
    }
}

/// Numbers of half the bits, so that all quotients are exact.
#[test]
fn exact_divisions() {
    let half = |a: &BigInt| a >> 1024;
    check::<u64>("div_exact((a >> 1024) * ((b >> 1024) + 1), (b >> 1024) + 1)", "u2048", 40, |a, _| {
        Ok(half(a))
    });
}

/// Dividends and divisors that are long enough for vectors in each group of eight neighbours.
#[test]
fn divisions_of_long_neighbours() {
    let operands = |a: &BigInt, b: &BigInt| -> (BigInt, BigInt) {
        ((a >> 2) + (BigInt::one() << 300), (b >> 150) + (BigInt::one() << 130))
    };
    let (a, b) = ("((a >> 2) + (1 << 300))", "((b >> 150) + (1 << 130))");
    for ty in ["u384", "u512", "u1000", "u1024"] {
        for count in [7, 8, 23, 40] {
            check::<u64>(&format!("{a} / {b}"), ty, count, |a, b| {
                let (a, b) = operands(a, b);
                Ok(a / b)
            });
            check::<u64>(&format!("{a} % {b}"), ty, count, |a, b| {
                let (a, b) = operands(a, b);
                Ok(a % b)
            });
            check::<u64>(&format!("{a} / {b} * 3 + {a} % {b}"), ty, count, |a, b| {
                let (a, b) = operands(a, b);
                Ok(&a / &b * 3 + a % b)
            });
            check::<u64>(&format!("mulmod({a}, a, {b})"), ty, count, |a, b| {
                let (x, m) = operands(a, b);
                Ok(x * a % m)
            });
        }
        check::<u32>(&format!("{a} / {b} * 3 + {a} % {b}"), ty, 21, |a, b| {
            let (a, b) = operands(a, b);
            Ok(&a / &b * 3 + a % b)
        });
        check::<u128>(&format!("mulmod({a}, a, {b})"), ty, 21, |a, b| {
            let (x, m) = operands(a, b);
            Ok(x * a % m)
        });
    }
}
