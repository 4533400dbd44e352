//! Operands and results of eight neighbouring instances, in machine words for vectors.

use core::array::from_fn;

use limbforge_limb::Base;
use limbforge_limb::slice::words::{pack, unpack, words_for};

use super::instances::Instances;
use crate::invariant::broken_invariant;
use crate::vector::WIDTH;

/// The K operands of eight instances from `first` on: no limbs beyond the last instance. Inlined: copies of
/// these arrays take as long as a short product.
#[inline(always)]
pub(super) fn operands<'t, B: Base, const K: usize>(
    instances: &Instances<'t, B>,
    first: usize,
) -> [[&'t [B]; WIDTH]; K] {
    let mut eight = [[&[][..]; WIDTH]; K];
    for lane in 0..WIDTH.min(instances.len() - first) {
        for (eight, operand) in eight.iter_mut().zip(instances.operands::<K>(first + lane)) {
            eight[lane] = operand;
        }
    }
    eight
}

/// The results of eight instances from `first` on: no limbs beyond the last instance.
#[inline(always)]
pub(super) fn results<'i, B: Base>(
    instances: &'i mut Instances<'_, B>,
    first: usize,
) -> [&'i mut [B]; WIDTH] {
    let m = instances.out_m;
    rows(&mut instances.out[first * m..], m)
}

/// Eight numbers of m limbs that follow each other: no limbs beyond the last one.
#[inline(always)]
pub(super) fn rows<B: Base>(limbs: &mut [B], m: usize) -> [&mut [B]; WIDTH] {
    let mut rows = limbs.chunks_exact_mut(m);
    from_fn(|_| rows.next().unwrap_or_default())
}

/// The numbers at these places among numbers of m limbs, all different: no limbs where there is no place.
pub(super) fn rows_of<B: Base>(
    limbs: &mut [B],
    m: usize,
    places: [Option<usize>; WIDTH],
) -> [&mut [B]; WIDTH] {
    let ranges = places.map(|place| place.map_or(0..0, |place| place * m..(place + 1) * m));
    limbs
        .get_disjoint_mut(ranges)
        .unwrap_or_else(|_| broken_invariant("instances have a result of their own"))
}

/// The words of eight numbers: their limbs, or copies in `room`.
#[inline(always)]
pub(super) fn gather<'w, B: Base>(numbers: [&'w [B]; WIDTH], room: &'w mut Vec<u64>) -> [&'w [u64]; WIDTH] {
    if B::as_words(&[]).is_some() {
        // A loop: functions of arrays that take closures are calls.
        let mut words = [&[][..]; WIDTH];
        for (words, number) in words.iter_mut().zip(numbers) {
            *words = B::as_words(number).unwrap_or_default();
        }
        return words;
    }
    let lengths = numbers.map(|number| words_for::<B>(number.len()));
    room.clear();
    room.resize(lengths.iter().sum(), 0);
    let mut rest = &mut room[..];
    from_fn(|lane| {
        let words = rest.split_off_mut(..lengths[lane]).unwrap_or_default();
        pack(words, numbers[lane]);
        &*words
    })
}

/// Has the words of eight results written, in their limbs or in `room`, from which they are copied.
pub(super) fn scatter<B: Base>(
    results: &mut [&mut [B]; WIDTH],
    room: &mut Vec<u64>,
    write: impl FnOnce([&mut [u64]; WIDTH]),
) {
    if B::as_words(&[]).is_some() {
        return write(results.each_mut().map(|result| B::as_words_mut(result).unwrap_or_default()));
    }
    let lengths = results.each_ref().map(|result| words_for::<B>(result.len()));
    room.clear();
    room.resize(lengths.iter().sum(), 0);
    let mut rest = &mut room[..];
    write(lengths.map(|len| rest.split_off_mut(..len).unwrap_or_default()));
    let mut rest = &room[..];
    for (result, len) in results.iter_mut().zip(lengths) {
        unpack(result, rest.split_off(..len).unwrap_or_default());
    }
}

/// The first `count` of eight numbers of so many words that follow each other, and `none` for the others.
pub(super) fn lanes<'w>(
    numbers: &'w [u64],
    words: usize,
    count: usize,
    none: &'w [u64],
) -> [&'w [u64]; WIDTH] {
    let mut rows = numbers.chunks_exact(words).take(count);
    from_fn(|_| rows.next().unwrap_or(none))
}

/// As [`lanes`], for results: no words for the others.
pub(super) fn lanes_mut(numbers: &mut [u64], words: usize, count: usize) -> [&mut [u64]; WIDTH] {
    let mut rows = numbers.chunks_exact_mut(words).take(count);
    from_fn(|_| rows.next().unwrap_or_default())
}
