//! Greatest common divisors and inverses of eight pairs, and of twice eight, by division steps.
//!
//! Pairs (f, g), f odd, take 52 steps at a time until g is 0 in all lanes; then f is the greatest common
//! divisor or its negative. Pairs of numbers below 2^b with `g <= f` take at most `(45907 b + 26313) / 19929`
//! steps (the bound of Bernstein and Yang for `delta = 1/2`, computed by Wuille), and random ones about 2.08
//! b. Digits that both numbers of all lanes only continue are dropped.
//!
//! For inverses, (d, e) with `d a = f` and `e a = g mod m` take the same steps. A round of 52 steps adds at
//! most m/2 to |d| and |e|, so that they stay below `(1 + rounds / 2) m`.

use core::array::{from_fn, from_mut};

use limbforge_limb::slice::bits::bit_len;

use super::digits::{enter, leave};
use super::divsteps::divide_steps;
use super::lanes::{DIGIT_BITS, MASK, WIDTH, Words};
use super::path::{Path, with_lanes};
use super::residue::{negate, reduce};
use super::signed::Signed;
use super::steps::{apply, apply_modulo, extension};
use crate::integer::montgomery::negated_inverse;
use crate::invariant::broken_invariant;

/// Groups of eight pairs that are computed together.
pub(crate) const GROUPS: usize = 2;

/// Eight pairs of numbers, the first one odd.
pub(crate) type Pairs<'a> = [[&'a [u64]; WIDTH]; 2];

/// Memory of division steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Euclid {
    groups: [Group; GROUPS],
    columns: Vec<Words>,
}

/// Eight pairs and what they have come to.
#[derive(Clone, Debug, Default)]
struct Group {
    f: Vec<Words>,
    g: Vec<Words>,
    /// `delta - 1/2`.
    delta: Words,
    /// The factors of a, and the moduli: of no digits if they are not wanted.
    d: Vec<Words>,
    e: Vec<Words>,
    moduli: Vec<Words>,
    negated_inverses: Words,
    /// Whether all g are 0.
    is_done: bool,
}

