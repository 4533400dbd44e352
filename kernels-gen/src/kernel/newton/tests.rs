//! The arithmetic of a block of the quotient in two parts, of a step, and of their products mod `B^L - 1`, in
//! whole numbers: what `docs/div_newton.md` proves.

use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, Signed as _, Zero as _};
use proptest::prelude::*;

/// Words of `bits` bits, and H of them in a block.
#[derive(Clone, Copy, Debug)]
struct Base {
    bits: u32,
    half: u32,
}

impl Base {
    fn power(self, words: u32) -> BigInt {
        BigInt::one() << (self.bits * words)
    }

    fn word(self, x: &BigInt, i: u32) -> BigInt {
        self.low(&self.above(x, i), 1)
    }

    fn low(self, x: &BigInt, words: u32) -> BigInt {
        x - (self.above(x, words) << (self.bits * words))
    }

    /// Rounded down, of negative numbers too.
    fn above(self, x: &BigInt, words: u32) -> BigInt {
        x >> (self.bits * words)
    }

    /// `low + upper B^words - q v`, with the product known mod `B^words - 1` and perhaps not reduced
    /// (`less_cyclic`).
    fn less_cyclic(
        self,
        words: u32,
        [low, upper]: [&BigInt; 2],
        [q, v]: [&BigInt; 2],
        unreduced: bool,
    ) -> BigInt {
        let turn: BigInt = self.power(words) - 1;
        let product = q * v % &turn + if unreduced { turn.clone() << self.bits } else { BigInt::zero() };
        let [first, wrapped] = [self.low(&product, words), self.above(&product, words)];
        let lowest = self.word(q, 0) * self.word(v, 0);
        let j = self.low(&(self.word(upper, 0) - self.word(&first, 0) - self.word(&wrapped, 0) + lowest), 1);
        let j = if j < self.power(1) / 2 { j } else { j - self.power(1) };
        assert!(j.abs() <= BigInt::from(20), "turns: {j}");
        low + upper - first - wrapped + j * turn
    }

    /// The inverse to `2 t - 1` words of a divisor of `words` words, from the one `f` to t words.
    fn step(self, v: &BigInt, words: u32, t: u32, f: &BigInt, unreduced: bool) -> BigInt {
        let (to, length) = (2 * t - 1, 2 * t - 2);
        let top = self.above(v, words - length);
        let next = self.word(v, words - length - 1);
        // B^(L + t) - v B^t: its words from L on are B^t less those of v that leave the top.
        let low: BigInt = -(self.low(&top, length - t) << (self.bits * t));
        let upper = self.power(t) - self.above(&top, length - t);
        let difference = self.less_cyclic(length, [&low, &upper], [f, &top], unreduced);
        assert_eq!(difference, self.power(length + t) - &top * (self.power(t) + f));
        let bound = &next + self.above(&(&next * self.word(f, t - 1)), 1) + 4;
        let difference: BigInt = self.above(&difference, t - 2) - bound * self.power(1);
        assert!(difference.abs() < self.power(to - t + 2) / 2);
        let difference = difference.max(BigInt::zero());
        f * self.power(to - t) + self.part(&difference, f, t)
    }

    /// `floor((R + floor(R F / B^t)) / B)`.
    fn part(self, r: &BigInt, f: &BigInt, t: u32) -> BigInt {
        self.above(&(r + self.above(&(r * f), t)), 1)
    }

