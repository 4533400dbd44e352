//! Eight neighbouring divisions of unsigned numbers, from their operands to their results without copies.

use core::array::from_fn;

use limbforge_limb::Base;
use limbforge_limb::slice::bits::significant;

use super::super::class::Division;
use super::super::eight::{gather, operands, results, rows, scatter};
use super::super::instances::Instances;
use super::super::memory::Memory;
use super::Divisions;
use super::lengths::{are_alike, lengths};
use crate::vector::{Path, WIDTH};

/// Computes the divisions from `first` on, with both results where there are remainders. Returns false, and
/// does nothing, unless all of them can run in vectors.
pub(super) fn eight<B: Base>(
    path: Path,
    op: Division,
    instances: &mut Instances<'_, B>,
    first: usize,
    remainders: Option<&mut [B]>,
    divisions: &mut Divisions,
    memory: &mut Memory<B>,
) -> bool {
    if instances.ty.is_signed() || op == Division::DivExact || instances.len() - first < WIDTH {
        return false;
    }
    let [a_room, b_room, room, second_room] = &mut memory.words;
    let [a, b] = operands::<B, 2>(instances, first);
    let (mut a, mut b) = (gather(a, a_room), gather(b, b_room));
    let mut all = [[0; 2]; WIDTH];
    for ((a, b), found) in a.iter_mut().zip(&mut b).zip(&mut all) {
        (*a, *b) = (significant(a), significant(b));
        let Some(lengths) = lengths(a, b) else { return false };
        *found = lengths;
    }
    if !are_alike(&all.into_iter()) {
        return false;
    }
    let (divider, m) = (&mut divisions.divider, instances.out_m);
    let mut out = results(instances, first);
    let none = || from_fn(|_| Default::default());
    match remainders {
        Some(remainders) => {
            let mut rests = rows(&mut remainders[first * m..], m);
            scatter(&mut out, room, |quotients| {
                scatter(&mut rests, second_room, |rests| divider.run(path, quotients, rests, a, b));
            });
        }
        None if op.is_remainder() => scatter(&mut out, room, |rests| divider.run(path, none(), rests, a, b)),
        None => scatter(&mut out, room, |quotients| divider.run(path, quotients, none(), a, b)),
    }
    true
}
