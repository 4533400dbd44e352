//! Pairs that are computed together.

use core::array::from_fn;
use core::cmp::Reverse;
use core::mem::take;

use limbforge_limb::slice::bits::{bit, significant};
use limbforge_limb::slice::words::{pack, unpack};
use limbforge_limb::{Base, IntType};

use super::super::Why;
use super::super::eight::lanes_mut;
use super::super::instances::Instances;
use super::super::memory::{Memory, negate_residue_if};
use super::Wanted;
use super::prepare::{Form, exchange_back, make_residue};
use crate::integer::gcd::{Alike, prepare};
use crate::integer::packed::{as_words, shift_up};
use crate::vector::{Euclid, GROUPS, Pairs, Path, WIDTH};

/// Pairs of a tile, in words, with their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    pairs: Vec<Pair>,
    /// Words of a number.
    words: usize,
    /// One odd number of each pair, and the other one.
    odd: Vec<u64>,
    others: Vec<u64>,
    /// Of a group of up to sixteen.
    results: Vec<u64>,
    arithmetic: Euclid,
}

/// A pair that was gathered: its numbers are those of its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) instance: usize,
    row: usize,
    form: Form,
    /// Whether the number whose inverse is wanted is negative.
    negative: bool,
    /// Words of the longer number.
    len: usize,
}

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pushed {
    Gathered,
    /// It is better computed alone.
    Alone,
    /// Its greatest common divisor is in the row that is next, without so many factors 2.
    Divisor(u32),
}

impl Pair {
    pub(super) const fn len(&self) -> usize {
        self.len
    }
}

impl Gathered {
    /// The pairs, the longest first.
    pub(super) fn sorted(&mut self) -> Vec<Pair> {
        let mut pairs = take(&mut self.pairs);
        pairs.sort_unstable_by_key(|pair| (Reverse(pair.len), pair.instance));
        pairs
    }

    /// Makes room for so many pairs of numbers of so many words.
    pub(super) fn prepare(&mut self, count: usize, words: usize) {
        self.pairs.clear();
        self.words = words;
        for numbers in [&mut self.odd, &mut self.others] {
            numbers.resize(count * words, 0);
        }
        self.results.resize(GROUPS * WIDTH * words, 0);
    }

    /// Takes a pair if it is better computed with others.
    pub(super) fn push<B: Base>(
        &mut self,
        wanted: Wanted,
        instance: usize,
        ty: IntType,
        operands: [&[B]; 2],
        memory: &mut Memory<B>,
    ) -> Pushed {
        let [(a, negative), (b, _)] = memory.magnitudes.of(ty, operands);
        let row = self.pairs.len();
        let range = row * self.words..(row + 1) * self.words;
        let (odd, other) = (&mut self.odd[range.clone()], &mut self.others[range]);
        pack(other, a);
        pack(odd, b);
        let (form, len) = match wanted {
            Wanted::Divisor => match prepare(odd, other, &mut memory.scratch) {
                (twos, None) => return Pushed::Divisor(twos),
                (twos, Some(Alike { len })) => {
                    if !bit(odd, 0) {
                        odd.swap_with_slice(other);
                    }
                    (Form::Twos(twos), len)
                }
            },
            Wanted::Inverse => match make_residue(odd, other, &mut memory.scratch) {
                Some(form) => (form, significant(odd).len()),
                None => return Pushed::Alone,
            },
        };
        self.pairs.push(Pair { instance, row, form, negative, len });
        Pushed::Gathered
    }

    /// Writes a divisor that was found on the way, and its factors 2.
    pub(super) fn write_divisor<B: Base>(&self, out: &mut [B], twos: u32) {
        unpack(out, &self.odd[self.pairs.len() * self.words..][..self.words]);
        shift_up(out, twos);
    }

    /// Computes up to sixteen pairs and writes their results.
    pub(super) fn finish<B: Base>(
        &mut self,
        path: Path,
        wanted: Wanted,
        pairs: &[Pair],
        instances: &mut Instances<'_, B>,
        memory: &mut Memory<B>,
    ) {
        let coprime = self.compute(path, wanted, pairs);
        let Self { words, odd, results, .. } = self;
        let ty = instances.ty;
        for (lane, (pair, result)) in pairs.iter().zip(results.chunks_exact_mut(*words)).enumerate() {
            let odd = &odd[pair.row * *words..][..*words];
            let has_result = coprime[lane / WIDTH] >> (lane % WIDTH) & 1 == 1;
            instances.try_one(pair.instance, |out, [_, modulus]: [&[B]; 2]| {
                if !has_result {
                    return Err(Why::NoInverse);
                }
                if wanted == Wanted::Inverse {
                    let [(modulus, _)] = memory.magnitudes.of(ty, [modulus]);
                    let modulus = as_words(modulus);
                    if pair.form == Form::Exchanged {
                        exchange_back(result, &modulus, odd, &mut memory.scratch);
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
    fn compute(&mut self, path: Path, wanted: Wanted, pairs: &[Pair]) -> [u8; GROUPS] {
        let Self { words, odd, others, results, arithmetic, .. } = self;
        let (words, count) = (*words, pairs.len());
        let mut rows = results.chunks_exact_mut(WIDTH * words);
        let mut out: [_; GROUPS] =
            from_fn(|group| lanes_mut(rows.next().unwrap_or_default(), words, in_group(count, group)));
        let operands: [Pairs<'_>; GROUPS] = from_fn(|group| {
            let rows = from_fn(|lane| pairs.get(group * WIDTH + lane).map(|pair| pair.row));
            [of_rows(odd, words, rows, &[1]), of_rows(others, words, rows, &[])]
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

/// The numbers of these rows, and `none` where there is no row.
fn of_rows<'w>(
    numbers: &'w [u64],
    words: usize,
    rows: [Option<usize>; WIDTH],
    none: &'w [u64],
) -> [&'w [u64]; WIDTH] {
    rows.map(|row| row.map_or(none, |row| &numbers[row * words..][..words]))
}
