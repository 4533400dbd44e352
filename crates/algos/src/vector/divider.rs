//! Divisions of up to eight pairs of numbers in words.

use core::array::from_fn;

use limbforge_limb::slice::{add, bits, cmp, mul::rows::multiple, sub};

use super::columns::COLUMNS;
use super::divide::{quotients, resolve, rests, undecided};
use super::divisors::{Divisors, SCALE};
use super::lanes::{Lanes, WIDTH, Words};
use super::path::{Path, with_lanes};
use super::shifted::{BITS, enter, leave};
use crate::invariant::broken_invariant;

/// Bits of the longest dividends.
pub(super) const MOST_BITS: u32 = 3000 * BITS;

/// Undecided quotients of eight that are decided alone. By the model of `quotients/lengths.rs`, one of 16 words takes
/// about a fifth of the time of what is left by all, of 512 words a half.
const FEW: usize = 3;

/// Memory of divisions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Divider {
    divisors: Divisors,
    dividend: Vec<Words>,
    /// Of the quotients, the highest first, whole blocks.
    found: Vec<Words>,
    /// The same digits, resolved, the lowest first.
    quotient: Vec<Words>,
    rest: Vec<Words>,
    columns: Vec<Words>,
    words: Vec<u64>,
}

/// Digits of divisors and quotients, and the bits by which divisors are shifted to the top.
#[derive(Clone, Copy, Debug)]
struct Shape {
    n: usize,
    k: usize,
    shifts: [u32; WIDTH],
}

impl Shape {
    fn new(dividends: [&[u64]; WIDTH], divisors: [&[u64]; WIDTH]) -> Self {
        let (mut shifts, mut longest) = ([0; WIDTH], 0);
        for (shift, divisor) in shifts.iter_mut().zip(divisors) {
            *shift = bits::bit_len(divisor);
            longest = longest.max(*shift);
        }
        let n = longest.div_ceil(BITS).max(1);
        let mut longest = 0;
        for (shift, dividend) in shifts.iter_mut().zip(dividends) {
            *shift = n * BITS - *shift;
            longest = longest.max(bits::bit_len(dividend) + *shift);
        }
        let k = (longest + 1).saturating_sub(n * BITS).div_ceil(BITS).max(1);
        Self { n: n as usize, k: k as usize, shifts }
    }
}

impl Divider {
    /// Writes the quotients and the remainders of divisions by numbers that are not zero; only the quotients
    /// if all remainders have no words.
    pub(crate) fn run(
        &mut self,
        path: Path,
        quotients: [&mut [u64]; WIDTH],
        remainders: [&mut [u64]; WIDTH],
        dividends: [&[u64]; WIDTH],
        divisors: [&[u64]; WIDTH],
    ) {
        with_lanes!(path, lanes => self.divide(lanes, quotients, remainders, dividends, divisors));
    }

