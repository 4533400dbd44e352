//! Arithmetic modulo a number of up to 64 bits by `%`, in constant expressions: the reference of every
//! reduction, and the check of a prime at compile time.

/// `a * b mod m`.
///
/// # Panics
/// If `m` is 0.
#[must_use]
pub const fn mul_mod(a: u64, b: u64, m: u64) -> u64 {
    (a as u128 * b as u128 % m as u128) as u64
}

/// `base^exponent mod m`, by binary exponentiation.
///
/// # Panics
/// If `m` is 0.
#[must_use]
pub const fn pow_mod(base: u64, exponent: u64, m: u64) -> u64 {
    let mut power = base % m;
    let mut result = 1 % m;
    let mut rest = exponent;
    while rest > 0 {
        if rest & 1 == 1 {
            result = mul_mod(result, power, m);
        }
        power = mul_mod(power, power, m);
        rest >>= 1;
    }
    result
}

/// The inverse of `a` modulo a prime `p`, by Fermat: `a^(p-2)`.
///
/// # Panics
/// If `p` is less than 2.
#[must_use]
pub const fn inv_mod_prime(a: u64, p: u64) -> u64 {
    pow_mod(a, p - 2, p)
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration, which doubles the number of correct bits.
/// It starts at 2 - a: as `a (2 - a) = 1 - (a - 1)^2`, this has twice as many correct bits as a - 1 has
/// factors 2.
#[inline]
#[must_use]
pub const fn inv_mod_word(a: u64) -> u64 {
    let mut inverse = 2_u64.wrapping_sub(a);
    let mut right = 2 * (a - 1).trailing_zeros();
    while right < u64::BITS {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(a.wrapping_mul(inverse)));
        right *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn inverses_modulo_a_word(half in 0..=u64::MAX / 2, zeros in 0_u32..63) {
            let a = (half << zeros << 1) | 1;
            prop_assert_eq!(a.wrapping_mul(inv_mod_word(a)), 1);
        }

        #[test]
        fn powers_equal_num_bigint(base: u64, exponent: u64, m in 1u64..) {
            let expected = BigUint::from(base).modpow(&exponent.into(), &m.into());
            prop_assert_eq!(BigUint::from(pow_mod(base, exponent, m)), expected);
        }
    }
}
