//! Pairs that are computed together.

use core::array::from_fn;

use limbforge_limb::slice::bits::significant;
use limbforge_limb::slice::words::{pack, unpack};
use limbforge_limb::{Base, IntType};

use super::super::Why;
use super::super::eight::{lanes, lanes_mut};
use super::super::instances::Instances;
use super::super::memory::{Memory, negate_residue_if};
use super::Wanted;
use super::prepare::{Form, exchange_back, make_odd, make_residue, shift_up};
use crate::integer::packed::as_words;
use crate::vector::{Euclid, GROUPS, Pairs, Path, WIDTH};

/// Up to sixteen pairs, in words, with their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    pairs: Vec<Pair>,
    /// Words of a number.
    words: usize,
    /// One odd number of each pair, and the other one.
    odd: Vec<u64>,
    others: Vec<u64>,
    results: Vec<u64>,
    arithmetic: Euclid,
}

/// A pair that was gathered.
#[derive(Clone, Copy, Debug)]
struct Pair {
    instance: usize,
    form: Form,
    /// Whether the number whose inverse is wanted is negative.
    negative: bool,
    /// Words of the longer number.
    len: usize,
}

/// A pair is computed alone if one number has more than so many times the words of the other.
const ALIKE: usize = 4;

/// Eight pairs in vectors, or sixteen, take as long as so many of the longest one by one. Measured: at 256
/// bits 6.3 and 7.5, at 1024 bits 4 and 5.4.
const WORTH: usize = 6;

impl Gathered {
    pub(super) const fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.len() == GROUPS * WIDTH
    }

    /// Gives up the pairs, and returns their instances.
    pub(super) fn instances(&mut self) -> impl Iterator<Item = usize> {
        self.pairs.drain(..).map(|pair| pair.instance)
    }

    /// Makes room for numbers of so many words.
    pub(super) fn prepare(&mut self, words: usize) {
        self.pairs.clear();
        self.words = words;
        for numbers in [&mut self.odd, &mut self.others, &mut self.results] {
            numbers.resize(GROUPS * WIDTH * words, 0);
        }
    }

    /// Takes a pair; returns false if it is better computed alone.
    pub(super) fn push<B: Base>(
        &mut self,
        wanted: Wanted,
        instance: usize,
        ty: IntType,
        operands: [&[B]; 2],
        memory: &mut Memory<B>,
    ) -> bool {
        let [(a, negative), (b, _)] = memory.magnitudes.of(ty, operands);
        let row = self.pairs.len() * self.words..(self.pairs.len() + 1) * self.words;
        let (odd, other) = (&mut self.odd[row.clone()], &mut self.others[row]);
        pack(other, a);
        pack(odd, b);
        let form = match wanted {
            Wanted::Divisor => make_odd(odd, other),
            Wanted::Inverse => make_residue(odd, other, &mut memory.scratch),
        };
        let (shorter, longer) = (significant(odd).len(), significant(other).len());
        let (shorter, longer) = (shorter.min(longer), shorter.max(longer));
        let Some(form) = form.filter(|_| longer <= ALIKE * shorter) else { return false };
        self.pairs.push(Pair { instance, form, negative, len: longer });
        true
    }

    /// Whether the pairs are alike enough for vectors, which take the time of the longest for each.
    pub(super) fn are_alike(&self) -> bool {
        let lengths = self.pairs.iter().map(|pair| pair.len);
        let longest = lengths.clone().max().unwrap_or(0);
        lengths.sum::<usize>() >= WORTH * longest
    }

    /// Computes the pairs and writes their results.
    pub(super) fn finish<B: Base>(
        &mut self,
        path: Path,
        wanted: Wanted,
        instances: &mut Instances<'_, B>,
        memory: &mut Memory<B>,
    ) {
        let coprime = self.compute(path, wanted);
        let Self { pairs, words, odd, results, .. } = self;
        let ty = instances.ty;
        for (lane, pair) in pairs.drain(..).enumerate() {
            let row = lane * *words..(lane + 1) * *words;
            let result = &mut results[row.clone()];
            let has_result = coprime[lane / WIDTH] >> (lane % WIDTH) & 1 == 1;
            instances.try_one(pair.instance, |out, [_, modulus]: [&[B]; 2]| {
                if !has_result {
                    return Err(Why::NoInverse);
                }
                if wanted == Wanted::Inverse {
                    let [(modulus, _)] = memory.magnitudes.of(ty, [modulus]);
                    let modulus = as_words(modulus);
                    if pair.form == Form::Exchanged {
                        exchange_back(result, &modulus, &odd[row], &mut memory.scratch);
                    }
                    negate_residue_if(pair.negative, result, &modulus);
                }
                unpack(out, result);
                if let Form::Twos(twos) = pair.form {
                    shift_up(out, twos);
                }
                Ok(())
            });
        }
    }

    /// Writes the rows of the results. Returns a bit for each lane of each group: whether it has one.
    fn compute(&mut self, path: Path, wanted: Wanted) -> [u8; GROUPS] {
        let Self { pairs, words, odd, others, results, arithmetic } = self;
        let (words, count) = (*words, pairs.len());
        let mut rows = results.chunks_exact_mut(WIDTH * words);
        let mut out: [_; GROUPS] =
            from_fn(|group| lanes_mut(rows.next().unwrap_or_default(), words, in_group(count, group)));
        let operands: [Pairs<'_>; GROUPS] = from_fn(|group| {
            let from = group * WIDTH * words;
            let count = in_group(count, group);
            [lanes(&odd[from..], words, count, &[1]), lanes(&others[from..], words, count, &[])]
        });
        let groups = count.div_ceil(WIDTH);
        let (out, operands) = (&mut out[..groups], &operands[..groups]);
        match wanted {
            Wanted::Divisor => {
                arithmetic.divisors(path, out, operands);
                [u8::MAX; GROUPS]
            }
            Wanted::Inverse => arithmetic.inverses(path, out, operands),
        }
    }
}

/// The lanes of a group that are in use.
fn in_group(count: usize, group: usize) -> usize {
    count.saturating_sub(group * WIDTH).min(WIDTH)
}
