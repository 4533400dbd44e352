//! Divisions of short unsigned numbers: from their operands to their results, two at a time, without a choice
//! of the algorithm and without memory.

use limbforge_limb::Base;
use limbforge_limb::slice::div::short::{by_limbs, div_rem};

use super::super::class::Division;
use super::super::instances::{Instances, Operand};
use super::super::quotients::Sorted;
use crate::invariant::broken_invariant;
use crate::vector::path_of_divisions;

/// Bits of the longest numbers whose quotients are short, where the machine has vectors. Measured, and with
/// vectors, in runs of 4096: 0.078 and 0.087 microseconds at 768 bits, 0.107 and 0.100 at 1024.
const QUOTIENTS: u32 = 832;

/// The same for remainders, alone or with the quotients: 0.084 and 0.112, 0.115 and 0.135. Without vectors
/// for quotients, too: divisors of longer numbers have more than eight words, mostly.
const MOST: u32 = 1024;

/// Bits of the longest numbers that are sorted by their lengths where they are divided one by one.
pub(crate) const SORTED: u32 = 4096;

/// Whether divisions are sorted by their lengths and computed without vectors; `wants_both` if quotients and
/// remainders are wanted.
pub(super) fn are_sorted<B: Base>(op: Division, instances: &Instances<'_, B>, wants_both: bool) -> bool {
    let ty = instances.ty;
    if ty.is_signed() || B::as_words(&[]).is_none() {
        return false;
    }
    let is_only_quotient = !wants_both && op.is_quotient();
    let most = if op.has_both() && !is_only_quotient { MOST } else { QUOTIENTS };
    let vectors = op != Division::Divisible && path_of_divisions(ty.bits()).is_some();
    ty.bits() <= if vectors { most } else { SORTED }
}

/// Divisions by divisors of one length, one to eight words, sixteen for quotients alone, of dividends as long or
/// longer; by more than eight an even number. Remainders of all instances go to `remainders`, where both results
/// are wanted.
pub(in crate::op) fn run<B: Base>(
    op: Division,
    instances: &mut Instances<'_, B>,
    run: &[Sorted],
    divisor: usize,
    remainders: Option<&mut [B]>,
) {
    let mut remainders = remainders.map(words_mut);
    let mut tile = Words::of(instances);
    macro_rules! of_lengths {
        ($($n:literal)*) => {
            match divisor {
                $($n => tile.pairs::<$n>(op, run, remainders.as_deref_mut()),)*
                _ => broken_invariant("a short divisor has one to sixteen words"),
            }
        };
    }
    let last = of_lengths!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    for division in last {
        tile.one(op, division, divisor, remainders.as_deref_mut());
    }
}

/// Operands and results of a tile, in words.
struct Words<'i> {
    m: usize,
    out: &'i mut [u64],
    operands: [Operand<'i, u64>; 2],
    first: usize,
}

impl<'i> Words<'i> {
    fn of<B: Base>(instances: &'i mut Instances<'_, B>) -> Self {
        let [a, b] = instances.operands else { broken_invariant("a division has two operands") };
        let operands = [a, b].map(|of| Operand { limbs: words(of.limbs), stride: of.stride });
        Self { m: instances.out_m, out: words_mut(instances.out), operands, first: instances.first }
    }

    #[inline(always)]
    fn operands(&self, instance: usize) -> [&'i [u64]; 2] {
        let [a, b] = &self.operands;
        [a.get(self.first + instance, self.m), b.get(self.first + instance, self.m)]
    }

    /// Two divisions at a time, by divisors of N words; returns one that is left. The code for a length is chosen
    /// once for all.
    #[inline(never)]
    fn pairs<'r, const N: usize>(
        &mut self,
        op: Division,
        run: &'r [Sorted],
        mut remainders: Option<&mut [u64]>,
    ) -> &'r [Sorted] {
        let (pairs, last) = run.as_chunks::<2>();
        for pair in pairs {
            let [first, second] = pair.each_ref().map(|division| division.instance());
            let most = pair[0].lengths().dividend().max(pair[1].lengths().dividend());
            let ([a, b], [c, d]) = (self.operands(first), self.operands(second));
            let out = two(self.out, self.m, first, second);
            let none = [&mut [][..], &mut []];
            let (quotients, rests) = match remainders.as_deref_mut() {
                None if op.is_remainder() => (none, out),
                None => (out, none),
                Some(rests) => (out, two(rests, self.m, first, second)),
            };
            by_limbs::<u64, N, 2>(quotients, rests, [&a[..most], &c[..most]], [&b[..N], &d[..N]]);
        }
        last
    }

    /// A division alone, by a divisor of up to eight words.
    fn one(&mut self, op: Division, division: &Sorted, divisor: usize, remainders: Option<&mut [u64]>) {
        let (m, instance) = (self.m, division.instance());
        let [a, b] = self.operands(instance);
        let out = &mut self.out[instance * m..][..m];
        let (quotient, rest) = match remainders {
            None if op.is_remainder() => (&mut [][..], out),
            None => (out, &mut [][..]),
            Some(rests) => (out, &mut rests[instance * m..][..m]),
        };
        if !div_rem(quotient, rest, &a[..division.lengths().dividend()], &b[..divisor]) {
            broken_invariant("a short divisor is alone");
        }
    }
}

/// The words of limbs that are words.
pub(in crate::op) fn words<B: Base>(limbs: &[B]) -> &[u64] {
    B::as_words(limbs).unwrap_or_else(|| broken_invariant("the limbs are words"))
}

/// As [`words`].
pub(in crate::op) fn words_mut<B: Base>(limbs: &mut [B]) -> &mut [u64] {
    B::as_words_mut(limbs).unwrap_or_else(|| broken_invariant("the limbs are words"))
}

/// Two numbers of m words.
#[inline(always)]
fn two(words: &mut [u64], m: usize, first: usize, second: usize) -> [&mut [u64]; 2] {
    let (low, high) = words.split_at_mut(first.max(second) * m);
    let (low, high) = (&mut low[first.min(second) * m..][..m], &mut high[..m]);
    if first < second { [low, high] } else { [high, low] }
}
