//! Strong tests of eight numbers, each with its own base: powers, then squares.

use core::array::from_fn;
use core::mem::{swap, take};

use limbforge_limb::slice::{bits, sub};

use crate::integer::Scratch;
use crate::integer::packed::shift_right;
use crate::integer::primality::is_strong_probable_prime;
use crate::op::eight::{lanes, lanes_mut};
use crate::vector::{Path, PathOfPowers, Powers, Residues, WIDTH};

/// Up to eight tests that are computed together, with their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct StrongTests {
    tests: Vec<Test>,
    powers: Powers,
    residues: Residues,
    values: Vec<u64>,
    squares: Vec<u64>,
}

/// A test of an odd number above 2^64, trimmed, to a base that is not a multiple of it.
#[derive(Clone, Debug)]
struct Test {
    instance: usize,
    n: Vec<u64>,
    base: Vec<u64>,
    /// `n - 1 = d 2^twos`.
    twos: u32,
}

impl StrongTests {
    pub(super) fn len(&self) -> usize {
        self.tests.len()
    }

    pub(super) fn push(&mut self, instance: usize, n: &[u64], base: &[u64]) {
        let mut below = n.to_vec();
        sub::decrement(&mut below, true);
        let twos = bits::trailing_zeros(&below);
        self.tests.push(Test { instance, n: n.to_vec(), base: base.to_vec(), twos });
    }

    /// Computes the tests that it took, one by one if they are fewer than `fewest`: instance, number, and
    /// whether it passes.
    pub(super) fn run(
        &mut self,
        path: Path,
        fewest: usize,
        scratch: &mut Scratch,
    ) -> Vec<(usize, Vec<u64>, bool)> {
        let tests = take(&mut self.tests);
        let passed = if tests.len() >= fewest {
            self.passed(path, &tests, scratch)
        } else {
            let mut passed = [false; WIDTH];
            for (passed, test) in passed.iter_mut().zip(&tests) {
                *passed = is_strong_probable_prime(&test.n, &test.base, scratch);
            }
            passed
        };
        tests.into_iter().zip(passed).map(|(test, passed)| (test.instance, test.n, passed)).collect()
    }

    fn passed(&mut self, path: Path, tests: &[Test], scratch: &mut Scratch) -> [bool; WIDTH] {
        let words = tests.iter().map(|test| test.n.len()).max().unwrap_or(0);
        for Test { n, base, twos, .. } in tests {
            let mut d = n.clone();
            shift_right(&mut d, *twos);
            self.powers.push(base, &d, n);
        }
        let Self { powers, residues, values, squares, .. } = self;
        for room in [&mut *values, squares] {
            room.clear();
            room.resize(WIDTH * words, 0);
        }
        for (row, (power, _)) in
            values.chunks_exact_mut(words).zip(powers.compute(PathOfPowers::Vectors(path), scratch))
        {
            row[..power.len()].copy_from_slice(power);
        }
        let mut passed = [false; WIDTH];
        for (passed, (row, test)) in passed.iter_mut().zip(values.chunks_exact(words).zip(tests)) {
            *passed = is_one(row) || is_minus_one(row, &test.n);
        }
        let rounds = tests.iter().zip(passed).filter(|(_, passed)| !passed).map(|(test, _)| test.twos).max();
        let moduli: [&[u64]; WIDTH] = from_fn(|lane| tests.get(lane).map_or(&[1][..], |test| &test.n));
        for round in 1..rounds.unwrap_or(0) {
            let factors = lanes(values, words, tests.len(), &[]);
            residues.multiply(path, lanes_mut(squares, words, tests.len()), factors, factors, moduli);
            swap(values, squares);
            for (passed, (row, test)) in passed.iter_mut().zip(values.chunks_exact(words).zip(tests)) {
                *passed |= round < test.twos && is_minus_one(row, &test.n);
            }
        }
        passed
    }
}

fn is_one(words: &[u64]) -> bool {
    matches!(words.split_first(), Some((1, above)) if above.iter().all(|&word| word == 0))
}

/// Whether a residue is n - 1, for odd n.
fn is_minus_one(words: &[u64], n: &[u64]) -> bool {
    let (low, above) = words.split_at(n.len());
    low[0] == n[0] - 1 && low[1..] == n[1..] && above.iter().all(|&word| word == 0)
}