impl Euclid {
    /// Writes the greatest common divisors of one group of pairs or two.
    pub(crate) fn divisors(&mut self, path: Path, results: &mut [[&mut [u64]; WIDTH]], pairs: &[Pairs<'_>]) {
        with_lanes!(path, lanes => {
            self.run(lanes, pairs, false);
            for (group, results) in self.groups.iter_mut().zip(results) {
                group.finish(lanes);
                leave(lanes, results.each_mut().map(|result| &mut **result), &group.f, &mut self.columns);
            }
        });
    }

    /// Writes the inverses of the second numbers of the pairs modulo the first ones, which are not smaller.
    /// Returns a bit for each lane of each group: whether there is an inverse.
    pub(crate) fn inverses(
        &mut self,
        path: Path,
        results: &mut [[&mut [u64]; WIDTH]],
        pairs: &[Pairs<'_>],
    ) -> [u8; GROUPS] {
        let mut coprime = [0; GROUPS];
        with_lanes!(path, lanes => {
            self.run(lanes, pairs, true);
            for ((group, results), coprime) in self.groups.iter_mut().zip(results).zip(&mut coprime) {
                *coprime = group.finish(lanes);
                leave(lanes, results.each_mut().map(|result| &mut **result), &group.d, &mut self.columns);
            }
        });
        coprime
    }

    /// Takes steps until all second numbers are 0, of one group or two.
    fn run<L: Signed>(&mut self, lanes: L, pairs: &[Pairs<'_>], wants_inverses: bool) {
        let Self { groups, columns } = self;
        let mut rounds = 0;
        for (group, pairs) in groups.iter_mut().zip(pairs) {
            rounds = rounds.max(group.start(lanes, *pairs, wants_inverses, columns));
        }
        let [first, _] = groups;
        if pairs.len() == 1 { steps(lanes, from_mut(first), rounds) } else { steps(lanes, groups, rounds) }
    }
}

/// Rounds of steps that the numbers below `2^bits` take at most.
const fn most_rounds(bits: u32) -> u32 {
    ((45_907 * bits as u64 + 26_313) / 19_929).div_ceil(DIGIT_BITS as u64) as u32
}

/// Runs the groups to their ends.
fn steps<L: Signed, const N: usize>(lanes: L, groups: &mut [Group; N], rounds: u32) {
    lanes.run(
        #[inline(always)]
        || {
            for _ in 0..=rounds {
                if groups.iter().all(|group| group.is_done) {
                    return;
                }
                let mut lowest = [[Words::ZERO; 2]; N];
                let mut deltas = [Words::ZERO; N];
                for i in 0..N {
                    (lowest[i], deltas[i]) = ([groups[i].f[0], groups[i].g[0]], groups[i].delta);
                }
                let matrices = divide_steps(lanes, lowest, &mut deltas);
                for i in 0..N {
                    groups[i].delta = deltas[i];
                    if !groups[i].is_done {
                        advance(lanes, &mut groups[i], matrices[i].rows);
                    }
                }
            }
            broken_invariant("division steps end");
        },
    );
}

/// Takes the steps of a matrix.
#[inline(always)]
fn advance<L: Signed>(lanes: L, group: &mut Group, matrix: [[L::Word; 2]; 2]) {
    let Group { f, g, d, e, moduli, negated_inverses, is_done, .. } = group;
    let rest = apply(lanes, f, g, matrix);
    if !moduli.is_empty() {
        apply_modulo(lanes, d, e, matrix, moduli, lanes.load(negated_inverses));
    }
    *is_done = lanes.lanes_of(lanes.is_equal(rest, lanes.splat(0))) == u8::MAX;
    if is_extended(lanes, f) && is_extended(lanes, g) {
        f.pop();
        g.pop();
    }
}

/// Whether the highest digits only continue the signs of those below.
#[inline(always)]
fn is_extended<L: Signed>(lanes: L, x: &[Words]) -> bool {
    let [.., below, top] = x else { return false };
    lanes.lanes_of(lanes.is_equal(extension(lanes, lanes.load(below)), lanes.load(top))) == u8::MAX
}

impl Group {
    /// Takes pairs; returns how many rounds of steps they take at most.
    fn start<L: Signed>(
        &mut self,
        lanes: L,
        [f, g]: Pairs<'_>,
        wants_inverses: bool,
        columns: &mut Vec<Words>,
    ) -> u32 {
        let bits = (0..WIDTH).map(|lane| bit_len(f[lane]).max(bit_len(g[lane]))).max().unwrap_or(0);
        let n = (bits + 1).div_ceil(DIGIT_BITS) as usize;
        for (room, numbers) in [(&mut self.f, f), (&mut self.g, g)] {
            room.resize(n, Words::ZERO);
            enter(lanes, room, numbers, columns);
        }
        (self.delta, self.is_done) = (Words::ZERO, false);
        let rounds = most_rounds(bits);
        let n = if wants_inverses {
            let above = u32::BITS - (rounds / 2 + 1).leading_zeros();
            (bits + above + 1).div_ceil(DIGIT_BITS) as usize
        } else {
            0
        };
        for room in [&mut self.d, &mut self.e, &mut self.moduli] {
            room.clear();
            room.resize(n, Words::ZERO);
        }
        if let Some(lowest) = self.e.first_mut() {
            *lowest = Words([1; WIDTH]);
            enter(lanes, &mut self.moduli, f, columns);
            self.negated_inverses = Words(from_fn(|lane| negated_inverse(f[lane][0]) & MASK));
        }
        rounds
    }

    /// Makes f positive and d the inverse, from 0 to `m - 1`. Returns the lanes where `f = 1`.
    fn finish<L: Signed>(&mut self, lanes: L) -> u8 {
        let Self { f, d, moduli, .. } = self;
        let signs = f.last().copied().unwrap_or_default();
        negate(lanes, f, &signs);
        if !d.is_empty() {
            negate(lanes, d, &signs);
            reduce(lanes, d, moduli);
        }
        let is_one = |lane: usize| f.iter().enumerate().all(|(i, digit)| digit.0[lane] == u64::from(i == 0));
        (0..WIDTH).map(|lane| u8::from(is_one(lane)) << lane).sum()
    }
}
