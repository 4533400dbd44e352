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

/// Shifts of [`halvings`]: entries stay at or below `2^31`, two of which share a word.
pub const HALVINGS: u32 = 31;

/// Steps of the binary algorithm on numbers of which the upper and the lower bits are known: x and y, y odd, have those
/// above [`HALVINGS`] and those below them. The larger one becomes the difference, and zeros below are shifted out,
/// [`HALVINGS`] of them. Returns `((m00, m01), (m10, m11))` with
///
/// ```text
/// 2^31 (x', y') = (m00 x - m01 y, m11 y - m10 x)
/// ```
///
/// for the numbers with these lower bits. A row has a sum of at most `2^31`. Where upper bits that are not known decide
/// which number is the larger one, a result may be negative. One of the results is odd.
///
/// ```
/// use limbforge_limb::slice::gcd::halvings;
/// let [[m00, m01], [m10, m11]] = halvings(0x1234_5678_9abc_def0, 0x1234_5678_9abc_def1);
/// assert_eq!((m00 * 0x1abc_def0).wrapping_sub(m01 * 0x1abc_def1) % (1 << 31), 0);
/// assert_eq!((m11 * 0x1abc_def1).wrapping_sub(m10 * 0x1abc_def0) % (1 << 31), 0);
/// ```
///
/// # Panics
/// If y is even.
#[inline]
#[must_use]
pub fn halvings(x: u64, y: u64) -> [[u64; 2]; 2] {
    assert!(y & 1 == 1, "an odd number");
    let rows = if x == 0 {
        [1, 1 << (32 + HALVINGS)]
    } else {
        #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
        let rows = x86::halvings(x, y);
        #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"), not(miri))))]
        let rows = rows_of_halvings(x, y);
        rows
    };
    rows.map(|row| [row & u64::from(u32::MAX), row >> 32])
}

/// `x / y` and `x mod y` of words, for numbers that exceed 32 bits: compilers look for shorter ones first, which takes a sixth
/// of the time of Euclid's algorithm.
///
/// ```
/// assert_eq!(limbforge_limb::slice::gcd::div_rem(7 << 40, 2 << 40), (3, 1 << 40));
/// ```
///
/// # Panics
/// If y is 0.
#[inline(always)]
#[must_use]
pub fn div_rem(x: u64, y: u64) -> (u64, u64) {
    assert!(y > 0, "a divisor that is not 0");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    return x86::div_rem(x, y);
    #[allow(unreachable_code, reason = "other processors and the feature `portable`")]
    (x / y, x % y)
}

/// The rows of [`halvings`], `m00 + 2^32 m01` and `m10 + 2^32 m11`, for x that is not 0, in Rust. Differences add
/// magnitudes, as the entries of a row and those of a column have different signs.
#[cfg_attr(
    all(target_arch = "x86_64", not(feature = "portable"), not(miri)),
    allow(dead_code, reason = "tested")
)]
fn rows_of_halvings(x: u64, y: u64) -> [u64; 2] {
    let (mut rows, mut left, mut is_exchanged) = ([1, 1 << 32], HALVINGS, false);
    let (mut x, mut y) = (x, y);
    loop {
        let zeros = x.trailing_zeros();
        if zeros >= left {
            break;
        }
        (x, left) = (x >> zeros, left - zeros);
        rows[1] <<= zeros;
        if x < y {
            (x, y) = (y, x);
            rows.swap(0, 1);
            is_exchanged = !is_exchanged;
        }
        x -= y;
        rows[0] += rows[1];
    }
    rows[1] <<= left;
    if is_exchanged {
        rows.swap(0, 1);
    }
    rows
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

    /// As [`super::div_rem`], for y that is not 0.
    #[inline(always)]
    pub(super) fn div_rem(x: u64, y: u64) -> (u64, u64) {
        let (quotient, rest);
        // SAFETY: no memory is touched. The divisor is not 0, and the quotient of a word fits a word.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            asm!(
                "div {y}",
                y = in(reg) y, inout("rax") x => quotient, inout("rdx") 0_u64 => rest,
                options(pure, nomem, nostack),
            );
        }
        (quotient, rest)
    }

    /// As [`super::rows_of_halvings`].
    #[inline(always)]
    pub(super) fn halvings(mut x: u64, mut y: u64) -> [u64; 2] {
        let [mut first, mut second] = [1_u64, 1 << 32];
        let mut exchanges = 0_u32;
        // SAFETY: no memory is touched. `bsf` is not given a 0: x is not 0 first, and a difference of 0 ends the steps.
        // Each step takes one from the shifts that are left, or more.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            asm!(
                "rep bsf rcx, {x}",
                "2:",
                "cmp ecx, {left:e}", "jae 4f",
                "shr {x}, cl", "shl {second}, cl", "sub {left:e}, ecx",
                "mov {difference}, {y}", "sub {difference}, {x}", "jz 3f",
                "rep bsf rcx, {difference}",
                "mov {less}, {x}", "mov {row}, {first}",
                "sub {x}, {y}",
                "cmovc {x}, {difference}", "cmovc {y}, {less}",
                "cmovc {first}, {second}", "cmovc {second}, {row}",
                "adc {exchanges:e}, 0",
                "add {first}, {second}",
                "jmp 2b",
                "3:",
                "add {first}, {second}",
                "4:",
                "mov ecx, {left:e}", "shl {second}, cl",
                x = inout(reg) x, y = inout(reg) y, first = inout(reg) first, second = inout(reg) second,
                left = inout(reg) super::HALVINGS => _, exchanges = inout(reg) exchanges,
                difference = out(reg) _, less = out(reg) _, row = out(reg) _, out("rcx") _,
                options(pure, nomem, nostack),
            );
        }
        let _ = (x, y);
        if exchanges & 1 == 1 { [second, first] } else { [first, second] }
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
                assert_eq!(div_rem(a, b), (a / b, a % b));
            }
        }
    }

    #[test]
    fn halvings_halve() {
        let words = || numbers().map(|x| x as u64).chain(numbers().map(|x| (x >> 64) as u64));
        let near = |x: u64| [x.wrapping_sub(2), x, x.wrapping_add(1 << 31), x ^ 1 << 63, x.wrapping_mul(3)];
        for (x, y) in words()
            .flat_map(|x| words().flat_map(move |y| near(y).map(|x| (x, y)).into_iter().chain([(x, y)])))
        {
            let (x, y) = (x, y | 1);
            let m = halvings(x, y);
            let [[m00, m01], [m10, m11]] = m;
            assert!(m.iter().all(|row| row.iter().sum::<u64>() <= 1 << 31), "{x:#x} {y:#x}");
            let [x_next, y_next] = [
                m00.wrapping_mul(x).wrapping_sub(m01.wrapping_mul(y)),
                m11.wrapping_mul(y).wrapping_sub(m10.wrapping_mul(x)),
            ];
            assert!((x_next | y_next) % (1 << 31) == 0, "{x:#x} {y:#x}");
            assert!((x_next | y_next) >> 31 & 1 == 1, "{x:#x} {y:#x}");
            // The determinant: each halving has one of 2.
            assert_eq!(m00 * m11 - m01 * m10, 1 << 31, "{x:#x} {y:#x}");
            if x > 0 {
                assert_eq!(m, rows_of_halvings(x, y).map(|row| [row & 0xffff_ffff, row >> 32]));
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
