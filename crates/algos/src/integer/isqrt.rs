//! The integer square root, of any length: Zimmermann's recursion ("Karatsuba Square Root", INRIA RR-3805,
//! 1999).
//!
//! One division by twice the root of the upper half of the words gives the lower half of the root, exact or
//! one too large. So the root costs about as much as a division and a square of its length.

use core::mem;

use limbforge_limb::Base;
use limbforge_limb::slice::{add, bits, shift, sub, words};

use super::packed::{packed, unpack};
use super::{Scratch, div::div_rem, products::Products};
use crate::invariant::broken_invariant;

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
    assert!(remainder.len() == a.len(), "operands of one length");
    isqrt(root, a, scratch);
    let (factor, mut rest) = (packed(root), packed(a));
    let mut square = vec![0; rest.len()];
    scratch.low(&mut square, &factor, &factor);
    sub::sub_assign(&mut rest, &square, false);
    unpack(remainder, rest);
}

/// `root = floor(sqrt(a))`.
///
/// # Panics
/// Unless both have one length.
pub fn isqrt<B: Base>(root: &mut [B], a: &[B], scratch: &mut Scratch) {
    assert!(root.len() == a.len(), "operands of one length");
    let [mut packed, mut memory] = mem::take(&mut scratch.square_root);
    packed.resize(words::words_for::<B>(a.len()), 0);
    words::pack(&mut packed, a);
    let number = bits::significant(&packed);
    let Some(top) = number.last() else { return root.fill(B::ZERO) };
    // Shifted by an even number of bits so that an even number of words has one of its two top bits set.
    let (odd, bits) = (number.len() % 2, top.leading_zeros() & !1);
    let n = number.len().div_ceil(2);
    memory.resize(memory.len().max(4 * n + 1 + room_for(n)), 0);
    let (shifted, room) = memory.split_at_mut(2 * n);
    shifted[..odd].fill(0);
    shift::shl(&mut shifted[odd..], number, bits);
    let (shifted_root, room) = room.split_at_mut(n);
    let (rest, room) = room.split_at_mut(n + 1);
    sqrt_rem(shifted_root, rest, shifted, room, scratch);

    packed[n..].fill(0);
    shift::shr(&mut packed[..n], shifted_root, odd as u32 * 32 + bits / 2);
    words::unpack(root, &packed);
    scratch.square_root = [packed, memory];
}

/// Words of room for a root of n: a dividend of n + 1, then the upper half's need, or divisor, quotient and
/// square if these are more.
const fn room_for(n: usize) -> usize {
    if n < 2 { 0 } else { 4 * n + 5 }
}

/// The root of 2n words, of which one of the two top bits is set, in n words, and the remainder in n + 1.
fn sqrt_rem(root: &mut [u64], rest: &mut [u64], a: &[u64], room: &mut [u64], scratch: &mut Scratch) {
    if let [low, high] = *a {
        let a = u128::from(high) << 64 | u128::from(low);
        let square_root = a.isqrt();
        let left = a - square_root * square_root;
        root[0] = square_root as u64;
        return rest.copy_from_slice(&[left as u64, (left >> 64) as u64]);
    }
    let n = a.len() / 2;
    let low = n / 2;
    let (lower, upper) = root.split_at_mut(low);
    let (dividend, room) = room.split_at_mut(n + 1);
    sqrt_rem(upper, &mut dividend[low..], &a[2 * low..], room, scratch);

    // The lower half of the root is the quotient of the remainder's first words by twice the upper half.
    dividend[..low].copy_from_slice(&a[low..2 * low]);
    let high = upper.len();
    let (divisor, room) = room.split_at_mut(high + 1);
    let (quotient, room) = room.split_at_mut(n + 1);
    let (square, _) = room.split_at_mut(n + 1);
    divisor[..high].copy_from_slice(upper);
    divisor[high] = 0;
    add::add_assign(divisor, upper, false);
    div_rem(quotient, &mut rest[low..], dividend, divisor, scratch)
        .unwrap_or_else(|_| broken_invariant("a divisor with its top bits is not zero"));
    rest[..low].copy_from_slice(&a[..low]);
    lower.copy_from_slice(&quotient[..low]);
    // A quotient of B^low makes the root one too large, and that may not fit its words.
    let overflow = add::increment(upper, quotient[low] != 0);

    let quotient = bits::significant(quotient);
    scratch.low(square, quotient, quotient);
    if sub::sub_assign(rest, square, false) {
        // One too large: with s - 1 the remainder is larger by 2 s - 1.
        add::add_assign(rest, root, false);
        rest[n] = rest[n].wrapping_add(overflow.into());
        sub::decrement(root, true);
        add::add_assign(rest, root, false);
    }
}
