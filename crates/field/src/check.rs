//! Conditions on a prime `p = k * 2^n + 1` and its root, checked in constant expressions or at run time, and
//! constants computed from p.

use crate::modular::{mul_mod, pow_mod};
use crate::primality::is_prime;

/// The modulus or the root does not define a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The modulus is 0, 1 or 2.
    #[error("modulus {modulus}: expected an odd prime, 3 or larger")]
    TooSmall {
        /// The modulus.
        modulus: u64,
    },
    /// `k * 2^n + 1` is too large.
    #[error("modulus {k} * 2^{n} + 1: expected a prime below 2^{bits}")]
    TooLarge {
        /// The factor.
        k: u64,
        /// The exponent.
        n: u32,
        /// Bits of the word that stores a residue.
        bits: u32,
    },
    /// The modulus is composite.
    #[error("modulus {modulus} is composite: expected a prime")]
    Composite {
        /// The modulus.
        modulus: u64,
    },
    /// In `k * 2^n + 1`, k is even or n is 0, so n is not the adicity.
    #[error(
        "modulus {k} * 2^{n} + 1: expected an odd k and n of at least 1; move the powers of two of k into n"
    )]
    Split {
        /// The factor.
        k: u64,
        /// The exponent.
        n: u32,
    },
    /// The root is not a residue.
    #[error("root {root}: expected a residue from 1 to {}", modulus - 1)]
    RootRange {
        /// The root.
        root: u64,
        /// The modulus.
        modulus: u64,
    },
    /// The root's order is not 2^n.
    #[error("root {root} modulo {modulus}: expected an element of order 2^{adicity}; {} is one", two_adic_root(*modulus))]
    RootOrder {
        /// The root.
        root: u64,
        /// The modulus, a prime.
        modulus: u64,
        /// n in `k * 2^n + 1`.
        adicity: u32,
    },
}

/// `(k, n)` with `p = k * 2^n + 1` and k odd, for `p >= 2`.
#[must_use]
pub const fn split(p: u64) -> (u64, u32) {
    let n = (p - 1).trailing_zeros();
    ((p - 1) >> n, n)
}

/// `k * 2^n + 1`, where k is odd, n at least 1, and the value below `2^bits`, at most 2^64.
///
/// # Errors
/// [`FieldError::Split`] or [`FieldError::TooLarge`].
pub const fn join(k: u64, n: u32, bits: u32) -> Result<u64, FieldError> {
    if k.is_multiple_of(2) || n == 0 {
        return Err(FieldError::Split { k, n });
    }
    if k.ilog2() + n >= bits {
        return Err(FieldError::TooLarge { k, n, bits });
    }
    Ok((k << n) + 1)
}

/// Checks that `p` is an odd prime.
///
/// # Errors
/// [`FieldError::TooSmall`] or [`FieldError::Composite`].
pub const fn check_prime(p: u64) -> Result<(), FieldError> {
    match p {
        0..=2 => Err(FieldError::TooSmall { modulus: p }),
        _ if !is_prime(p) => Err(FieldError::Composite { modulus: p }),
        _ => Ok(()),
    }
}

/// Checks that `root` has order exactly 2^n modulo the odd prime `p = k * 2^n + 1`: its 2^(n-1)-th power is
/// -1.
///
/// # Errors
/// [`FieldError::RootRange`] or [`FieldError::RootOrder`].
pub const fn check_root(p: u64, root: u64) -> Result<(), FieldError> {
    if root == 0 || root >= p {
        return Err(FieldError::RootRange { root, modulus: p });
    }
    let (_, adicity) = split(p);
    if pow_mod(root, 1 << (adicity - 1), p) != p - 1 {
        return Err(FieldError::RootOrder { root, modulus: p, adicity });
    }
    Ok(())
}

/// An element of order exactly 2^n modulo the odd prime `p = k * 2^n + 1`: `a^k` for the least non-square a.
#[must_use]
pub const fn two_adic_root(p: u64) -> u64 {
    least_power(p, 2, split(p).0).1
}

