//! Strong Lucas tests of eight odd numbers, with P = 1 and a Q of each number's own.
//!
//! With the roots A and B of `x^2 - x + Q`, `W_k = (A / B)^k + (B / A)^k` has `W_0 = 2`, `W_1 = 1 / Q - 2`,
//! `W_2k = W_k^2 - 2`, `W_(2k+1) = W_k W_(k+1) - W_1`, and `V_2k = Q^k W_k`, `V_(2k+1) = Q^(k+1) (W_(k+1) +
//! W_k)`, `D U_(2k+1) = Q^(k+1) (W_(k+1) - W_k)`: two products for each bit of k. With `n + 1 = d 2^s` and `d
//! = 2 m + 1`, n passes if `W_(m+1) = W_m`, `W_(m+1) = -W_m`, or `W_(d 2^r) = 0` for an r below s - 1.
//!
//! Differences are sums with `2n - W_1` and `2n - 2`: below 4n. With `16 n < R`, a Montgomery product of such
//! numbers is below 2n, since `16 n^2 < n R`.

mod number;

use core::array::from_fn;
use core::mem::swap;

use limbforge_limb::slice::{add, bits, cmp};

use super::constants::Constants;
use super::digits::{enter, leave};
use super::lanes::{DIGIT_BITS, Lanes, WIDTH, Words};
use super::montgomery::{Moduli, digits_for, mul, square};
use super::path::{Path, with_lanes};
use super::ring::Ring;
use super::swap::{add_digits, sub_digits, swap_where};
use crate::integer::Scratch;
use crate::integer::packed::trim;
use number::Number;

/// Up to eight numbers that are tested together, with their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct LucasTests {
    numbers: Vec<Number>,
    constants: Constants,
    room: Room,
}

/// Digits of eight numbers each.
#[derive(Clone, Debug, Default)]
struct Room {
    moduli: Vec<Words>,
    /// `2n - W_1` and `2n - 2`, in Montgomery form.
    minus_first: Vec<Words>,
    minus_two: Vec<Words>,
    x: Vec<Words>,
    y: Vec<Words>,
    product: Vec<Words>,
    square: Vec<Words>,
    quotient: Vec<Words>,
    columns: Vec<Words>,
    words: Vec<u64>,
}

impl LucasTests {
    /// Takes an odd number above 2^64, trimmed, with a D whose symbol is -1. Returns false if it has a common
    /// divisor with Q: then it is composite.
    pub(crate) fn push(&mut self, n: &[u64], d: i64) -> bool {
        let number = Number::new(n, d);
        let is_new = number.is_some();
        self.numbers.extend(number);
        is_new
    }

    /// Gives up the numbers that it took.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
    }

    /// Tests the numbers that it took, in their order.
    pub(crate) fn run(&mut self, path: Path, scratch: &mut Scratch) -> [bool; WIDTH] {
        let Self { numbers, constants, room } = self;
        numbers.resize(WIDTH, Number::one());
        let moduli = from_fn(|lane| &numbers[lane].modulus[..]);
        let longest = moduli.into_iter().map(bits::bit_len).max().unwrap_or(0);
        let n = digits_for(longest + 2);
        constants.prepare(n as u32 * DIGIT_BITS, moduli, scratch);
        let passed = with_lanes!(path, lanes => room.test(lanes, n, numbers, constants));
        numbers.clear();
        passed
    }
}

impl Room {
    fn test<L: Lanes>(
        &mut self,
        lanes: L,
        n: usize,
        numbers: &[Number],
        constants: &Constants,
    ) -> [bool; WIDTH] {
        self.start(lanes, n, numbers, constants);
        let inverses = constants.negated_inverses(L::digit);
        let len = numbers.iter().map(|number| bits::bit_len(&number.half)).max().unwrap_or(0);
        let mut last = Words::ZERO;
        for i in (0..len).rev() {
            let bit = Words(from_fn(|lane| u64::from(bits::bit(&numbers[lane].half, i)).wrapping_neg()));
            swap_where(lanes, &mut self.x, &mut self.y, Words(from_fn(|lane| bit.0[lane] ^ last.0[lane])));
            last = bit;
            self.multiply(lanes, inverses);
            self.square(lanes, inverses);
            swap(&mut self.x, &mut self.square);
            swap(&mut self.y, &mut self.product);
        }
        swap_where(lanes, &mut self.x, &mut self.y, last);
        self.verdicts(lanes, numbers, inverses)
    }

