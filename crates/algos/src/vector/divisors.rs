//! The divisors of eight divisions, as [`divide`](super::divide) takes them.

use super::columns::COLUMNS;
use super::lanes::{Lanes, Words};
use super::shifted::{BITS, MASK};

/// The factor of the digits that are multiplied: `2^(52 - 48)`.
pub(super) const SCALE: u32 = 4;

/// Zero digits above those of a divisor, which blocks read.
const ABOVE: usize = 3 * COLUMNS;

/// The divisors, as what is added for each digit of a quotient.
#[derive(Clone, Debug, Default)]
pub(super) struct Divisors {
    /// `16 (D^n - v)`, the lowest digit first, and zeros above.
    pub(super) upwards: Vec<Words>,
    /// The same digits, the highest first, and zeros below.
    pub(super) downwards: Vec<Words>,
    /// `(1 - 2^-50) D^(n-1) / v`, the bits of a double.
    pub(super) inverses: Words,
}

impl Divisors {
    /// Takes the digits of divisors that are shifted to the top.
    pub(super) fn prepare<L: Lanes>(&mut self, lanes: L, digits: &[Words]) {
        lanes.run(
            #[inline(always)]
            || self.complement(lanes, digits),
        );
        let n = digits.len();
        let second = n.checked_sub(2).map_or(Words::ZERO, |second| digits[second]);
        for (lane, inverse) in self.inverses.0.iter_mut().enumerate() {
            let (high, low) = (digits[n - 1].0[lane] as f64, second.0[lane] as f64);
            *inverse = (1.0 / (high + low / DIGIT) * BELOW).to_bits();
        }
    }

    #[inline(always)]
    fn complement<L: Lanes>(&mut self, lanes: L, digits: &[Words]) {
        let n = digits.len();
        for room in [&mut self.upwards, &mut self.downwards] {
            room.resize(n + ABOVE, Words::ZERO);
            room[n..].fill(Words::ZERO);
        }
        let mask = lanes.splat(MASK);
        let mut carry = lanes.splat(1);
        for (i, digit) in digits.iter().enumerate() {
            let sum = lanes.add(lanes.sub(mask, lanes.load(digit)), carry);
            let digit = lanes.store(lanes.shl(lanes.and(sum, mask), SCALE));
            carry = lanes.shr(sum, BITS);
            (self.upwards[i], self.downwards[n - 1 - i]) = (digit, digit);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.upwards.len() - ABOVE
    }
}

/// D.
const DIGIT: f64 = (1_u64 << BITS) as f64;

/// More than five roundings down.
const BELOW: f64 = 1.0 - 4.0 * f64::EPSILON;
