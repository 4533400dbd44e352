//! Signs of eight numbers in digits of 52 bits, in two's complement, and their residues.

use super::lanes::{DIGIT_BITS, MASK, Words};
use super::signed::Signed;

/// `x = -x` in the lanes where the digit `sign`, the highest one of numbers, is that of a negative one.
pub(super) fn negate<L: Signed>(lanes: L, x: &mut [Words], sign: &Words) {
    lanes.run(
        #[inline(always)]
        || {
            let (mask, mut borrow) = (lanes.splat(MASK), lanes.splat(0));
            let negative = has_sign(lanes, lanes.load(sign));
            for digit in x {
                let value = lanes.load(digit);
                // Below 0 from the lowest digit that is not 0 on.
                let difference = lanes.add(lanes.negate_where(negative, value, value), borrow);
                *digit = lanes.store(lanes.and(difference, mask));
                borrow = lanes.sar(difference, DIGIT_BITS);
            }
        },
    );
}

/// Adds m to negative numbers, and takes it off those that are not smaller, until `0 <= x < m` in all lanes.
pub(super) fn reduce<L: Signed>(lanes: L, x: &mut [Words], m: &[Words]) {
    lanes.run(
        #[inline(always)]
        || {
            while lanes.lanes_of(negative(lanes, x)) != 0 {
                add_where_negative(lanes, x, m);
            }
            loop {
                sub_all(lanes, x, m);
                let below = lanes.lanes_of(negative(lanes, x));
                add_where_negative(lanes, x, m);
                if below == u8::MAX {
                    break;
                }
            }
        },
    );
}

/// `x = x + m` where x is negative.
#[inline(always)]
fn add_where_negative<L: Signed>(lanes: L, x: &mut [Words], m: &[Words]) {
    let (mask, mut carry) = (lanes.splat(MASK), lanes.splat(0));
    let negative = negative(lanes, x);
    for (x, m) in x.iter_mut().zip(m) {
        let sum = lanes.add(lanes.add_where(negative, lanes.load(x), lanes.load(m)), carry);
        carry = lanes.shr(sum, DIGIT_BITS);
        *x = lanes.store(lanes.and(sum, mask));
    }
}

/// `x = x - m`.
#[inline(always)]
fn sub_all<L: Signed>(lanes: L, x: &mut [Words], m: &[Words]) {
    let (mask, mut borrow) = (lanes.splat(MASK), lanes.splat(0));
    for (x, m) in x.iter_mut().zip(m) {
        let difference = lanes.add(lanes.sub(lanes.load(x), lanes.load(m)), borrow);
        borrow = lanes.sar(difference, DIGIT_BITS);
        *x = lanes.store(lanes.and(difference, mask));
    }
}

/// Where numbers are negative.
#[inline(always)]
fn negative<L: Signed>(lanes: L, x: &[Words]) -> L::Mask {
    has_sign(lanes, lanes.load(x.last().unwrap_or(&Words::ZERO)))
}

/// Where highest digits are those of negative numbers.
#[inline(always)]
fn has_sign<L: Signed>(lanes: L, top: L::Word) -> L::Mask {
    lanes.is_negative(lanes.shl(top, u64::BITS - DIGIT_BITS))
}
