//! The integer square root, of any length: Zimmermann's recursion ("Karatsuba Square Root", INRIA RR-3805,
//! 1999).
//!
//! One division by the root of the upper half of the words gives the lower half of the root, exact or one too
//! large. The root alone takes a quotient without its remainder in the last step. `base` has roots of one or two
//! words, in registers, `recursion` those above. `docs/isqrt.md` has the proofs.

use core::{iter, mem};

use limbforge_limb::Base;
use limbforge_limb::slice::mul::rows::multiple;
use limbforge_limb::slice::{add, bits, shift, sub, words};

use super::Scratch;

mod base;
mod begun;
mod long;
mod recursion;

pub(crate) use begun::Begun;

/// `root = floor(sqrt(a))`, `remainder = a - root^2`, which is at most twice the root.
///
/// ```
/// use limbforge_algos::integer::{Scratch, isqrt::isqrt_rem};
/// let (mut root, mut remainder) = ([0; 2], [0; 2]);
/// isqrt_rem(&mut root, &mut remainder, &[5_u64, 1], &mut Scratch::default());
/// assert_eq!((root, remainder), ([1 << 32, 0], [5, 0]));
/// ```
///
/// # Panics
/// Unless all have one length.
pub fn isqrt_rem<B: Base>(root: &mut [B], remainder: &mut [B], a: &[B], scratch: &mut Scratch) {
    assert!(root.len() == a.len() && remainder.len() == a.len(), "operands of one length");
    if let (Some(root), Some(a)) = (B::as_words_mut(root), B::as_words(a))
        && let Some(remainder) = B::as_words_mut(remainder)
    {
        return of_words(root, Some(remainder), a, scratch);
    }
    of_limbs(root, Some(remainder), a, scratch);
}

/// `root = floor(sqrt(a))`.
///
/// # Panics
/// Unless both have one length.
pub fn isqrt<B: Base>(root: &mut [B], a: &[B], scratch: &mut Scratch) {
    assert!(root.len() == a.len(), "operands of one length");
    if let (Some(root), Some(a)) = (B::as_words_mut(root), B::as_words(a)) {
        return of_words(root, None, a, scratch);
    }
    of_limbs(root, None, a, scratch);
}

/// The root of other limbs than words, by words.
fn of_limbs<B: Base>(root: &mut [B], remainder: Option<&mut [B]>, a: &[B], scratch: &mut Scratch) {
    let mut packed = mem::take(&mut scratch.packed_root);
    packed.iter_mut().for_each(|words| words.resize(words::words_for::<B>(a.len()), 0));
    let [number, found, rest] = &mut packed;
    words::pack(number, a);
    of_words(found, remainder.is_some().then_some(&mut rest[..]), number, scratch);
    words::unpack(root, found);
    if let Some(remainder) = remainder {
        words::unpack(remainder, rest);
    }
    scratch.packed_root = packed;
}

/// The root of words, of as many, and its remainder if it is wanted.
#[inline]
fn of_words(root: &mut [u64], remainder: Option<&mut [u64]>, a: &[u64], scratch: &mut Scratch) {
    let number = bits::significant(a);
    let Some(normalised) = Normalised::new(number) else {
        root.fill(0);
        return remainder.into_iter().for_each(|rest| rest.fill(0));
    };
    match remainder {
        Some(remainder) => normalised.root_and_remainder(root, remainder, scratch),
        None if number.len() <= 4 => normalised.short_root(root),
        None => normalised.root(root, scratch),
    }
}

/// A number that is shifted by whole words and bits.
struct Normalised<'a> {
    number: &'a [u64],
    odd: usize,
    bits: u32,
}

impl<'a> Normalised<'a> {
    /// A number without zeros at the top, shifted by an even number of bits so that an even number of words has one
    /// of its two top bits set. `None` of 0.
    #[inline(always)]
    fn new(number: &'a [u64]) -> Option<Self> {
        let bits = number.last()?.leading_zeros() & !1;
        Some(Self { number, odd: number.len() % 2, bits })
    }

    /// Words of the root.
    const fn len(&self) -> usize {
        self.number.len().div_ceil(2)
    }

