//! Greatest common divisors and inverses by division steps, eight pairs at a time in vectors, or sixteen. Pairs
//! of a tile are gathered and sorted by their lengths; those that fail or whose lengths are very different are
//! computed where they are found.

mod gathered;
mod prepare;
mod times;

use core::mem::take;

use limbforge_limb::slice::words::words_for;
use limbforge_limb::{Base, IntType};

use super::gcd::{divisor, divisor_of_word};
use super::instances::Instances;
use super::memory::Memory;
use super::{Why, modular::inverse};
use crate::vector::{Path, path_of_divisors, path_of_inverses};
pub(crate) use gathered::Gathered;
use gathered::{Pair, Pushed};

/// What is wanted of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Divisor,
    Inverse,
}

/// The greatest common divisor, or the inverse of the first number modulo the second, of each instance.
pub(super) fn pairs<B: Base>(wanted: Wanted, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let ty = instances.ty;
    let path = match wanted {
        Wanted::Divisor => path_of_divisors(ty.bits()),
        Wanted::Inverse => path_of_inverses(ty.bits()),
    };
    match path {
        Some((path, fewest)) if instances.len() >= fewest => {
            in_vectors(path, fewest, wanted, instances, memory);
        }
        _ => instances.try_each(|out, operands| wanted.one(ty, out, operands, memory)),
    }
}

impl Wanted {
    fn one<B: Base>(
        self,
        ty: IntType,
        out: &mut [B],
        operands: [&[B]; 2],
        memory: &mut Memory<B>,
    ) -> Result<(), Why> {
        match self {
            Self::Divisor => {
                divisor(ty, out, operands, memory);
                Ok(())
            }
            Self::Inverse => inverse(ty, out, operands, memory),
        }
    }
}

fn in_vectors<B: Base>(
    path: Path,
    fewest: usize,
    wanted: Wanted,
    mut instances: Instances<'_, B>,
    memory: &mut Memory<B>,
) {
    let (ty, count) = (instances.ty, instances.len());
    let mut gathered = take(&mut memory.pairs);
    gathered.prepare(count, words_for::<B>(ty.limbs::<B>()));
    for i in 0..count {
        let operands = instances.operands(i);
        if wanted == Wanted::Divisor && divisor_of_word(ty, instances.result(i), operands, memory) {
            continue;
        }
        match gathered.push(wanted, i, ty, operands, memory) {
            Pushed::Gathered => {}
            Pushed::Alone => instances.try_one(i, |out, operands| wanted.one(ty, out, operands, memory)),
            Pushed::Divisor(twos) => gathered.write_divisor(instances.result(i), twos),
        }
    }
    let sorted = gathered.sorted();
    let mut rest = &sorted[..];
    while let [first, others @ ..] = rest {
        let together = times::together(wanted, fewest, &rest.iter().map(Pair::len));
        if together > 0 {
            let (group, others) = rest.split_at(together);
            gathered.finish(path, wanted, group, &mut instances, memory);
            rest = others;
        } else {
            instances.try_one(first.instance, |out, operands| wanted.one(ty, out, operands, memory));
            rest = others;
        }
    }
    memory.pairs = gathered;
}
