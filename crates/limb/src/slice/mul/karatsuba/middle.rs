//! The sum of the three products.

use super::super::rows::{self, middle::add_small};
use crate::base::Base;
use crate::slice::{add, sub};

/// Adds `(a0 b0 + a1 b1 + cross) * B^l`, or less `cross` unless `negative`, to `out = a1 b1 * B^2l + a0 b0`,
/// for a cross product of `2l` limbs. `out` has 3l limbs or more, at most 4l.
pub(super) fn add<B: Base>(out: &mut [B], cross: &mut [B], negative: bool) {
    if let Some(out) = B::as_words_mut(out)
        && let Some(cross) = B::as_words_mut(cross)
    {
        return add_words(out, cross, negative);
    }
    add_limbs(out, cross, negative);
}

/// [`add`] sum by sum.
fn add_limbs<B: Base>(out: &mut [B], cross: &mut [B], negative: bool) {
    let len = cross.len() / 2;
    let (out_low, out_high) = out.split_at_mut(2 * len);
    // cross = a0 b0 + a1 b1 -+ cross, below 2 * B^2l: one bit above its 2l limbs.
    let borrow = if negative { false } else { sub::sub_from(cross, out_low) };
    let carry_low = negative && add::add_assign(cross, out_low, false);
    let carry_high = add::add_assign(cross, out_high, false);
    let above = u8::from(carry_low) + u8::from(carry_high) - u8::from(borrow);

    let carry = add::add_assign(&mut out[len..3 * len], cross, false);
    for _ in 0..above + u8::from(carry) {
        add::increment(&mut out[3 * len..], true);
    }
}

/// [`add`] in few passes without branches. `B^2l - cross` is added for `-cross`.
fn add_words(out: &mut [u64], cross: &mut [u64], negative: bool) {
    let complement = if negative { 0 } else { u64::MAX };
    if out.len() != 2 * cross.len() || !rows::middle::add(out, cross, complement) {
        add_in_one_pass(out, cross, complement);
    }
}

/// With out = `[w | x | y | z]`, of l limbs each: x becomes `x + y + w +- low half of cross` and y
/// `x + y + z +- high half`, so that `x + y` is added once.
fn add_in_one_pass(out: &mut [u64], cross: &[u64], complement: u64) {
    let len = cross.len() / 2;
    let (w, rest) = out.split_at_mut(len);
    let (x, rest) = rest.split_at_mut(len);
    let (y, z) = rest.split_at_mut(len);
    let (cross_low, cross_high) = cross.split_at(len);
    let mut sum = Sum { complement, both: false, low: complement & 1, high: 0 };
    let whole = z.len().min(len);
    for k in 0..whole {
        (x[k], y[k]) = sum.limb([w[k], x[k], y[k], z[k]], [cross_low[k], cross_high[k]]);
    }
    for k in whole..len {
        (x[k], y[k]) = sum.limb([w[k], x[k], y[k], 0], [cross_low[k], cross_high[k]]);
    }
    let both = u64::from(sum.both);
    let carry = add_small(y, sum.low + both);
    // Nothing is above, for the sum is below B^4l.
    add_small(z, (sum.high + both + carry).wrapping_sub(complement & 1));
}

/// The carries of the sums.
struct Sum {
    complement: u64,
    both: bool,
    low: u64,
    high: u64,
}

impl Sum {
    #[inline(always)]
    fn limb(&mut self, [w, x, y, z]: [u64; 4], cross: [u64; 2]) -> (u64, u64) {
        let both;
        (both, self.both) = x.carrying_add(y, self.both);
        let [low, high] = cross.map(|limb| limb ^ self.complement);
        let low = u128::from(both) + u128::from(w) + u128::from(low) + u128::from(self.low);
        let high = u128::from(both) + u128::from(z) + u128::from(high) + u128::from(self.high);
        (self.low, self.high) = ((low >> 64) as u64, (high >> 64) as u64);
        (low as u64, high as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::{add, add_in_one_pass, add_limbs};

    /// Extreme limbs, of products that exist: those of `(B^l - 1 - x) B^l + y`.
    #[test]
    fn sums_in_passes_equal_those_one_by_one() {
        use crate::slice::mul::{Factors, karatsuba, schoolbook};
        for (len, pattern) in (2..50_usize).flat_map(|len| (0..40_u64).map(move |pattern| (len, pattern))) {
            let limb = |i: u64| match (pattern + i * (pattern % 5)) % 7 {
                0 | 1 => u64::MAX,
                2 => 0,
                3 => 1,
                4 => 1 << 63,
                _ => i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(pattern as u32),
            };
            let number = |from: u64| -> Vec<u64> { (from..).map(limb).take(len).collect() };
            let (a, b) = (number(pattern), number(3 * pattern + 1));
            let half = len.div_ceil(2);
            let (low, high) = Factors::Pair(&a, &b).split_at(half);
            let mut cross = vec![0; 2 * half];
            let mut room = vec![0; 2 * half];
            let (differences, negative) = karatsuba::subtract_halves(&mut room, low, high);
            schoolbook::columns(&mut cross, differences);
            let mut products = vec![0; 2 * len];
            schoolbook::columns(&mut products[..2 * half], low);
            schoolbook::columns(&mut products[2 * half..], high);

            let mut expected = vec![0; 2 * len];
            schoolbook::columns(&mut expected, Factors::Pair(&a, &b));
            let mut found = products.clone();
            add_limbs(&mut found, &mut cross.clone(), negative);
            assert_eq!(found, expected, "{a:x?} {b:x?}");
            let mut found = products.clone();
            let complement = if negative { 0 } else { u64::MAX };
            add_in_one_pass(&mut found, &cross, complement);
            assert_eq!(found, expected, "{a:x?} {b:x?}, in one pass");
            add(&mut products, &mut cross, negative);
            assert_eq!(products, expected, "{a:x?} {b:x?}, by this processor");
        }
    }
}
