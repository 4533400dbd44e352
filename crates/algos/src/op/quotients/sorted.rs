//! Divisions of unsigned numbers, from their operands to their results without copies: those of a tile are
//! sorted by their lengths, so that eight that run together take about the same time.

use core::array::from_fn;
use core::mem::take;

use limbforge_limb::Base;
use limbforge_limb::slice::bits::{bit_len, significant};

use super::super::class::Division;
use super::super::division::by_top_limbs;
use super::super::eight::{gather, rows_of, scatter};
use super::super::instances::Instances;
use super::super::memory::Memory;
use super::super::octave::octave;
use super::lengths::{Lengths, lengths};
use super::{Divisions, one};
use crate::vector::{Path, WIDTH};

/// A division, by its instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sorted {
    instance: usize,
    lengths: Lengths,
}

impl Sorted {
    /// In order: divisors of about the same length, the longest first, and of these the longest quotients first.
    const fn key(&self) -> u64 {
        let (quotient, divisor) = (self.lengths.quotient as u64, octave(self.lengths.divisor) as u64);
        (!(divisor << 24 | quotient) << 24) | self.instance as u64
    }
}

/// Computes all divisions, with both results where there are remainders.
pub(super) fn all<B: Base>(
    path: Path,
    fewest: usize,
    op: Division,
    instances: &mut Instances<'_, B>,
    mut remainders: Option<&mut [B]>,
    divisions: &mut Divisions,
    memory: &mut Memory<B>,
) {
    let mut sorted = take(&mut divisions.sorted);
    sorted.clear();
    for instance in 0..instances.len() {
        if remainders.is_none() && by_top_limbs(op, instances, instance) {
            continue;
        }
        let [a, b] = instances.operands(instance).map(|x| bit_len(x).div_ceil(u64::BITS) as usize);
        match lengths(a, b) {
            Some(lengths) => sorted.push(Sorted { instance, lengths }),
            None => one(op, instances, instance, remainders.as_deref_mut(), memory),
        }
    }
    sorted.sort_unstable_by_key(Sorted::key);
    let wants_rests = remainders.is_some() || op.is_remainder();
    let mut rest = &sorted[..];
    while let [first, others @ ..] = rest {
        let group = &rest[..rest.len().min(WIDTH)];
        let all = group.iter().map(|division| division.lengths);
        if group.len() >= fewest && Lengths::are_faster_together(all, wants_rests) {
            eight(path, op, instances, group, remainders.as_deref_mut(), divisions, memory);
            rest = &rest[group.len()..];
        } else {
            one(op, instances, first.instance, remainders.as_deref_mut(), memory);
            rest = others;
        }
    }
    divisions.sorted = sorted;
}

/// Computes up to eight divisions in vectors.
fn eight<B: Base>(
    path: Path,
    op: Division,
    instances: &mut Instances<'_, B>,
    group: &[Sorted],
    remainders: Option<&mut [B]>,
    divisions: &mut Divisions,
    memory: &mut Memory<B>,
) {
    let [a_room, b_room, room, second_room] = &mut memory.words;
    let one = [B::ONE];
    let (mut a, mut b) = ([&[][..]; WIDTH], [&one[..]; WIDTH]);
    for (lane, division) in group.iter().enumerate() {
        [a[lane], b[lane]] = instances.operands(division.instance).map(significant);
    }
    let (a, b) = (gather(a, a_room), gather(b, b_room));
    let (divider, m) = (&mut divisions.divider, instances.out_m);
    // Lanes without a division have no result.
    let places = from_fn(|lane| group.get(lane).map(|division| division.instance));
    let mut out = rows_of(instances.out, m, places);
    let none = || from_fn(|_| Default::default());
    match remainders {
        Some(remainders) => {
            let mut rests = rows_of(remainders, m, places);
            scatter(&mut out, room, |quotients| {
                scatter(&mut rests, second_room, |rests| divider.run(path, quotients, rests, a, b));
            });
        }
        None if op.is_remainder() => scatter(&mut out, room, |rests| divider.run(path, none(), rests, a, b)),
        None => scatter(&mut out, room, |quotients| divider.run(path, quotients, none(), a, b)),
    }
}
