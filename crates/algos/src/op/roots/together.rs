//! Square roots eight at a time: the quotients that give the lower halves of the roots, in vectors. The longest
//! roots come first, so that eight take about the same time.

use core::array::from_fn;
use core::cmp::Reverse;

use limbforge_limb::Base;
use limbforge_limb::slice::bits::significant;
use limbforge_limb::slice::words::{unpack, words_for};

use super::super::instances::Instances;
use super::super::memory::Memory;
use super::super::quotients::Lengths;
use super::root_of_one;
use crate::integer::isqrt::Begun;
use crate::integer::packed::as_words;
use crate::vector::{Path, WIDTH};

/// Computes all roots, of groups of at least `fewest` where it takes less time in vectors.
pub(super) fn in_vectors<B: Base>(
    path: Path,
    fewest: usize,
    mut instances: Instances<'_, B>,
    memory: &mut Memory<B>,
) {
    let words = |i| words_for::<B>(significant(instances.operands::<1>(i)[0]).len());
    let mut order: Vec<_> = (0..instances.len()).map(|i| (words(i), i)).collect();
    order.sort_unstable_by_key(|&(words, i)| (Reverse(words), i));
    let mut rest = &order[..];
    while !rest.is_empty() {
        let group = &rest[..rest.len().min(WIDTH)];
        let lengths = group.iter().map(|&(words, _)| {
            let [quotient, divisor] = Begun::lengths(words);
            Lengths { quotient, divisor }
        });
        let [together, one_by_one] = Lengths::times(lengths, false);
        // By divisors in their place quotients take less than the model says.
        let is_faster = group.len() >= fewest && 3 * together < 2 * one_by_one;
        let count = if is_faster { group.len() } else { 1 };
        if is_faster {
            eight(path, &mut instances, group, memory);
        } else {
            alone(&mut instances, group[0].1, memory);
        }
        rest = &rest[count..];
    }
}

fn alone<B: Base>(instances: &mut Instances<'_, B>, instance: usize, memory: &mut Memory<B>) {
    let ty = instances.ty;
    instances.try_one(instance, |out, [a]| root_of_one(ty, out, a, &mut memory.scratch));
}

/// Computes up to eight roots; one by one those of negative and of short numbers.
fn eight<B: Base>(
    path: Path,
    instances: &mut Instances<'_, B>,
    group: &[(usize, usize)],
    memory: &mut Memory<B>,
) {
    let ty = instances.ty;
    let begun: [Option<Begun>; WIDTH] = from_fn(|lane| {
        let [a] = instances.operands(group.get(lane)?.1);
        if super::is_negative(a, ty) {
            return None;
        }
        let words = as_words(significant(a));
        Begun::new(significant(&words), &mut memory.scratch)
    });
    let dividends = begun.each_ref().map(|root| root.as_ref().map_or(&[][..], Begun::dividend));
    let divisors = begun.each_ref().map(|root| root.as_ref().map_or(&[1][..], Begun::divisor));
    let len = dividends.iter().map(|dividend| dividend.len()).max().unwrap_or_default();
    let [quotients, ..] = &mut memory.words;
    quotients.resize(WIDTH * len, 0);
    if len > 0 {
        let mut rows = quotients.chunks_exact_mut(len);
        let rows = from_fn(|_| rows.next().unwrap_or_default());
        memory.divisions.divide(path, rows, dividends, divisors);
    }
    for (lane, (&(_, instance), begun)) in group.iter().zip(begun).enumerate() {
        let Some(begun) = begun else {
            alone(instances, instance, memory);
            continue;
        };
        let [quotients, found, ..] = &mut memory.words;
        let out = instances.result(instance);
        found.resize(words_for::<B>(out.len()), 0);
        begun.finish(found, &quotients[lane * len..(lane + 1) * len], &mut memory.scratch);
        unpack(out, found);
    }
}
