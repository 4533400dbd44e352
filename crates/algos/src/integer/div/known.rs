//! Divisions that implementations have failed on: operands for every test of a division. A test computes the
//! quotients by other means, as with num-bigint.

use limbforge_limb::{Base, convert::to_biguint as value};
use num_bigint::BigUint;

/// `B^n`.
#[must_use]
pub fn power<B: Base>(n: usize) -> BigUint {
    BigUint::from(1_u32) << (n * B::BITS as usize)
}

/// Small multiples of powers of B and their neighbours, where estimates of a quotient are furthest off.
#[must_use]
pub fn corners<B: Base>() -> Vec<BigUint> {
    let half = B::ONE << (B::BITS - 1) as usize;
    let digits = [B::ONE, B::ONE << 1, half, B::HIGHEST].map(|digit| value(&[digit]));
    let multiples = (0..5).flat_map(|j| digits.each_ref().map(|digit| digit * power::<B>(j)));
    // In base 2 there is no digit 2.
    let around = |number: BigUint| [&number - 1_u32, number.clone(), number + 1_u32];
    let corners = multiples.filter(|number| *number != BigUint::ZERO).flat_map(around);
    corners.filter(|number| *number != BigUint::ZERO).collect()
}

/// Dividend and divisor where a digit is one too large after the test of three limbs by two (Knuth, TAOCP 2,
/// 4.3.1, exercise 21).
#[must_use]
pub fn add_back<B: Base>() -> Vec<(BigUint, BigUint)> {
    let (half, zero) = (B::ONE << (B::BITS - 1) as usize, B::ZERO);
    let cases = [
        (vec![zero, zero, half, half - B::ONE], vec![B::ONE, zero, half]),
        (vec![zero, B::HIGHEST - B::ONE, half], vec![B::HIGHEST, half]),
        (vec![zero, zero, zero, half, half - B::ONE], vec![B::HIGHEST, zero, zero, half]),
        (vec![zero, zero, zero, half], vec![B::ONE, zero, half]),
    ];
    cases.map(|(u, v)| (value(&u), value(&v))).to_vec()
}

/// Full dividends of M limbs over divisors of one to three limbs, whose inverses have more than M limbs.
#[must_use]
pub fn short_divisors<B: Base>(m: usize) -> Vec<(BigUint, BigUint)> {
    let u = power::<B>(m) - 1_u32;
    let around = |j| [power::<B>(j) - 1_u32, power::<B>(j) + 1_u32, power::<B>(j) * 2_u32 + 1_u32];
    let small = [2_u32, 3, 5].map(BigUint::from).into_iter();
    small.chain((1..3).flat_map(around)).flat_map(|v| [(u.clone(), v.clone()), (&u / &v * &v, v)]).collect()
}

/// Pairs of at most `bits` bits that published implementations fail on: `v = [1, 0, B/2]` and `v = [1, 0, 0,
/// 1]` (Watt's inverse), a sparse divisor of `2^192 - 1`, [`add_back`], and [`short_divisors`] under full
/// dividends of this and of other widths.
#[must_use]
pub fn counterexamples<B: Base>(bits: u64) -> Vec<(BigUint, BigUint)> {
    let half = B::ONE << (B::BITS - 1) as usize;
    let mut pairs = vec![(power::<B>(6) - 1_u32, value(&[B::ONE, B::ZERO, half]))];
    let v = power::<B>(3) + 1_u32;
    pairs.push(((power::<B>(4) - 1_u32) / &v * &v - 1_u32, v));
    // 0x100000000040000000010000000004000.
    let v = [128_u32, 90, 52, 14].iter().map(|&bit| BigUint::from(1_u32) << bit).sum::<BigUint>();
    let u = (BigUint::from(1_u32) << 192_u32) - 1_u32;
    pairs.extend([v.clone(), &v - 1_u32, v + 1_u32].map(|v| (u.clone(), v)));
    pairs.extend(add_back::<B>());
    let whole = (bits / u64::from(B::BITS)) as usize;
    pairs.extend([4, 16, 64, whole].into_iter().flat_map(short_divisors::<B>));
    pairs.retain(|(u, v)| u.bits() <= bits && v.bits() <= bits);
    pairs
}

/// The [`counterexamples`] and all pairs of [`corners`], of at most `bits` bits: (dividend, divisor), the
/// divisor not 0.
///
/// ```
/// use limbforge_algos::integer::{Scratch, div::{div_rem, known}};
/// use limbforge_limb::convert::{from_biguint, to_biguint};
///
/// for (u, v) in known::known::<u64>(256) {
///     let [mut dividend, mut divisor, mut quotient, mut remainder] = [[0_u64; 4]; 4];
///     assert!(from_biguint(&u, &mut dividend) && from_biguint(&v, &mut divisor));
///     div_rem(&mut quotient, &mut remainder, &dividend, &divisor, &mut Scratch::default())?;
///     assert_eq!(to_biguint(&quotient), u / v);
/// }
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
#[must_use]
pub fn known<B: Base>(bits: u64) -> Vec<(BigUint, BigUint)> {
    let mut pairs = counterexamples::<B>(bits);
    let mut corners = corners::<B>();
    corners.retain(|number| number.bits() <= bits);
    let of = |u: &BigUint| corners.iter().map(|v| (u.clone(), v.clone())).collect::<Vec<_>>();
    pairs.extend(corners.iter().chain([&BigUint::ZERO]).flat_map(of));
    pairs
}