/// An element of order 3 modulo the odd prime p, or `None` if 3 does not divide p - 1: `a^((p-1)/3)` for the
/// least non-cube a.
#[must_use]
pub const fn cube_root_of_unity(p: u64) -> Option<u64> {
    if p % 3 == 1 { Some(least_power(p, 3, (p - 1) / 3).1) } else { None }
}

/// (a, `a^exponent`) for the least a that is not a q-th power modulo the prime p, q a prime factor of p - 1.
pub(crate) const fn least_power(p: u64, q: u64, exponent: u64) -> (u64, u64) {
    let mut a = 2;
    while pow_mod(a, (p - 1) / q, p) == 1 {
        a += 1;
    }
    (a, pow_mod(a, exponent, p))
}

/// An element of order exactly `order` modulo the prime `p = k * 2^n + 1`, from `root`, an element of order
/// 2^n. `order` must be `2^bits` or `3 * 2^bits` and divide p - 1; otherwise the result is `None`. The square
/// of the root of an even order is the root of half that order, and the cube of the root of order
/// `3 * 2^bits` is the root of order `2^bits`.
pub(crate) const fn root_of_unity(p: u64, root: u64, order: u64) -> Option<u64> {
    if order == 0 || !(p - 1).is_multiple_of(order) {
        return None;
    }
    let bits = order.trailing_zeros();
    let two_adic = pow_mod(root, 1 << (split(p).1 - bits), p);
    match (order >> bits, cube_root_of_unity(p)) {
        (1, _) => Some(two_adic),
        (3, Some(cubic)) => {
            // The inverse of 3 modulo 2^bits is (2^bits + 1)/3 or (2^(bits+1) + 1)/3, whichever is an
            // integer.
            let third = ((1_u128 << (bits + bits.is_multiple_of(2) as u32)) + 1) / 3;
            // The exponent 2^bits mod 3 makes the square of each root the root of half its order.
            let exponent = 1 + bits as u64 % 2;
            Some(mul_mod(pow_mod(two_adic, third as u64, p), pow_mod(cubic, exponent, p), p))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_and_joins() {
        assert_eq!((split(3), split(7), split(17)), ((1, 1), (3, 1), (1, 4)));
        assert_eq!((join(29, 57, 64), join(3, 30, 32)), (Ok(4_179_340_454_199_820_289), Ok(3_221_225_473)));
        assert_eq!(join(4, 3, 64), Err(FieldError::Split { k: 4, n: 3 }));
        assert_eq!(join(0, 3, 64), Err(FieldError::Split { k: 0, n: 3 }));
        assert_eq!(join(7, 0, 64), Err(FieldError::Split { k: 7, n: 0 }));
        assert_eq!(join(3, 31, 32), Err(FieldError::TooLarge { k: 3, n: 31, bits: 32 }));
        assert_eq!(join(3, u32::MAX - 1, 64), Err(FieldError::TooLarge { k: 3, n: u32::MAX - 1, bits: 64 }));
    }

    #[test]
    fn roots_have_their_order() {
        for p in (3..2000).filter(|&p| is_prime(p)) {
            let order = |a: u64| (1..p).find(|&e| pow_mod(a, e, p) == 1);
            let (_, n) = split(p);
            assert_eq!(order(two_adic_root(p)), Some(1 << n), "{p}");
            let right =
                (1..p).filter(|&root| check_root(p, root).is_ok()).all(|root| order(root) == Some(1 << n));
            assert!(right, "{p}");
            assert_eq!(cube_root_of_unity(p).map(order), (p % 3 == 1).then_some(Some(3)), "{p}");
        }
    }

    #[test]
    fn messages_say_what_to_do() {
        let error = check_root(3_221_225_473, 12).unwrap_err().to_string();
        assert!(
            error.starts_with("root 12 modulo 3221225473: expected an element of order 2^30; "),
            "{error}"
        );
        assert_eq!(check_prime(15).unwrap_err().to_string(), "modulus 15 is composite: expected a prime");
        assert_eq!(check_prime(2), Err(FieldError::TooSmall { modulus: 2 }));
        assert_eq!(check_root(7, 7), Err(FieldError::RootRange { root: 7, modulus: 7 }));
    }
}
