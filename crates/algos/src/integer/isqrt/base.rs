//! Square roots of two and four words in registers. The top word is at least 2^62.

use limbforge_limb::slice::div::normalised::two_by_one;

/// How much the first estimate is lowered so that it is not above the root.
const BIAS: u64 = 3080;

/// (s, r, over) of `a = high 2^64 + low`: the root s, and its remainder `over 2^64 + r = a - s^2 <= 2 s`.
///
/// Let e be the double nearest to the root of the double nearest to `floor(high / 4)`. The conversion changes the
/// root by a factor within 1 +- 2^-54, the square root in doubles by 1 +- 2^-53, and the bits that are left out by
/// 1 + 2^-60. So `2^33 e` is within 3074 of the root R of a, which is below 2^64, and so is, with 4 more,
/// `4 t = 4 floor(2^31 e)`. Hence `s0 = 4 t - 3080` is `R - d` with `0 < d < 6159`. With `left = a - s0^2`,
/// `left / (2 s0) = d + d^2 / (2 s0)`, where the last term is below 2^-38. In doubles, with `1 / (2^34 e)` for
/// `1 / (2 s0)`, its error is below `d 2^-50 < 2^-37`. So the floor of what is found, added to s0, is s, or one
/// more or less, which the remainder tells.
#[inline(always)]
pub(super) fn of_two(low: u64, high: u64) -> (u64, u64, bool) {
    let a = u128::from(high) << 64 | u128::from(low);
    // Below 2^62, so that it may be signed, which processors convert faster.
    let e = ((high >> 2) as i64 as f64).sqrt();
    let t = (e * f64::from(1_u32 << 31)) as i64 as u64;
    // 4 t may be 2^64.
    let s0 = (t << 2).wrapping_sub(BIAS);
    let left = a.wrapping_sub(u128::from(s0) * u128::from(s0));
    // left is below 2^78, and 2^15 / (2^34 e) is 2^-19 / e.
    let d = ((left >> 15) as i64 as f64 * (1.0 / (e * f64::from(1_u32 << 19)))) as i64 as u64;
    // left - d (2 s0 + d) = a - (s0 + d)^2.
    let rest = left.wrapping_sub(u128::from(d) * ((u128::from(s0) << 1) + u128::from(d)));
    corrected(s0.wrapping_add(d), rest)
}

/// The root and its remainder for a root that is at most one off, modulo 2^64, and what it leaves.
#[inline(always)]
fn corrected(s: u64, rest: u128) -> (u64, u64, bool) {
    let twice = u128::from(s) << 1;
    if (rest as i128) < 0 {
        let s = s.wrapping_sub(1);
        return split(s, rest.wrapping_add((u128::from(s) << 1) + 1));
    }
    if rest > twice {
        return split(s + 1, rest - twice - 1);
    }
    split(s, rest)
}

#[inline(always)]
fn split(s: u64, rest: u128) -> (u64, u64, bool) {
    (s, rest as u64, rest >> 64 != 0)
}

/// The upper word of the root of four words, and `(q, u)` of the module for its lower one: q, u and the bit of u
/// above its word. `None` if q is 2^64.
#[inline(always)]
fn lower_of_four(a: [u64; 4]) -> (u64, Option<(u64, u64, bool)>) {
    let (s, rest, over) = of_two(a[2], a[3]);
    let top = over || rest >= s;
    let rest = if top { rest.wrapping_sub(s) } else { rest };
    if rest >= s {
        return (s, None);
    }
    let (quotient, rest) = two_by_one(rest, a[1], s);
    let q = quotient >> 1 | u64::from(top) << 63;
    let (u, over) = rest.overflowing_add(if quotient & 1 == 1 { s } else { 0 });
    (s, Some((q, u, over)))
}

/// The root of four words.
#[inline(always)]
pub(super) fn root_of_four(a: [u64; 4]) -> [u64; 2] {
    let (s, lower) = lower_of_four(a);
    let Some((q, u, over)) = lower else { return [u64::MAX, s] };
    let is_large = !over && (u128::from(u) << 64 | u128::from(a[0])) < u128::from(q) * u128::from(q);
    // q is not 0 if its square is larger than another number.
    [q.wrapping_sub(is_large.into()), s]
}

/// The root of four words, and its remainder as two words and the bit above.
#[inline(always)]
pub(super) fn of_four(a: [u64; 4]) -> ([u64; 2], [u64; 2], bool) {
    let (s, lower) = lower_of_four(a);
    let Some((mut q, u, over)) = lower else { return all_ones(s, a) };
    let left = u128::from(u) << 64 | u128::from(a[0]);
    let (mut rest, borrow) = left.overflowing_sub(u128::from(q) * u128::from(q));
    let mut above = i8::from(over) - i8::from(borrow);
    if above < 0 {
        q = q.wrapping_sub(1);
        let root = u128::from(s) << 64 | u128::from(q);
        for addend in [root, root, 1] {
            let carry;
            (rest, carry) = rest.overflowing_add(addend);
            above += i8::from(carry);
        }
    }
    ([q, s], [rest as u64, (rest >> 64) as u64], above != 0)
}

/// Roots `(s + 1) 2^64 - 1`, whose square is `(s + 1)^2 2^128 - (2 s + 2) 2^64 + 1`, of numbers that begin with
/// `(s + 1)^2 - 1`: they leave `(2 s + 2 + a1) 2^64 + a0 - 2^128 - 1`.
#[cold]
fn all_ones(s: u64, a: [u64; 4]) -> ([u64; 2], [u64; 2], bool) {
    let upper = 2 * u128::from(s) + 2 + u128::from(a[1]) - (1 << 64);
    let low = upper << 64 | u128::from(a[0]);
    let (low, borrow) = low.overflowing_sub(1);
    let above = (upper >> 64) as i8 - i8::from(borrow);
    ([u64::MAX, s], [low as u64, (low >> 64) as u64], above != 0)
}
