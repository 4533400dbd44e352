//! Divisions of unsigned numbers, from their operands to their results without copies: those of a tile are
//! sorted by their lengths, so that eight that run together take about the same time, two that run together
//! the same steps, and one after another the same branches.

use core::array::from_fn;
use core::mem::take;

use limbforge_limb::Base;
use limbforge_limb::slice::bits::significant;
use limbforge_limb::slice::div::short::{MOST, MOST_OF_QUOTIENTS};

use super::super::class::Division;
use super::super::division::long::{self, AT_ONCE};
use super::super::division::short::{self, SORTED};
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
            None => alone(op, instances, rest, remainders.as_deref_mut(), memory),
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

/// Computes the first division, or those of like lengths that follow; returns how many.
fn alone<B: Base>(
    op: Division,
    instances: &mut Instances<'_, B>,
    rest: &[Sorted],
    remainders: Option<&mut [B]>,
    memory: &mut Memory<B>,
) -> usize {
    let Lengths { quotient, divisor } = rest[0].lengths();
    let only_quotients = op.is_quotient() && remainders.is_none();
    let has_words = B::as_words(&[]).is_some();
    let alike = || {
        let kind = |of: &Sorted| (of.lengths().divisor, of.lengths().quotient.min(2));
        &rest[..rest.iter().take_while(|other| kind(other) == kind(&rest[0])).count()]
    };
    let most = if only_quotients { MOST_OF_QUOTIENTS } else { MOST };
    let is_short = has_words && op.has_both() && quotient > 0 && (1..=most).contains(&divisor);
    let is_long = |of: &&Sorted| of.lengths().divisor > MOST && of.lengths().quotient > 1;
    let mut run = &rest[..1];
    if only_quotients && quotient == 0 && divisor > 0 {
        run = alike();
        for division in run {
            instances.result(division.instance()).fill(B::ZERO);
        }
    } else if only_quotients && quotient == 1 && (divisor > 1 || !has_words) {
        run = alike();
        for division in run {
            if !by_top_limbs(instances, division.instance(), divisor) {
                one(op, instances, *division, None, memory);
            }
        }
    } else if is_short && (divisor <= MOST || alike().len() > 1) {
        run = alike();
        // Only two together have code for longer divisors.
        let odd = if divisor <= MOST { 0 } else { run.len() % 2 };
        run = &run[..run.len() - odd];
        short::run(op, instances, run, divisor, remainders);
    } else if has_words && only_quotients && is_long(&&rest[0]) && instances.ty.bits() <= SORTED {
        // Few, so that the next ones are weighed against vectors.
        run = &rest[..rest.iter().take(AT_ONCE).take_while(is_long).count()];
        long::run(instances, run, &mut memory.scratch);
    } else {
        one(op, instances, rest[0], remainders, memory);
    }
    run.len()
}

/// Computes a division by the algorithm for its lengths.
fn one<B: Base>(
    op: Division,
    instances: &mut Instances<'_, B>,
    division: Sorted,
    remainders: Option<&mut [B]>,
    memory: &mut Memory<B>,
) {
    let (ty, m, instance) = (instances.ty, instances.out_m, division.instance());
    let rest = remainders.map(|remainders| &mut remainders[instance * m..][..m]);
    instances.try_one(instance, |out, operands| value(op, memory, ty, out, operands, rest));
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