    /// A block of the quotient of `u` by a divisor of `words` words whose highest bit is set, for
    /// `u < v B^H`.
    fn block(self, u: &BigInt, v: &BigInt, words: u32, error: u32, unreduced: bool) -> BigInt {
        let (half, h) = (self.half, self.half / 2);
        let inverse = self.power(words + h + 1) / v - self.power(h + 1);
        // Between the true inverse and some units less, as far as the words hold it.
        let f = (inverse - error).clamp(BigInt::zero(), self.power(h + 1) - 1);
        let top = self.above(u, words - 1);
        let divisor_top = self.above(v, words - half);
        let next = if words > half { self.word(v, words - half - 1) } else { BigInt::zero() };
        let first = self.part(&self.above(&top, h), &f, h + 1);
        let low = self.low(&top, h + 1) * self.power(h - 1);
        let upper = self.above(&top, h + 1);
        let rest = self.less_cyclic(half, [&low, &upper], [&first, &divisor_top], unreduced);
        assert_eq!(rest, &top * self.power(h - 1) - &first * &divisor_top);
        let others = self.above(&(self.word(&first, h - 1) * next), 1) + 3;
        let rest: BigInt = self.above(&rest, h - 1) - others;
        // The sign is the highest bit of H + 1 words.
        assert!(rest.abs() < self.power(h + 2) / 2);
        let rest = rest.max(BigInt::zero());
        first * self.power(h) + self.part(&rest, &f, h + 1)
    }
}

/// A number of so many words, among them many that are 0 or all ones.
fn number(bits: u32, words: u32) -> impl Strategy<Value = BigInt> {
    let most = (1_u64 << bits) - 1;
    let word = prop_oneof![Just(0), Just(most), Just(1), Just(most / 2), Just(most / 2 + 1), 0..=most];
    prop::collection::vec(word, words as usize).prop_map(move |words| {
        let joined = words.iter().rev().fold(BigUint::zero(), |x, word| (x << bits) + *word);
        BigInt::from(joined)
    })
}

fn case() -> impl Strategy<Value = (Base, u32, BigInt, BigInt, BigInt)> {
    let sizes = (prop_oneof![Just(8_u32), Just(10), Just(32)], 2_u32..8, any::<bool>());
    sizes.prop_flat_map(|(bits, h, long)| {
        let base = Base { bits, half: 2 * h };
        let words = if long { 4 * h } else { 2 * h };
        let parts = (number(bits, words), number(bits, 2 * h), number(bits, words));
        parts.prop_map(move |(v, q, r)| {
            let highest = base.power(words) / 2;
            (base, words, if v < highest { v + highest } else { v }, q, r)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Blocks are exact or one too small, exact multiples among them, for every remainder and any inverse
    /// that the steps leave.
    #[test]
    fn blocks_are_exact_or_one_too_small(
        (base, words, v, q, r) in case(), error in 0_u32..16, kind in 0..4, unreduced: bool,
    ) {
        let part = base.power(base.half / 2);
        let (q, r) = match kind {
            0 => (q, BigInt::zero()),
            1 => (q, &v - 1),
            2 => (&q - &q % part, r % &v),
            _ => (q, r % &v),
        };
        let u = &q * &v + &r;
        let found = base.block(&u, &v, words, error, unreduced);
        let below = &q - &found;
        prop_assert!(below == BigInt::zero() || below == BigInt::one(), "{below} too small");
        // The last difference, of short divisors and of long ones.
        let (low, turn) = (words - base.half, base.half);
        let without = &u - &found * base.low(&v, low);
        let upper = base.above(&without, words);
        let below = base.low(&base.above(&without, low), turn);
        let rest = base.less_cyclic(turn, [&below, &upper], [&found, &base.above(&v, low)], unreduced);
        prop_assert_eq!(rest * base.power(low) + base.low(&without, low), &u - &found * &v);
    }

    /// A step from any inverse of at most 16 units below the true one leaves such a one.
    #[test]
    fn steps_leave_less_than_16_units((base, words, v, ..) in case(), error in 0_u32..16, unreduced: bool) {
        let t = (words / 2).max(3);
        if words <= 2 * t - 2 {
            return Ok(());
        }
        let inverse = base.power(words + t) / &v - base.power(t);
        let f = (inverse - error).clamp(BigInt::zero(), base.power(t) - 1);
        let to = 2 * t - 1;
        let found = base.power(to) + base.step(&v, words, t, &f, unreduced);
        // v (true - found) is between 0 and 16 v.
        let below = base.power(words + to) - &found * &v;
        prop_assert!(below >= BigInt::zero() && below < 16 * &v, "{}", below / &v);
    }
}