    /// Makes `x = W_0` and `y = W_1`, and the constants.
    fn start<L: Lanes>(&mut self, lanes: L, n: usize, numbers: &[Number], constants: &Constants) {
        let Self { moduli, minus_first, minus_two, x, y, product, square, quotient, columns, .. } = self;
        for room in [&mut *moduli, minus_first, minus_two, x, y, product, square, quotient] {
            room.resize(n, Words::ZERO);
        }
        enter(lanes, moduli, from_fn(|lane| &numbers[lane].modulus[..]), columns);
        enter(lanes, square, constants.squares(), columns);
        let of = Moduli { digits: moduli, negated_inverses: constants.negated_inverses(L::digit) };
        enter(lanes, product, from_fn(|lane| &numbers[lane].first[..]), columns);
        mul(lanes, y, product, square, of, quotient);
        enter(lanes, product, [&[2]; WIDTH], columns);
        mul(lanes, x, product, square, of, quotient);
        add_digits(lanes, product, moduli, moduli);
        sub_digits(lanes, minus_first, product, y);
        sub_digits(lanes, minus_two, product, x);
    }

    /// `product = x y - W_1`.
    fn multiply<L: Lanes>(&mut self, lanes: L, negated_inverses: Words) {
        let Self { moduli, minus_first, x, y, product, quotient, columns, .. } = self;
        columns.resize(x.len(), Words::ZERO);
        let moduli = Moduli { digits: moduli, negated_inverses };
        mul(lanes, columns, x, y, moduli, quotient);
        add_digits(lanes, product, columns, minus_first);
    }

    /// `square = x^2 - 2`.
    fn square<L: Lanes>(&mut self, lanes: L, negated_inverses: Words) {
        let Self { moduli, minus_two, x, square: out, quotient, columns, .. } = self;
        columns.resize(x.len(), Words::ZERO);
        let moduli = Moduli { digits: moduli, negated_inverses };
        square(lanes, columns, x, moduli, quotient);
        add_digits(lanes, out, columns, minus_two);
    }

    /// The tests of `x = W_m` and `y = W_(m+1)`.
    fn verdicts<L: Lanes>(&mut self, lanes: L, numbers: &[Number], inverses: Words) -> [bool; WIDTH] {
        let (x, y) =
            (self.values(lanes, numbers, inverses, false), self.values(lanes, numbers, inverses, true));
        let mut passed: [bool; WIDTH] = from_fn(|lane| {
            let mut sum = vec![0; x[lane].len() + 1];
            sum[..x[lane].len()].copy_from_slice(&x[lane]);
            let _ = add::add_assign(&mut sum, &y[lane], false);
            trim(&mut sum);
            x[lane] == y[lane] || sum.is_empty() || sum == numbers[lane].modulus
        });
        let rounds = (0..WIDTH).filter(|&lane| !passed[lane]).map(|lane| numbers[lane].twos - 1).max();
        for round in 0..rounds.unwrap_or(0) {
            // `W_d`, then its doublings.
            if round == 0 {
                self.multiply(lanes, inverses);
                swap(&mut self.x, &mut self.product);
            } else {
                self.square(lanes, inverses);
                swap(&mut self.x, &mut self.square);
            }
            let values = self.values(lanes, numbers, inverses, false);
            for (lane, value) in values.iter().enumerate() {
                passed[lane] |= round < numbers[lane].twos - 1 && cmp::is_zero(value);
            }
        }
        passed
    }

    /// The residues that x, or y, are the Montgomery forms of.
    fn values<L: Lanes>(
        &mut self,
        lanes: L,
        numbers: &[Number],
        negated_inverses: Words,
        of_y: bool,
    ) -> Vec<Vec<u64>> {
        let Self { moduli, x, y, product, square, quotient, columns, words, .. } = self;
        lanes.set_one(square);
        let moduli = Moduli { digits: moduli, negated_inverses };
        mul(lanes, product, if of_y { y } else { x }, square, moduli, quotient);
        let len = numbers.iter().map(|number| number.modulus.len()).max().unwrap_or(0);
        words.resize(WIDTH * len, 0);
        let mut rows = words.chunks_exact_mut(len);
        leave(lanes, from_fn(|_| rows.next().unwrap_or_default()), product, columns);
        let value = |(row, number): (&[u64], &Number)| {
            let value = &row[..number.modulus.len()];
            // At most the modulus.
            if value == number.modulus { vec![0; value.len()] } else { value.to_vec() }
        };
        words.chunks_exact(len).zip(numbers).map(value).collect()
    }
}
