//! Greatest common divisors of odd numbers of one and two words, by the binary algorithm (Stein 1967): the smaller
//! number is subtracted from the larger one, and the zeros below are shifted out of the difference.
//!
//! A step waits for the one before, and its conditions are unpredictable. On x86-64 both differences are computed, and
//! the flags of one of them choose, where compilers make a number of the flag first. Nanoseconds for random numbers of
//! 64 and 128 bits on AMD's Zen 4: 43 and 123, in Rust 55 and 172.

/// `gcd(a, b)` of odd words.
///
/// ```
/// assert_eq!(limbforge_limb::slice::gcd::of_odd_words(45, 63), 9);
/// ```
///
/// # Panics
/// If one is even.
#[inline]
#[must_use]
pub fn of_odd_words(a: u64, b: u64) -> u64 {
    assert!(a & b & 1 == 1, "odd words");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    return x86::words(a, b);
    #[allow(unreachable_code, reason = "other processors and the feature `portable`")]
    words(a, b)
}

/// `gcd(a, b)` of odd numbers of two words.
///
/// ```
/// assert_eq!(limbforge_limb::slice::gcd::of_odd_pairs(45 << 64 | 45, 63 << 64 | 63), 9 << 64 | 9);
/// ```
///
/// # Panics
/// If one is even.
#[inline]
#[must_use]
pub fn of_odd_pairs(a: u128, b: u128) -> u128 {
    assert!(a & b & 1 == 1, "odd numbers");
    let (mut a, mut b) = (a, b);
    loop {
        #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
        let (x, y) = x86::pairs(a, b);
        #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"), not(miri))))]
        let (x, y) = pairs(a, b);
        if (x | y) >> 64 == 0 {
            return of_odd_words(x as u64, y as u64).into();
        }
        if x == y {
            return x;
        }
        // One word is left of the difference.
        let high = ((x.abs_diff(y)) >> 64) as u64;
        (a, b) = (u128::from(high >> high.trailing_zeros()), x.min(y));
    }
}

/// [`of_odd_words`] in Rust.
#[cfg_attr(
    all(target_arch = "x86_64", not(feature = "portable"), not(miri)),
    allow(dead_code, reason = "tested")
)]
fn words(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a
}

/// Steps until both numbers are words, or their lower words are equal.
#[cfg_attr(
    all(target_arch = "x86_64", not(feature = "portable"), not(miri)),
    allow(dead_code, reason = "tested")
)]
fn pairs(a: u128, b: u128) -> (u128, u128) {
    let (mut a, mut b) = (a, b);
    while (a | b) >> 64 != 0 && a as u64 != b as u64 {
        let difference = a.abs_diff(b);
        (a, b) = (difference >> difference.trailing_zeros(), a.min(b));
    }
    (a, b)
}

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
mod x86 {
    use core::arch::asm;

    /// As [`super::words`].
    #[inline(always)]
    pub(super) fn words(mut a: u64, b: u64) -> u64 {
        // SAFETY: no memory is touched. Differences of odd words are even: steps end when one is 0. `bsf` is not
        // given a 0.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            asm!(
                "2:",
                "mov {x}, {b}", "sub {x}, {a}", "jz 3f",
                "rep bsf rcx, {x}",
                "mov {y}, {a}", "sub {a}, {b}",
                "cmovc {a}, {x}", "cmovc {b}, {y}",
                "shr {a}, cl",
                "jmp 2b",
                "3:",
                a = inout(reg) a, b = inout(reg) b => _, x = out(reg) _, y = out(reg) _, out("rcx") _,
                options(pure, nomem, nostack),
            );
        }
        a
    }

    /// As [`super::pairs`].
    #[inline(always)]
    pub(super) fn pairs(a: u128, b: u128) -> (u128, u128) {
        let [mut a0, mut a1, mut b0, mut b1] = [a as u64, (a >> 64) as u64, b as u64, (b >> 64) as u64];
        // SAFETY: no memory is touched. The lower words differ, so that `bsf` is not given a 0, and the zeros below
        // are fewer than 64. The numbers become smaller until both are words or the lower words are equal.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            asm!(
                "jmp 3f",
                "2:",
                "mov {x0}, {b0}", "sub {x0}, {a0}", "jz 4f",
                "mov {x1}, {b1}", "sbb {x1}, {a1}",
                "rep bsf rcx, {x0}",
                "mov {y0}, {a0}", "sub {a0}, {b0}",
                "mov {y1}, {a1}", "sbb {a1}, {b1}",
                "cmovc {a0}, {x0}", "cmovc {a1}, {x1}",
                "cmovc {b0}, {y0}", "cmovc {b1}, {y1}",
                "shrd {a0}, {a1}, cl", "shr {a1}, cl",
                "3:",
                "mov {x1}, {a1}", "or {x1}, {b1}", "jnz 2b",
                "4:",
                a0 = inout(reg) a0, a1 = inout(reg) a1, b0 = inout(reg) b0, b1 = inout(reg) b1,
                x0 = out(reg) _, x1 = out(reg) _, y0 = out(reg) _, y1 = out(reg) _, out("rcx") _,
                options(pure, nomem, nostack),
            );
        }
        let joined = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        (joined(a1, a0), joined(b1, b0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn euclid(mut a: u128, mut b: u128) -> u128 {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }

    /// Numbers of all lengths around powers of two, with equal words, common factors, and pseudorandom ones.
    fn numbers() -> impl Iterator<Item = u128> + Clone {
        let near = (0..128_u32).flat_map(|k| [(1_u128 << k) - 1, 1 << k, (1 << k) + 1]);
        let random = (1..160_u128).map(|i| {
            let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).rotate_left(47);
            (x >> (7 * i % 128)).wrapping_mul(if i % 3 == 0 { 3 * 5 * 0xffff_fffb } else { 1 })
        });
        let equal_words = (1..9_u128).map(|i| (i * 0x9_8765_4321) << 64 | 0x1_2345_6789_abcd);
        near.chain(random).chain(equal_words).map(|x| x | 1)
    }

    #[test]
    fn divisors_equal_those_of_euclid() {
        for a in numbers() {
            for b in numbers() {
                let expected = euclid(a, b);
                assert_eq!(of_odd_pairs(a, b), expected, "{a:#x} {b:#x}");
                let (a, b) = (a as u64, b as u64);
                let expected = euclid(a.into(), b.into());
                assert_eq!(
                    (of_odd_words(a, b), words(a, b)),
                    (expected as u64, expected as u64),
                    "{a:#x} {b:#x}"
                );
            }
        }
    }

    #[test]
    fn steps_in_rust_end_where_words_begin() {
        for (a, b) in numbers().flat_map(|a| numbers().map(move |b| (a, b))) {
            let (x, y) = pairs(a, b);
            assert!((x | y) >> 64 == 0 || x as u64 == y as u64, "{a:#x} {b:#x}");
            assert_eq!(euclid(x, y), euclid(a, b), "{a:#x} {b:#x}");
        }
    }
}
