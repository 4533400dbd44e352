//! Products of matrices and pairs of signed numbers in digits of 52 bits, divided by 2^52: the division steps
//! of [`divsteps`](super::divsteps) on whole numbers.
//!
//! n digits are two's complement modulo `2^(52 n)`. The multiply-adds read the low 52 bits of a factor e as
//! `e + 2^52` if e is negative: the other factor is taken off one digit higher.

use super::lanes::{DIGIT_BITS, MASK, Words};
use super::signed::Signed;

/// A sum of products of N factors and numbers, divided by 2^52, from the lowest digit up.
#[derive(Clone, Copy)]
pub(super) struct Row<L: Signed, const N: usize> {
    lanes: L,
    /// From `-2^52` to `2^52 - 1`.
    factors: [L::Word; N],
    negative: [L::Mask; N],
    /// Below the next digit, and high halves that count in it.
    carry: L::Word,
    high: L::Word,
}

impl<L: Signed, const N: usize> Row<L, N> {
    /// Takes the lowest digits of the numbers, which make the lowest digit of the sum 0.
    #[inline(always)]
    pub(super) fn new(lanes: L, factors: [L::Word; N], lowest: [L::Word; N]) -> Self {
        let mut negative = [lanes.is_negative(factors[0]); N];
        let (mut low, mut high) = (lanes.splat(0), lanes.splat(0));
        for i in 0..N {
            negative[i] = lanes.is_negative(factors[i]);
            low = lanes.add_low(low, factors[i], lowest[i]);
            high = lanes.add_high(high, factors[i], lowest[i]);
        }
        Self { lanes, factors, negative, carry: lanes.shr(low, DIGIT_BITS), high }
    }

    /// Takes the next digits of the numbers, and returns the next digit of the sum. `below` are the digits
    /// before.
    #[inline(always)]
    pub(super) fn next(&mut self, digits: [L::Word; N], below: [L::Word; N]) -> L::Word {
        let lanes = self.lanes;
        let (mut low, mut high) = (self.high, lanes.splat(0));
        for (factor, digit) in self.factors.into_iter().zip(digits) {
            low = lanes.add_low(low, factor, digit);
            high = lanes.add_high(high, factor, digit);
        }
        for (negative, digit) in self.negative.into_iter().zip(below) {
            low = lanes.sub_where(negative, low, digit);
        }
        let sum = lanes.add(low, self.carry);
        (self.carry, self.high) = (lanes.sar(sum, DIGIT_BITS), high);
        lanes.and(sum, lanes.splat(MASK))
    }
}

/// `(f, g) = M (f, g) / 2^52`, of equally many digits. Returns a word that is 0 where g is 0.
#[inline(always)]
pub(super) fn apply<L: Signed>(
    lanes: L,
    f: &mut [Words],
    g: &mut [Words],
    [first, second]: [[L::Word; 2]; 2],
) -> L::Word {
    let n = f.len();
    let g = &mut g[..n];
    let mut below = [lanes.load(&f[0]), lanes.load(&g[0])];
    let (mut left, mut right) = (Row::new(lanes, first, below), Row::new(lanes, second, below));
    let mut rest = lanes.splat(0);
    for i in 1..n {
        let digits = [lanes.load(&f[i]), lanes.load(&g[i])];
        f[i - 1] = lanes.store(left.next(digits, below));
        let digit = right.next(digits, below);
        g[i - 1] = lanes.store(digit);
        rest = lanes.or(rest, digit);
        below = digits;
    }
    let above = [extension(lanes, below[0]), extension(lanes, below[1])];
    f[n - 1] = lanes.store(left.next(above, below));
    let digit = right.next(above, below);
    g[n - 1] = lanes.store(digit);
    lanes.or(rest, digit)
}

/// `(d, e) = (M (d, e) + (k, l) m) / 2^52` with k and l from `-2^51` to `2^51 - 1` that make the sums
/// divisible, for odd m, all of equally many digits. `negated_inverses` are `-1/m mod 2^52`.
#[inline(always)]
pub(super) fn apply_modulo<L: Signed>(
    lanes: L,
    d: &mut [Words],
    e: &mut [Words],
    [first, second]: [[L::Word; 2]; 2],
    m: &[Words],
    negated_inverses: L::Word,
) {
    let n = d.len();
    let (e, m) = (&mut e[..n], &m[..n]);
    let mut below = [lanes.load(&d[0]), lanes.load(&e[0]), lanes.load(&m[0])];
    let first = with_multiple(lanes, first, below, negated_inverses);
    let second = with_multiple(lanes, second, below, negated_inverses);
    let (mut left, mut right) = (Row::new(lanes, first, below), Row::new(lanes, second, below));
    for i in 1..n {
        let digits = [lanes.load(&d[i]), lanes.load(&e[i]), lanes.load(&m[i])];
        d[i - 1] = lanes.store(left.next(digits, below));
        e[i - 1] = lanes.store(right.next(digits, below));
        below = digits;
    }
    let above = [extension(lanes, below[0]), extension(lanes, below[1]), lanes.splat(0)];
    d[n - 1] = lanes.store(left.next(above, below));
    e[n - 1] = lanes.store(right.next(above, below));
}

/// The factors of a row, and that of the modulus.
#[inline(always)]
fn with_multiple<L: Signed>(
    lanes: L,
    [u, v]: [L::Word; 2],
    [d, e, _]: [L::Word; 3],
    negated_inverses: L::Word,
) -> [L::Word; 3] {
    let zero = lanes.splat(0);
    let lowest = lanes.add_low(lanes.add_low(zero, u, d), v, e);
    let multiple = lanes.add_low(zero, lowest, negated_inverses);
    let above = u64::BITS - DIGIT_BITS;
    [u, v, lanes.sar(lanes.shl(multiple, above), above)]
}

/// The digits above a highest one: its sign.
#[inline(always)]
pub(super) fn extension<L: Signed>(lanes: L, highest: L::Word) -> L::Word {
    let sign = lanes.sar(lanes.shl(highest, u64::BITS - DIGIT_BITS), u64::BITS - 1);
    lanes.and(sign, lanes.splat(MASK))
}
