//! Division steps on the lowest digits of pairs (f, g), f odd (Bernstein and Yang, "Fast constant-time gcd
//! computation and modular inversion", 2019), with the start `delta = 1/2` of libsecp256k1:
//!
//! ```text
//! (1 - delta, g, (g - f) / 2)               if delta > 0 and g is odd,
//! (1 + delta, f, (g + (g mod 2) f) / 2)     otherwise.
//! ```
//!
//! They depend on the low bits of f and g only: a digit of both determines as many steps as it has bits.
//! Their product is a matrix with `2^52 (f', g') = M (f, g)` and rows whose absolute values sum to at most
//! 2^52.
//!
//! Both entries of a row are one word during half of the steps, `u + 2^32 v` with |u| and |v| at most 2^26,
//! so that each step is twelve instructions for eight pairs. They wait for each other: two groups of eight
//! pairs take their steps by turns.

use super::lanes::{DIGIT_BITS, Words};
use super::signed::Signed;

/// Steps whose entries share a word.
const HALF: u32 = DIGIT_BITS / 2;

/// Steps of eight pairs, by their entries.
#[derive(Clone, Copy)]
pub(super) struct Matrix<L: Signed> {
    /// The factors of f and g in f' and in g', from `-2^52` to `2^52 - 1`.
    pub(super) rows: [[L::Word; 2]; 2],
}

/// Eight pairs, of which the low bits are known, and the steps that they have taken.
#[derive(Clone, Copy)]
struct State<L: Signed> {
    f: L::Word,
    g: L::Word,
    /// The rows of the matrix, both entries in a word.
    first: L::Word,
    second: L::Word,
    /// `delta - 1/2`.
    delta: L::Word,
}

/// Takes 52 steps from the lowest digits of f and g, for each group of eight pairs; `deltas` are `delta -
/// 1/2`.
#[inline(always)]
pub(super) fn divide_steps<L: Signed, const GROUPS: usize>(
    lanes: L,
    lowest: [[Words; 2]; GROUPS],
    deltas: &mut [Words; GROUPS],
) -> [Matrix<L>; GROUPS] {
    let zero = lanes.splat(0);
    let mut states = [State::<L> { f: zero, g: zero, first: zero, second: zero, delta: zero }; GROUPS];
    for i in 0..GROUPS {
        let [f, g] = lowest[i];
        states[i] =
            State { f: lanes.load(&f), g: lanes.load(&g), delta: lanes.load(&deltas[i]), ..states[i] };
    }
    half(lanes, &mut states);
    let lower = states;
    half(lanes, &mut states);
    let mut matrices = [Matrix { rows: [[zero; 2]; 2] }; GROUPS];
    for i in 0..GROUPS {
        deltas[i] = lanes.store(states[i].delta);
        matrices[i] = product(lanes, &states[i], &lower[i]);
    }
    matrices
}

/// Half of the steps, from the identity.
#[inline(always)]
fn half<L: Signed, const GROUPS: usize>(lanes: L, states: &mut [State<L>; GROUPS]) {
    for state in &mut *states {
        state.first = lanes.splat(1);
        state.second = lanes.splat(1 << 32);
    }
    let mut running = *states;
    for _ in 0..HALF {
        for state in &mut running {
            step(lanes, state);
        }
    }
    *states = running;
}

#[inline(always)]
fn step<L: Signed>(lanes: L, state: &mut State<L>) {
    let State { f, g, first, second, delta } = *state;
    let is_odd = lanes.is_odd(g);
    let swaps = lanes.only(is_odd, lanes.is_negative(delta));
    let sum = lanes.add_where(is_odd, g, lanes.negate_where(swaps, f, f));
    let entries = lanes.add_where(is_odd, second, lanes.negate_where(swaps, first, first));
    let kept = lanes.choose(swaps, second, first);
    *state = State {
        f: lanes.choose(swaps, g, f),
        g: lanes.shr(sum, 1),
        first: lanes.add(kept, kept),
        second: entries,
        delta: lanes.negate_where(swaps, delta, lanes.add(delta, lanes.splat(1))),
    };
}

/// The steps of `lower`, then those of `upper`.
#[inline(always)]
fn product<L: Signed>(lanes: L, upper: &State<L>, lower: &State<L>) -> Matrix<L> {
    let (x, y) = (entries(lanes, lower.first), entries(lanes, lower.second));
    let mut rows = [entries(lanes, upper.first), entries(lanes, upper.second)];
    for row in &mut rows {
        let [a, b] = *row;
        for k in 0..2 {
            row[k] = lanes.add(lanes.mul_halves(a, x[k]), lanes.mul_halves(b, y[k]));
        }
    }
    // An entry of 2^52 is one of the first row, and the other one is 0. Then the same steps of (-f, -g) are
    // taken.
    let most = lanes.splat(1 << DIGIT_BITS);
    let is_most = lanes.either(lanes.is_equal(rows[0][0], most), lanes.is_equal(rows[0][1], most));
    for row in &mut rows {
        for entry in row {
            *entry = lanes.negate_where(is_most, *entry, *entry);
        }
    }
    Matrix { rows }
}

/// The entries of a row, in lower halves.
#[inline(always)]
fn entries<L: Signed>(lanes: L, row: L::Word) -> [L::Word; 2] {
    [row, lanes.shr(lanes.add(row, lanes.splat(1 << 31)), 32)]
}
