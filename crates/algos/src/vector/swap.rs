//! Sums, differences and exchanges of eight numbers in digits of 52 bits.

use super::lanes::{DIGIT_BITS, Lanes, MASK, Words};

/// `out = a + b`, which fits the digits.
pub(super) fn add_digits<L: Lanes>(lanes: L, out: &mut [Words], a: &[Words], b: &[Words]) {
    lanes.run(
        #[inline(always)]
        || {
            let (mask, mut carry) = (lanes.splat(MASK), lanes.splat(0));
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                let sum = lanes.add(lanes.add(lanes.load(a), lanes.load(b)), carry);
                *out = lanes.store(lanes.and(sum, mask));
                carry = lanes.shr(sum, DIGIT_BITS);
            }
        },
    );
}

/// `out = a - b`, which is not negative.
pub(super) fn sub_digits<L: Lanes>(lanes: L, out: &mut [Words], a: &[Words], b: &[Words]) {
    lanes.run(
        #[inline(always)]
        || {
            let (mask, mut borrow) = (lanes.splat(MASK), lanes.splat(0));
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                let difference = lanes.sub(lanes.sub(lanes.load(a), lanes.load(b)), borrow);
                *out = lanes.store(lanes.and(difference, mask));
                borrow = lanes.shr(difference, u64::BITS - 1);
            }
        },
    );
}

/// Exchanges the numbers of the lanes in which the mask has all bits; it has none in the others.
pub(super) fn swap_where<L: Lanes>(lanes: L, a: &mut [Words], b: &mut [Words], mask: Words) {
    lanes.run(
        #[inline(always)]
        || {
            let mask = lanes.load(&mask);
            let others = lanes.sub(lanes.splat(u64::MAX), mask);
            for (a, b) in a.iter_mut().zip(b) {
                let (x, y) = (lanes.load(a), lanes.load(b));
                *a = lanes.store(lanes.or(lanes.and(x, others), lanes.and(y, mask)));
                *b = lanes.store(lanes.or(lanes.and(y, others), lanes.and(x, mask)));
            }
        },
    );
}