    /// The bits that the root is shifted by, below 64.
    const fn root_bits(&self) -> u32 {
        self.odd as u32 * 32 + self.bits / 2
    }

    fn shift(&self, out: &mut [u64]) {
        let (zeros, shifted) = out.split_at_mut(self.odd);
        zeros.fill(0);
        shift::shl_bits(shifted, self.number, self.bits);
    }

    /// The root of up to four words.
    #[inline(always)]
    fn short_root(&self, root: &mut [u64]) {
        let shift = self.root_bits();
        let found = if let [.., high] = *self.number
            && self.number.len() <= 2
        {
            let low = if self.odd == 1 { 0 } else { self.number[0] };
            let a = (u128::from(high) << 64 | u128::from(low)) << self.bits;
            u128::from(base::of_two(a as u64, (a >> 64) as u64).0)
        } else {
            let mut a = [0; 4];
            self.shift(&mut a);
            let [low, high] = base::root_of_four(a);
            u128::from(high) << 64 | u128::from(low)
        } >> shift;
        for (i, root) in root.iter_mut().enumerate() {
            *root = if i < 2 { (found >> (64 * i)) as u64 } else { 0 };
        }
    }

    fn root(&self, root: &mut [u64], scratch: &mut Scratch) {
        let n = self.len();
        let mut memory = mem::take(&mut scratch.square_root);
        memory.resize(memory.len().max(3 * n + recursion::room(n)), 0);
        let (shifted, room) = memory.split_at_mut(2 * n);
        let (shifted_root, room) = room.split_at_mut(n);
        self.shift(shifted);
        recursion::sqrt(shifted_root, shifted, room, scratch);
        write_root(root, shifted_root, self.root_bits());
        scratch.square_root = memory;
    }

    /// With S the root of `a 4^e` and R its remainder, `root = floor(S / 2^e)` and f the rest of that division,
    /// `a - root^2 = (R + f (2 S - f)) / 4^e`.
    fn root_and_remainder(&self, root: &mut [u64], remainder: &mut [u64], scratch: &mut Scratch) {
        let (n, e) = (self.len(), self.root_bits());
        let mut memory = mem::take(&mut scratch.square_root);
        memory.resize(memory.len().max(3 * n + 2 + recursion::room(n)), 0);
        let (shifted, room) = memory.split_at_mut(2 * n + 2);
        let (shifted_root, room) = room.split_at_mut(n);
        self.shift(&mut shifted[..2 * n]);
        let over = recursion::sqrt_rem(shifted_root, &mut shifted[..2 * n], room, scratch);
        let rest = &mut shifted[..n + 2];
        (rest[n], rest[n + 1]) = (over.into(), 0);
        let f = shifted_root[0] & !(u64::MAX << e);
        if f > 0 {
            for _ in 0..2 {
                let above = multiple::add(&mut rest[..n], shifted_root, f);
                add::add_assign(&mut rest[n..], &[above], false);
            }
            let square = u128::from(f) * u128::from(f);
            sub::sub_assign(rest, &[square as u64, (square >> 64) as u64], false);
        }
        write_shifted(remainder, rest, 2 * e);
        write_root(root, shifted_root, e);
        scratch.square_root = memory;
    }
}

/// `out = floor(a / 2^shift)`, for a shift below a word, of as many words as a or more.
fn write_root(out: &mut [u64], a: &[u64], shift: u32) {
    let (out, above) = out.split_at_mut(a.len());
    above.fill(0);
    shift::shr(out, a, shift);
}

/// `out = floor(a / 2^shift)`, which fits, with zeros above.
fn write_shifted(out: &mut [u64], a: &[u64], shift: u32) {
    let kept = &a[(shift / 64) as usize..];
    let above = kept.iter().skip(1).chain([&0]);
    let pairs = kept.iter().zip(above).map(|(&word, &above)| u128::from(above) << 64 | u128::from(word));
    let words = pairs.map(|pair| (pair >> (shift % 64)) as u64);
    out.iter_mut().zip(words.chain(iter::repeat(0))).for_each(|(out, word)| *out = word);
}
