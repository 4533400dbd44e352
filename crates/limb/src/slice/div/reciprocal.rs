//! Inverses of limbs: of 64-bit words by the division of x86-64, elsewhere by a table and products (Moeller
//! and Granlund 2011, algorithm 3), of other limbs by a division of two limbs.

use super::limb::div_two_by_one;
use crate::{base::Base, invariant::broken_invariant};

/// `floor((B^2 - 1) / divisor) - B` for a divisor whose top bit is set.
#[inline]
pub(super) fn inverse<B: Base>(divisor: B) -> B {
    if let Some(&[word]) = B::as_words(&[divisor]) {
        return B::from_word(of_word(word));
    }
    // ((B^2 - 1) - B * divisor) / divisor: the high limb of this dividend is below the divisor.
    let division = divisor.checked_div_rem_wide(B::HIGHEST, !divisor);
    division.unwrap_or_else(|| broken_invariant("the divisor has its top bit")).0
}

/// [`inverse`] of a word.
#[inline(always)]
fn of_word(divisor: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    return by_division(divisor);
    #[allow(unreachable_code, reason = "other processors and the feature `portable`")]
    by_products(divisor)
}

/// [`inverse`] of a word by one instruction. Measured on AMD's Zen 4 for a whole quotient of 128 by 64 bits:
/// 14.6 ns, and 19.6 with [`by_products`].
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
#[inline(always)]
fn by_division(divisor: u64) -> u64 {
    let quotient;
    // SAFETY: the upper word of the dividend, `!divisor`, is below a divisor whose top bit is set, so that
    // the quotient fits; without the bit it is replaced. No memory is touched.
    #[allow(unsafe_code, reason = "assembly")]
    unsafe {
        let divisor = divisor | 1 << 63;
        core::arch::asm!(
            "div {divisor}",
            divisor = in(reg) divisor,
            inout("rax") u64::MAX => quotient,
            inout("rdx") !divisor => _,
            options(pure, nomem, nostack),
        );
    }
    quotient
}

/// (quotient, remainder) of `high B + low` by a divisor above `high` whose top bit is set.
#[inline(always)]
pub(super) fn two_by_one<B: Base>(high: B, low: B, divisor: B) -> (B, B) {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if let Some(&[high, low, divisor]) = B::as_words(&[high, low, divisor]) {
        let (quotient, rest) = divide_words(high, low, divisor);
        return (B::from_word(quotient), B::from_word(rest));
    }
    div_two_by_one(high, low, divisor, inverse(divisor))
}

/// [`two_by_one`] of words, by one instruction.
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
#[inline(always)]
fn divide_words(high: u64, low: u64, divisor: u64) -> (u64, u64) {
    if high >= divisor {
        broken_invariant("the quotient is a word")
    }
    let (quotient, rest);
    // SAFETY: the upper word of the dividend is below the divisor, so that the quotient fits. No memory is
    // touched.
    #[allow(unsafe_code, reason = "assembly")]
    unsafe {
        core::arch::asm!(
            "div {divisor}",
            divisor = in(reg) divisor,
            inout("rax") low => quotient,
            inout("rdx") high => rest,
            options(pure, nomem, nostack),
        );
    }
    (quotient, rest)
}

/// `floor((2^19 - 3 2^8) / d)` for the upper nine bits d of a divisor, from `2^8` on: inverses of 11 bits.
#[cfg_attr(all(target_arch = "x86_64", not(feature = "portable"), not(miri)), allow(dead_code))]
static SEEDS: [u16; 256] = {
    let mut seeds = [0; 256];
    let mut i = 0;
    while i < 256 {
        seeds[i] = (((1 << 19) - 3 * (1 << 8)) / (256 + i)) as u16;
        i += 1;
    }
    seeds
};

/// [`inverse`] of a word: each step doubles the bits, 11, 21, 34 and 65.
#[inline]
#[cfg_attr(
    all(target_arch = "x86_64", not(feature = "portable"), not(miri)),
    allow(dead_code, reason = "tests compare with it")
)]
fn by_products(divisor: u64) -> u64 {
    let high = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64;
    let v = u64::from(SEEDS[(divisor >> 55) as usize % 256]);
    let upper = (divisor >> 24) + 1;
    let v = (v << 11).wrapping_sub((v * v).wrapping_mul(upper) >> 40).wrapping_sub(1);
    let v = (v << 13).wrapping_add(v.wrapping_mul((1 << 60_u64).wrapping_sub(v.wrapping_mul(upper))) >> 47);
    let (lowest, half) = (divisor & 1, (divisor >> 1) + (divisor & 1));
    let error = (v >> 1 & 0_u64.wrapping_sub(lowest)).wrapping_sub(v.wrapping_mul(half));
    let v = (v << 31).wrapping_add(high(v, error) >> 1);
    // v - floor((v + 2^64 + 1) d / 2^64) mod 2^64.
    let (_, upper) = v.carrying_mul_add(divisor, divisor, 0);
    v.wrapping_sub(upper).wrapping_sub(divisor)
}

#[cfg(test)]
mod tests {
    use super::{by_products, of_word};

    #[test]
    fn inverses_of_words_are_quotients() {
        let top = 1_u64 << 63;
        let near = |d: u64| (0..300).flat_map(move |i| [d.wrapping_add(i) | top, d.wrapping_sub(i) | top]);
        let powers = (0..63).flat_map(|i| near(1 << i));
        let mut state = 1_u64;
        let random = (0..200_000).map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state ^ state >> 29) | top
        });
        // Where the seed changes, too.
        let seeds = (256..512_u64).flat_map(|d| near(d << 55));
        for divisor in powers.chain(seeds).chain(random) {
            let quotient = u128::MAX / u128::from(divisor) - (1 << 64);
            for inverse in [of_word(divisor), by_products(divisor)] {
                assert_eq!(u128::from(inverse), quotient, "{divisor:#x}");
            }
        }
    }
}
