//! Inverses modulo odd numbers, by halvings in place of quotients.
//!
//! The steps of [`binary`](crate::integer::gcd) keep `(a, m) = M (x, y)` with a matrix M without negative entries, of
//! determinant `2^k` after k halvings. With its lower row (u, v), `2^k x = v a mod m` and `2^k y = -u a mod m`: the entries
//! grow as those of Euclid's algorithm, and are divided by `2^k` at the end (Kaliski, "The Montgomery inverse and its
//! applications", 1995).

use core::ops::RangeInclusive;

use limbforge_limb::slice::gcd::{HALVINGS, halvings};
use limbforge_limb::slice::mul::rows::multiple;
use limbforge_limb::slice::{bits, cmp, sub};

use super::cofactor::begin;
use crate::integer::Scratch;
use crate::integer::gcd::cofactors::{Matrix, Row};
use crate::integer::gcd::lehmer::WordMatrix;
use crate::integer::gcd::step::Found;
use crate::integer::gcd::track::{Shortened, Track};
use crate::integer::gcd::{Ended, Thresholds, run};
use crate::integer::montgomery::negated_inverse;
use crate::integer::packed::{shift_up, trim};
use crate::invariant::broken_invariant;

/// Words of the modulus: a single one has few quotients, and of long ones halvings take more passes over the numbers and the
/// row. Measured on AMD's Zen 4 beside quotients, random and structured numbers: 11 % and 1 % less time at 4 words, 4 % less
/// and the same at 16, 6 % and 16 % more at 32.
const WORDS: RangeInclusive<usize> = 2..=16;

/// Whether the inverses modulo a number without zeros at the top are computed here.
pub(super) fn has(m: &[u64]) -> bool {
    WORDS.contains(&m.len()) && m.first().is_some_and(|low| low & 1 == 1)
}

/// The row, and k.
struct Halved {
    row: Row,
    twos: u32,
}

impl Track for Halved {
    const HALVES: bool = true;

    #[inline]
    fn shorten(&mut self, a: &mut [u64], b: &mut [u64], divides: bool, scratch: &mut Scratch) -> Shortened {
        self.row.shorten(a, b, divides, scratch)
    }

    fn reduced(&mut self, matrix: &WordMatrix) {
        self.row.reduced(matrix);
    }

    fn halves(&mut self, matrix: &WordMatrix, halvings: u32) {
        self.row.reduced(matrix);
        self.twos += halvings;
    }

    fn divided(&mut self, larger: usize, quotient: &[u64], scratch: &mut Scratch) {
        self.row.divided(larger, quotient, scratch);
    }

    fn halved(&mut self, matrix: &Matrix, scratch: &mut Scratch) {
        self.row.halved(matrix, scratch);
    }

    fn words_below(&self, n: usize) -> usize {
        self.row.words_below(n)
    }
}

/// 1/a mod m if there is one, for numbers without zeros at the top, and an odd m that is not 1.
pub(super) fn inverse(
    a: &[u64],
    m: &[u64],
    thresholds: Thresholds,
    scratch: &mut Scratch,
) -> Option<Vec<u64>> {
    let ([mut first, mut second], row) = begin(a, m, scratch);
    let mut record = Halved { row, twos: 0 };
    let unit = match run(&mut first, &mut second, &mut record, thresholds, scratch) {
        Ended::Found(Found::First | Found::Both) => (bits::significant(&first) == [1]).then_some(Unit::First),
        Ended::Found(Found::Second) => (bits::significant(&second) == [1]).then_some(Unit::Second),
        Ended::Words(x, y) => finish(x, y, &mut record),
        Ended::Rest(_) => broken_invariant("a record of halvings goes on to the end"),
    };
    let Halved { row: Row([left, right]), twos } = record;
    let (mut inverse, other) = if unit == Some(Unit::Second) { (left, right) } else { (right, left) };
    if unit.is_some() {
        divide_by_power(&mut inverse, twos, m, &mut first);
        if unit == Some(Unit::Second) {
            inverse.resize(m.len(), 0);
            sub::sub_from(&mut inverse, m);
        }
    }
    scratch.cofactors[1..].swap_with_slice(&mut [first, second, other]);
    unit.map(|_| inverse)
}

/// Which number became 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    First,
    Second,
}

/// Halvings of words, not both even.
fn finish(mut x: u64, mut y: u64, record: &mut Halved) -> Option<Unit> {
    let mut first = None;
    let unit = loop {
        match (x, y) {
            (1, _) => break Unit::First,
            (_, 1) => break Unit::Second,
            (0, _) | (_, 0) => return None,
            _ => {}
        }
        let [[m00, m01], [m10, m11]] = if y & 1 == 1 {
            halvings(x, y)
        } else {
            let [[m11, m10], [m01, m00]] = halvings(y, x);
            [[m00, m01], [m10, m11]]
        };
        let difference = |m: u64, x: u64, n: u64, y: u64| {
            ((u128::from(m) * u128::from(x)).wrapping_sub(u128::from(n) * u128::from(y)) >> HALVINGS) as u64
        };
        (x, y) = (difference(m00, x, m01, y), difference(m11, y, m10, x));
        let steps = WordMatrix([[m11, m01], [m10, m00]]);
        match first.take() {
            None => first = Some(steps),
            Some(before) => record.halves(&WordMatrix::times(&before, &steps), 2 * HALVINGS),
        }
    };
    if let Some(steps) = first {
        record.halves(&steps, HALVINGS);
    }
    Some(unit)
}

/// `x = x / 2^twos mod m`, for `x <= 2^twos m` of at most a word more than m; trimmed, below m.
fn divide_by_power(x: &mut Vec<u64>, twos: u32, m: &[u64], room: &mut Vec<u64>) {
    let (n, words) = (m.len(), twos.div_ceil(u64::BITS) as usize);
    if words == 0 {
        return;
    }
    let negated = negated_inverse(m[0]);
    room.clear();
    room.extend_from_slice(x);
    room.resize(n + words + 1, 0);
    shift_up(&mut room[..n + 2], words as u32 * u64::BITS - twos);
    let mut over = false;
    for i in 0..words {
        let factor = room[i].wrapping_mul(negated);
        let carry = multiple::add_inline(&mut room[i..i + n], m, factor);
        (room[i + n], over) = room[i + n].carrying_add(carry, over);
    }
    let (rest, above) = room[words..].split_at_mut(n);
    if over || above[0] > 0 || cmp::cmp(rest, m).is_ge() {
        sub::sub_assign(rest, m, false);
    }
    x.clear();
    x.extend_from_slice(rest);
    trim(x);
}