    fn divide<L: Lanes>(
        &mut self,
        lanes: L,
        mut quotients: [&mut [u64]; WIDTH],
        remainders: [&mut [u64]; WIDTH],
        dividends: [&[u64]; WIDTH],
        divisors: [&[u64]; WIDTH],
    ) {
        let shape = Shape::new(dividends, divisors);
        self.enter(lanes, shape, dividends, divisors);
        let wants_rest = remainders.iter().any(|remainder| !remainder.is_empty());
        let (has_rest, undecided) = self.find(lanes, shape, wants_rest);
        let Self { quotient, rest, columns, words, .. } = self;
        leave(lanes, quotients.each_mut().map(|q| &mut **q), &quotient[..shape.k], [0; WIDTH], columns);
        if !has_rest {
            for (lane, quotient) in quotients.into_iter().enumerate().filter(|&(lane, _)| undecided[lane]) {
                let is_one_more = reaches_next(words, dividends[lane], divisors[lane], quotient);
                add::increment(quotient, is_one_more);
            }
            return;
        }
        // Rests are below 1.7 v. Rows of whole registers are written at once.
        let len = divisors.iter().map(|divisor| bits::significant(divisor).len()).max().unwrap_or(0) + 1;
        let len = len.next_multiple_of(WIDTH);
        words.resize(WIDTH * len, 0);
        let mut room = words.chunks_exact_mut(len);
        leave(lanes, from_fn(|_| room.next().unwrap_or_default()), &rest[..=shape.n], shape.shifts, columns);
        let rests = words.chunks_exact_mut(len).zip(divisors).zip(quotients.into_iter().zip(remainders));
        for ((rest, divisor), (quotient, remainder)) in rests {
            let divisor = bits::significant(divisor);
            if rest[divisor.len()] > 0 || cmp::cmp(&rest[..divisor.len()], divisor).is_ge() {
                let _ = sub::sub_assign(&mut rest[..divisor.len()], divisor, false);
                add::increment(quotient, true);
                if cmp::cmp(&rest[..divisor.len()], divisor).is_ge() {
                    broken_invariant("a rest is below twice the divisor");
                }
            }
            let kept = remainder.len().min(divisor.len());
            remainder[kept..].fill(0);
            remainder[..kept].copy_from_slice(&rest[..kept]);
        }
    }

    /// Turns the operands to digits.
    fn enter<L: Lanes>(
        &mut self,
        lanes: L,
        shape: Shape,
        dividends: [&[u64]; WIDTH],
        divisors: [&[u64]; WIDTH],
    ) {
        let Self { dividend, rest, columns, .. } = self;
        rest.resize(shape.n, Words::ZERO);
        enter(lanes, rest, divisors, shape.shifts, 0, columns);
        self.divisors.prepare(lanes, rest);
        dividend.resize(shape.n + shape.k, Words::ZERO);
        enter(lanes, dividend, dividends, shape.shifts, SCALE, columns);
    }

    /// Finds the digits of the quotients, and what is left by them where that is wanted or decides about many
    /// quotients; returns whether it did, and if not, the quotients that may be one too small.
    fn find<L: Lanes>(
        &mut self,
        lanes: L,
        Shape { n, k, .. }: Shape,
        wants_rest: bool,
    ) -> (bool, [bool; WIDTH]) {
        let Self { divisors, dividend, found, quotient, rest, .. } = self;
        // A digit of the fraction tells most quotients.
        let steps = if wants_rest { k } else { k + 1 };
        found.resize(steps.next_multiple_of(COLUMNS), Words::ZERO);
        quotients(lanes, found, steps, dividend, divisors);
        let fraction = found.get(k).filter(|_| !wants_rest);
        let undecided = fraction.map_or([false; WIDTH], undecided);
        let has_rest = wants_rest || undecided.iter().filter(|&&lane| lane).count() > FEW;
        quotient.resize(k.next_multiple_of(COLUMNS), Words::ZERO);
        quotient[k..].fill(Words::ZERO);
        resolve(lanes, &mut quotient[..k], &found[..k], fraction.filter(|_| !has_rest));
        if has_rest {
            rest.resize((n + 1).next_multiple_of(COLUMNS), Words::ZERO);
            rests(lanes, rest, quotient, dividend, divisors);
        }
        (has_rest, undecided)
    }
}

/// Whether `dividend >= (quotient + 1) divisor`, where the two sides differ by less than half a divisor: then the
/// words of the divisor tell the sign of the difference.
fn reaches_next(room: &mut Vec<u64>, dividend: &[u64], divisor: &[u64], quotient: &[u64]) -> bool {
    let divisor = bits::significant(divisor);
    let n = divisor.len();
    room.clear();
    room.extend(dividend.iter().take(n));
    room.resize(n, 0);
    let _ = sub::sub_assign(room, divisor, false);
    for (i, &digit) in bits::significant(quotient).iter().take(n).enumerate() {
        multiple::sub(&mut room[i..], &divisor[..n - i], digit);
    }
    room.last().is_some_and(|top| top.leading_zeros() > 0)
}
