//! Divisions of unsigned numbers, from their operands to their results without copies: those of a tile are
//! sorted by their lengths, so that eight that run together take about the same time, two that run together
//! the same steps, and one after another the same branches.

use core::array::from_fn;
use core::mem::take;

use limbforge_limb::Base;
use limbforge_limb::slice::bits::significant;
use limbforge_limb::slice::div::short::MOST;

use super::super::class::Division;
use super::super::division::short::{self, SORTED, pair};
use super::super::division::{by_top_limbs, value};
use super::super::eight::{gather, rows_of, scatter};
use super::super::instances::Instances;
use super::super::memory::Memory;
use super::Divisions;
use super::lengths::Lengths;
use super::order::Sorted;
use crate::vector::{Path, WIDTH};

/// Computes all divisions, with both results where there are remainders; in vectors, where there is a path and
/// it takes less time.
pub(in crate::op) fn all<B: Base>(
    vectors: Option<(Path, usize)>,
    op: Division,
    instances: &mut Instances<'_, B>,
    mut remainders: Option<&mut [B]>,
    memory: &mut Memory<B>,
) {
    let mut order = take(&mut memory.divisions.order);
    let wants_rests = remainders.is_some() || op.is_remainder();
    let mut rest = order.of(instances);
    while !rest.is_empty() {
        let together = vectors.and_then(|(path, fewest)| Some((path, group(rest, fewest, wants_rests)?)));
        let count = match together {
            Some((path, group)) => {
                eight(path, op, instances, group, remainders.as_deref_mut(), memory);
                group.len()
            }
            None => few(op, instances, rest, remainders.as_deref_mut(), memory),
        };
        rest = &rest[count..];
    }
    memory.divisions.order = order;
}

/// The first divisions, up to eight, if they take less time in vectors.
fn group(rest: &[Sorted], fewest: usize, wants_rests: bool) -> Option<&[Sorted]> {
    let count = rest.iter().take(WIDTH).take_while(|division| division.lengths().are_long()).count();
    let group = &rest[..count];
    let all = group.iter().map(|division| division.lengths());
    (count >= fewest && Lengths::are_faster_together(all, wants_rests)).then_some(group)
}

/// Computes the first division, or the first two; returns how many.
#[inline(always)]
fn few<B: Base>(
    op: Division,
    instances: &mut Instances<'_, B>,
    rest: &[Sorted],
    mut remainders: Option<&mut [B]>,
    memory: &mut Memory<B>,
) -> usize {
    let (first, lengths) = (rest[0].instance(), rest[0].lengths());
    if lengths.quotient == 1 && remainders.is_none() && by_top_limbs(op, instances, first) {
        return 1;
    }
    let has_words = B::as_words(&[]).is_some();
    let is_short = has_words && (1..=MOST).contains(&lengths.divisor) && lengths.quotient > 0;
    if is_short
        && let [_, second, ..] = rest
        && second.lengths().divisor == lengths.divisor
        && second.lengths().quotient > 0
        && pair(
            op,
            instances,
            [first, second.instance()],
            [lengths.dividend().max(second.lengths().dividend()), lengths.divisor],
            remainders.as_deref_mut(),
        )
    {
        return 2;
    }
    let (ty, m) = (instances.ty, instances.out_m);
    let is_long = has_words && !is_short && lengths.divisor > 0 && ty.bits() <= SORTED;
    let mut rest = remainders.map(|remainders| &mut remainders[first * m..][..m]);
    instances.try_one(first, |out, operands| {
        let is_done = is_short && short::one(op, out, operands, rest.as_deref_mut())
            || is_long && rest.is_none() && short::long(op, out, operands, lengths, &mut memory.scratch);
        if is_done { Ok(()) } else { value(op, memory, ty, out, operands, rest) }
    });
    1
}

/// Computes up to eight divisions in vectors.
fn eight<B: Base>(
    path: Path,
    op: Division,
    instances: &mut Instances<'_, B>,
    group: &[Sorted],
    remainders: Option<&mut [B]>,
    memory: &mut Memory<B>,
) {
    let Memory { words: [a_room, b_room, room, second_room], divisions: Divisions { divider, .. }, .. } =
        memory;
    let one = [B::ONE];
    let (mut a, mut b) = ([&[][..]; WIDTH], [&one[..]; WIDTH]);
    for (lane, division) in group.iter().enumerate() {
        [a[lane], b[lane]] = instances.operands(division.instance()).map(significant);
    }
    let (a, b) = (gather(a, a_room), gather(b, b_room));
    let m = instances.out_m;
    // Lanes without a division have no result.
    let places = from_fn(|lane| group.get(lane).map(|division| division.instance()));
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
