//! Divisions of unsigned numbers in the order of their lengths: neighbours take the same branches, and about the
//! same time.

use core::cmp::Reverse;

use limbforge_limb::Base;
use limbforge_limb::slice::bits::{bit_len, significant_len};
use limbforge_limb::slice::div::short;
use limbforge_limb::slice::words::words_for;

use super::super::instances::Instances;
use super::super::octave::octave;
use super::lengths::Lengths;

/// Words of the longest types whose lengths have places of their own: a sort without comparisons.
const MOST: usize = 64;

/// A division, by its instance, and the words of its quotient and its divisor.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::op) struct Sorted {
    instance: u32,
    quotient: u32,
    divisor: u32,
}

impl Sorted {
    #[inline(always)]
    pub(in crate::op) const fn instance(self) -> usize {
        self.instance as usize
    }

    #[inline(always)]
    pub(in crate::op) const fn lengths(self) -> Lengths {
        Lengths { quotient: self.quotient as usize, divisor: self.divisor as usize }
    }

    /// In order: divisors of about the same length, the longest first, and of these the longest quotients first.
    #[inline(always)]
    fn keys(&self) -> [usize; 2] {
        [class(self.divisor as usize), self.quotient as usize]
    }
}

/// Divisors in order: short ones by their lengths, which decide about the code that runs, others by octaves.
#[inline(always)]
fn class(divisor: usize) -> usize {
    if divisor <= short::MOST_OF_QUOTIENTS { divisor } else { octave(divisor) + 1 }
}

/// The divisions of a tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    divisions: Vec<Sorted>,
    room: Vec<Sorted>,
    counts: Vec<u32>,
}

impl Order {
    /// All divisions, the longest first.
    pub(super) fn of<B: Base>(&mut self, instances: &Instances<'_, B>) -> &[Sorted] {
        let Self { divisions, room, counts } = self;
        let longest = words_for::<B>(instances.ty.limbs::<B>());
        // A quotient by 0 is one longer.
        let quotients = longest + 2;
        let has_places = longest <= MOST;
        counts.clear();
        counts.resize(if has_places { (class(longest) + 1) * quotients } else { 1 }, 0);
        let place = |[divisor, quotient]: [usize; 2]| {
            if has_places { divisor * quotients + quotient } else { 0 }
        };
        let mut lengths = [Usual::default(); 2];
        divisions.resize(instances.len(), Sorted::default());
        for (instance, division) in divisions.iter_mut().enumerate() {
            let [a, b] = instances.operands(instance);
            let (a, b) = (lengths[0].of(a), lengths[1].of(b));
            let Lengths { quotient, divisor } = Lengths::of(a, b);
            let (quotient, divisor) = (quotient as u32, divisor as u32);
            *division = Sorted { instance: instance as u32, quotient, divisor };
            counts[place(division.keys())] += 1;
        }
        if !has_places {
            divisions.sort_unstable_by_key(|division| Reverse(division.keys()));
            return divisions;
        }
        if divisions.first().is_none_or(|first| counts[place(first.keys())] as usize == divisions.len()) {
            return divisions;
        }
        let mut next = 0;
        for count in counts.iter_mut().rev() {
            (*count, next) = (next, next + *count);
        }
        room.resize(divisions.len(), Sorted::default());
        for division in &*divisions {
            let at = &mut counts[place(division.keys())];
            room[*at as usize] = *division;
            *at += 1;
        }
        room
    }
}

/// Other lengths than the usual one after which it is not tried any more.
const FEW: u32 = 4;

/// The length of most numbers, if they have one: all but a few random numbers of a width have the same.
#[derive(Clone, Copy, Debug, Default)]
struct Usual {
    words: usize,
    others: u32,
}

impl Usual {
    /// The words of a number without the zeros at its top.
    #[inline(always)]
    fn of<B: Base>(&mut self, x: &[B]) -> usize {
        if B::as_words(&[]).is_none() {
            return bit_len(x).div_ceil(u64::BITS) as usize;
        }
        if self.others < FEW
            && let Some((below, above)) = x.split_at_checked(self.words)
            && below.last().is_some_and(|&limb| limb != B::ZERO)
            && above.iter().fold(B::ZERO, |bits, &limb| bits | limb) == B::ZERO
        {
            return self.words;
        }
        self.others += 1;
        self.words = significant_len(x);
        self.words
    }
}

#[cfg(test)]
mod tests {
    use limbforge_limb::IntType;

    use super::super::super::instances::Operand;
    use super::*;

    #[test]
    fn the_longest_divisors_and_quotients_come_first() {
        for m in [5, 16, 63, 64, 65, 150] {
            let number = |i: usize| (0..m).map(move |j| u64::from(j < i % (m + 1)));
            let limbs = |factor: usize| (0..300).flat_map(|i| number(i * factor)).collect::<Vec<_>>();
            let (a, b, mut out) = (limbs(7), limbs(13), vec![0; 300 * m]);
            let operands = [&a, &b].map(|limbs| Operand { limbs: &limbs[..], stride: m });
            let ty = IntType::unsigned(64 * m as u64).unwrap();
            let fail = &mut |_, _| ();
            let instances = Instances { ty, out: &mut out, out_m: m, operands: &operands, first: 0, fail };
            let mut order = Order::default();
            let sorted = order.of(&instances);
            assert!(sorted.is_sorted_by(|a, b| a.keys() >= b.keys()));
            let same = |a: &Sorted, b: &Sorted| octave(a.lengths().divisor) == octave(b.lengths().divisor);
            assert!(sorted.is_sorted_by(|a, b| same(a, b) || a.lengths().divisor > b.lengths().divisor));
            let mut all: Vec<_> = sorted.iter().map(|division| division.instance()).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..300));
            for division in sorted {
                let [a, b] = [7, 13].map(|factor| factor * division.instance() % (m + 1));
                assert_eq!(division.lengths(), Lengths::of(a, b));
            }
        }
    }
}
