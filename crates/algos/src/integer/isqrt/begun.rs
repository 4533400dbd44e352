//! A root that waits for a quotient, so that those of several roots are computed together.

use core::mem;

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::sub;

use super::recursion::{self, ESTIMATES, halve, upper_root};
use super::{Normalised, write_root};
use crate::integer::Scratch;

/// The upper half of a root, and what gives the lower one.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    /// Words of the lower half.
    low: usize,
    /// What [`upper_root`] returns.
    top: bool,
    /// Bits that the root is shifted by.
    shift: u32,
    words: Vec<u64>,
    /// The word whose place the zero below the dividend takes.
    below: u64,
    root: Vec<u64>,
}

impl Begun {
    /// Words of the longest root of a number of so many words, and of its quotient and divisor.
    pub(crate) const fn lengths(words: usize) -> [usize; 2] {
        let n = words.div_ceil(2);
        let low = n.saturating_sub(1) / 2;
        [low + 1, n - low]
    }

    /// Begins the root of a number without zeros at the top; `None` if it is short, or has a lower half of ones.
    pub(crate) fn new(number: &[u64], scratch: &mut Scratch) -> Option<Self> {
        let normalised = Normalised::new(number)?;
        let n = normalised.len();
        let low = n.saturating_sub(1) / 2;
        if low < ESTIMATES {
            return None;
        }
        let (mut words, mut root) = (vec![0; 2 * n], vec![0; n]);
        normalised.shift(&mut words);
        let mut room = mem::take(&mut scratch.square_root);
        room.resize(room.len().max(recursion::room(n)), 0);
        let top = upper_root(&mut root[low..], &mut words[2 * low..], &mut room, scratch);
        scratch.square_root = room;
        // Of the quotient one word more is wanted.
        let below = mem::take(&mut words[low - 1]);
        Some(Self { low, top: top?, shift: normalised.root_bits(), words, below, root })
    }

    /// The dividend.
    pub(crate) fn dividend(&self) -> &[u64] {
        &self.words[self.low - 1..self.low + self.root.len()]
    }

    /// The divisor, of one or two words more than the lower half.
    pub(crate) fn divisor(&self) -> &[u64] {
        &self.root[self.low..]
    }

    /// Writes the root by the quotient, rounded down. As in [`estimate`](recursion), a lower half is the root's for an
    /// odd quotient, and otherwise where two units of a word below it are left; else the remainder decides.
    pub(crate) fn finish(mut self, out: &mut [u64], quotient: &[u64], scratch: &mut Scratch) {
        let (guard, quotient) = (quotient[0], &quotient[1..=self.low]);
        self.root[..self.low].copy_from_slice(quotient);
        let is_odd = halve(&mut self.root[..self.low], self.top);
        if !is_odd && guard < 2 && self.is_large(quotient, scratch) {
            sub::decrement(&mut self.root, true);
        }
        write_root(out, &self.root, self.shift);
    }

    /// Whether an even quotient gives a lower half that is one too large.
    #[cold]
    fn is_large(&mut self, quotient: &[u64], scratch: &mut Scratch) -> bool {
        let n = self.root.len();
        let (q, s) = self.root.split_at(self.low);
        let mut room = vec![0; 2 * n];
        let (factor, multiple) = room[..2 * s.len()].split_at_mut(s.len());
        factor[..self.low].copy_from_slice(quotient);
        scratch.product.low(multiple, Factors::Pair(factor, s));
        self.words[self.low - 1] = self.below;
        sub::sub_assign(&mut self.words[self.low..n], multiple, false);
        recursion::is_large(q, &self.words[..n], &mut room, scratch)
    }
}
