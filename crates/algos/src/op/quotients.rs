//! Divisions eight at a time in vectors. Those of unsigned numbers are sorted by their lengths; others are
//! gathered. Those with short divisors or quotients, and those that fail, are computed where they are found.

mod lengths;
mod order;
pub(super) mod sorted;

use core::array::from_fn;
use core::mem::take;

use limbforge_limb::Base;
use limbforge_limb::slice::bits::significant;
use limbforge_limb::slice::words::{unpack, words_for};
use limbforge_limb::slice::{add, cmp};

use super::Why;
use super::class::Division;
use super::division::{Rounding, value};
use super::eight::{lanes, lanes_mut};
use super::instances::Instances;
use super::memory::{Memory, negate_if};
use crate::integer::packed::as_words;
use crate::vector::{Divider, Path, WIDTH};
pub(in crate::op) use lengths::Lengths;
use order::Order;
pub(super) use order::Sorted;

/// Up to eight divisions of absolute values, in words, with their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Divisions {
    gathered: Vec<Gathered>,
    /// Words of a number.
    words: usize,
    dividends: Vec<u64>,
    divisors: Vec<u64>,
    quotients: Vec<u64>,
    remainders: Vec<u64>,
    divider: Divider,
    order: Order,
}

/// A division that was gathered.
#[derive(Clone, Copy, Debug)]
struct Gathered {
    instance: usize,
    /// Whether dividend and divisor are negative.
    negative: [bool; 2],
    lengths: Lengths,
}

impl Divisions {
    /// Makes room for numbers of so many words.
    fn prepare(&mut self, words: usize) {
        self.gathered.clear();
        self.words = words;
        for numbers in [&mut self.dividends, &mut self.divisors, &mut self.quotients, &mut self.remainders] {
            numbers.resize(WIDTH * words, 0);
        }
    }

    /// Writes the quotients of divisions by numbers that are not zero.
    pub(super) fn divide(
        &mut self,
        path: Path,
        quotients: [&mut [u64]; WIDTH],
        dividends: [&[u64]; WIDTH],
        divisors: [&[u64]; WIDTH],
    ) {
        self.divider.run(path, quotients, from_fn(|_| Default::default()), dividends, divisors);
    }

    /// Takes a division of absolute values; returns false if it is better computed alone.
    fn push(&mut self, instance: usize, [a, b]: [&[u64]; 2], negative: [bool; 2]) -> bool {
        let (a, b) = (significant(a), significant(b));
        let lengths = Lengths::of(a.len(), b.len());
        if !lengths.are_long() {
            return false;
        }
        let at = self.gathered.len() * self.words;
        for (numbers, number) in [(&mut self.dividends, a), (&mut self.divisors, b)] {
            let (low, high) = numbers[at..at + self.words].split_at_mut(number.len());
            low.copy_from_slice(number);
            high.fill(0);
        }
        self.gathered.push(Gathered { instance, negative, lengths });
        true
    }

    /// Computes the quotients, and the remainders if they are wanted.
    fn run(&mut self, path: Path, wants_remainders: bool) {
        let Self { gathered, words, dividends, divisors, quotients, remainders, divider, .. } = self;
        let (words, count) = (*words, gathered.len());
        divider.run(
            path,
            lanes_mut(quotients, words, count),
            lanes_mut(remainders, words, if wants_remainders { count } else { 0 }),
            lanes(dividends, words, count, &[]),
            lanes(divisors, words, count, &[1]),
        );
    }
}

/// Computes eight divisions at a time; the last ones one by one if they are fewer than `fewest`. Remainders
/// go to `remainders`, where both results are wanted.
pub(super) fn in_vectors<B: Base>(
    path: Path,
    fewest: usize,
    op: Division,
    mut instances: Instances<'_, B>,
    mut remainders: Option<&mut [B]>,
    memory: &mut Memory<B>,
) {
    let ty = instances.ty;
    if !ty.is_signed() && op != Division::DivExact {
        return sorted::all(Some((path, fewest)), op, &mut instances, remainders, memory);
    }
    let mut divisions = take(&mut memory.divisions);
    divisions.prepare(words_for::<B>(ty.limbs::<B>()));
    for i in 0..instances.len() {
        let [(a, a_negative), (b, b_negative)] = memory.magnitudes.of(ty, instances.operands::<2>(i));
        if !divisions.push(i, [&as_words(a), &as_words(b)], [a_negative, b_negative]) {
            one(op, &mut instances, i, remainders.as_deref_mut(), memory);
        } else if divisions.gathered.len() == WIDTH {
            finish(path, fewest, op, &mut instances, remainders.as_deref_mut(), &mut divisions, memory);
        }
    }
    finish(path, fewest, op, &mut instances, remainders, &mut divisions, memory);
    memory.divisions = divisions;
}

/// Computes the divisions that were gathered.
fn finish<B: Base>(
    path: Path,
    fewest: usize,
    op: Division,
    instances: &mut Instances<'_, B>,
    mut remainders: Option<&mut [B]>,
    divisions: &mut Divisions,
    memory: &mut Memory<B>,
) {
    let wants_remainders = op != Division::Div || remainders.is_some();
    let all = divisions.gathered.iter().map(|division| division.lengths);
    let alone = divisions.gathered.len() < fewest || !Lengths::are_faster_together(all, wants_remainders);
    if !alone {
        divisions.run(path, wants_remainders);
    }
    for (lane, division) in take(&mut divisions.gathered).into_iter().enumerate() {
        let remainders = remainders.as_deref_mut();
        if alone {
            one(op, instances, division.instance, remainders, memory);
        } else {
            write(op, instances, remainders, division, divisions, lane);
        }
    }
}

/// Computes one division where it is.
fn one<B: Base>(
    op: Division,
    instances: &mut Instances<'_, B>,
    instance: usize,
    remainders: Option<&mut [B]>,
    memory: &mut Memory<B>,
) {
    let (ty, m) = (instances.ty, instances.out_m);
    let rest = remainders.map(|remainders| &mut remainders[instance * m..][..m]);
    instances.try_one(instance, |out, operands| value(op, memory, ty, out, operands, rest));
}

/// Writes the results of a lane.
fn write<B: Base>(
    op: Division,
    instances: &mut Instances<'_, B>,
    remainders: Option<&mut [B]>,
    Gathered { instance, negative, .. }: Gathered,
    divisions: &mut Divisions,
    lane: usize,
) {
    let row = lane * divisions.words..(lane + 1) * divisions.words;
    let [quotient, rest] =
        [&mut divisions.quotients, &mut divisions.remainders].map(|numbers| &mut numbers[row.clone()]);
    let (divisor, m, rounding) = (&divisions.divisors[row.clone()], instances.out_m, Rounding::of(op));
    let is_exact = op == Division::Div && remainders.is_none() || cmp::is_zero(rest);
    add::increment(quotient, !is_exact && rounding.is_away(negative));
    negate_if(negative[0] != negative[1], quotient);
    let only_rest = op.is_remainder();
    if only_rest || remainders.is_some() {
        rounding.sign(rest, divisor, negative);
    }
    if let Some(remainders) = remainders {
        unpack(&mut remainders[instance * m..][..m], rest);
    }
    instances.try_one(instance, |out, _: [_; 2]| {
        unpack(out, if only_rest { rest } else { quotient });
        if op == Division::DivExact && !is_exact { Err(Why::NotDivisible) } else { Ok(()) }
    });
}
