//! Divisions of unsigned numbers in the order of their lengths: neighbours take the same branches, and about the
//! same time.

use limbforge_limb::Base;
use limbforge_limb::slice::bits::{bit_len, significant_len};
use limbforge_limb::slice::words::words_for;

use super::super::instances::Instances;
use super::super::octave::octave;
use super::lengths::Lengths;

/// Lengths, in words, below which each length has a place of its own: a sort without comparisons.
const PLACES: usize = 64;

/// A division, by its instance, and the words of its quotient and its divisor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sorted {
    instance: u32,
    quotient: u32,
    divisor: u32,
}

impl Sorted {
    #[inline(always)]
    pub(super) const fn instance(self) -> usize {
        self.instance as usize
    }

    #[inline(always)]
    pub(super) const fn lengths(self) -> Lengths {
        Lengths { quotient: self.quotient as usize, divisor: self.divisor as usize }
    }

    /// In order: divisors of about the same length, the longest first, and of these the longest quotients first.
    #[inline(always)]
    const fn keys(&self) -> [usize; 2] {
        [self.quotient as usize, octave(self.divisor as usize)]
    }
}

/// The divisions of a tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    divisions: Vec<Sorted>,
    room: Vec<Sorted>,
}

impl Order {
    /// All divisions, the longest first.
    pub(super) fn of<B: Base>(&mut self, instances: &Instances<'_, B>) -> &[Sorted] {
        let Self { divisions, room } = self;
        let longest = words_for::<B>(instances.ty.limbs::<B>());
        let (mut counts, mut lengths) = ([[0_u32; PLACES]; 2], [Usual::default(); 2]);
        divisions.resize(instances.len(), Sorted::default());
        for (instance, division) in divisions.iter_mut().enumerate() {
            let [a, b] = instances.operands(instance);
            let (a, b) = (lengths[0].of(a), lengths[1].of(b));
            let Lengths { quotient, divisor } = Lengths::of(a, b);
            let (quotient, divisor) = (quotient as u32, divisor as u32);
            *division = Sorted { instance: instance as u32, quotient, divisor };
            let [key, second_key] = division.keys();
            counts[0][key % PLACES] += 1;
            counts[1][second_key % PLACES] += 1;
        }
        // A quotient by 0 is one longer.
        if longest + 1 >= PLACES {
            let key = |[quotient, divisor]: [usize; 2]| !((divisor as u64) << u32::BITS | quotient as u64);
            divisions.sort_unstable_by_key(|division| key(division.keys()));
            return divisions;
        }
        let all = divisions.len() as u32;
        if !counts.iter().all(|counts| counts.contains(&all)) {
            room.resize(divisions.len(), Sorted::default());
            place(divisions, room, &mut counts[0], |[quotient, _]| quotient);
            place(room, divisions, &mut counts[1], |[_, divisor]| divisor);
        }
        divisions
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

/// Sorts by keys below [`PLACES`], the highest first; equal ones stay in order. `counts` says how many have each
/// key.
fn place(from: &[Sorted], to: &mut [Sorted], counts: &mut [u32; PLACES], key: impl Fn([usize; 2]) -> usize) {
    let mut next = 0;
    for place in counts.iter_mut().rev() {
        (*place, next) = (next, next + *place);
    }
    for division in from {
        let place = &mut counts[key(division.keys()) % PLACES];
        to[*place as usize] = *division;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use limbforge_limb::IntType;

    use super::super::super::instances::Operand;
    use super::*;

    #[test]
    fn the_longest_divisors_and_quotients_come_first() {
        for m in [5, 63, 64, 150] {
            let number = |i: usize| (0..m).map(move |j| u64::from(j < i % (m + 1)));
            let limbs = |factor: usize| (0..300).flat_map(|i| number(i * factor)).collect::<Vec<_>>();
            let (a, b, mut out) = (limbs(7), limbs(13), vec![0; 300 * m]);
            let operands = [&a, &b].map(|limbs| Operand { limbs: &limbs[..], stride: m });
            let ty = IntType::unsigned(64 * m as u64).unwrap();
            let fail = &mut |_, _| ();
            let instances = Instances { ty, out: &mut out, out_m: m, operands: &operands, first: 0, fail };
            let mut order = Order::default();
            let sorted = order.of(&instances);
            assert!(sorted.is_sorted_by(|a, b| (octave(a.lengths().divisor), a.lengths().quotient)
                >= (octave(b.lengths().divisor), b.lengths().quotient)));
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
