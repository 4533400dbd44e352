//! The integer square root, of any length: Zimmermann's recursion ("Karatsuba Square Root", INRIA RR-3805, 1999).
//!
//! The root of the upper half of the words gives, by one division by its double, the lower half of the root, exact or one too
//! large. So the root costs about as much as a division and a square of its length.

use limbforge_limb::Base;
use limbforge_limb::slice::{add, bits, cmp, shift, sub, words};

use crate::div::{self, Products, Words, div_rem};

/// Memory that roots are computed in; reused, one per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    division: div::Scratch,
    products: Words,
}

/// `root = floor(sqrt(a))`, `remainder = a - root^2`, which is at most twice the root.
///
/// ```
/// use limbforge_algos::isqrt::{Scratch, isqrt_rem};
/// let (mut root, mut remainder) = ([0; 2], [0; 2]);
/// isqrt_rem(&mut root, &mut remainder, &[5_u64, 1], &mut Scratch::default());
/// assert_eq!((root, remainder), ([1 << 32, 0], [5, 0]));
/// ```
///
/// # Panics
/// Unless all have one length.
pub fn isqrt_rem<B: Base>(root: &mut [B], remainder: &mut [B], a: &[B], scratch: &mut Scratch) {
    assert!(root.len() == a.len() && remainder.len() == a.len(), "operands of one length");
    root.fill(B::ZERO);
    remainder.copy_from_slice(a);
    if cmp::is_zero(a) {
        return;
    }
    let mut packed = vec![0; words::words_for::<B>(a.len())];
    words::pack(&mut packed, a);
    let number = bits::significant(&packed);
    // Shifted by an even number of bits so that an even number of words has one of its two top bits set.
    let odd = number.len() % 2;
    let bits = number[number.len() - 1].leading_zeros() & !1;
    let mut shifted = vec![0; number.len() + odd];
    shift::shl(&mut shifted[odd..], number, bits);
    let (shifted_root, shifted_rest) = sqrt_rem(&shifted, scratch);

    let mut words = vec![0; packed.len()];
    let moved = odd as u32 * 32 + bits / 2;
    shift::shr(&mut words[..shifted_root.len()], &shifted_root, moved);
    words::unpack(root, &words);
    if moved == 0 {
        packed.fill(0);
        let kept = shifted_rest.len().min(packed.len());
        packed[..kept].copy_from_slice(&shifted_rest[..kept]);
    } else {
        let mut square = vec![0; packed.len()];
        scratch.products.low(&mut square, bits::significant(&words), bits::significant(&words));
        sub::sub_assign(&mut packed, &square, false);
    }
    words::unpack(remainder, &packed);
}

/// The root of 2n words, of which one of the two top bits is set, in n words, and the remainder in n + 1.
fn sqrt_rem(a: &[u64], scratch: &mut Scratch) -> (Vec<u64>, Vec<u64>) {
    if let [low, high] = *a {
        let a = u128::from(high) << 64 | u128::from(low);
        let root = a.isqrt();
        let rest = a - root * root;
        return (vec![root as u64], vec![rest as u64, (rest >> 64) as u64]);
    }
    let n = a.len() / 2;
    let low = n / 2;
    let (upper, mut dividend) = sqrt_rem(&a[2 * low..], scratch);

    // The lower half of the root and twice the upper half.
    dividend.splice(..0, a[low..2 * low].iter().copied());
    let mut divisor = upper.clone();
    divisor.push(0);
    add::add_assign(&mut divisor, &upper, false);
    let (mut quotient, mut rest) = (vec![0; dividend.len()], vec![0; divisor.len()]);
    // The divisor has its top bits, so it is not zero.
    _ = div_rem(&mut quotient, &mut rest, &dividend, &divisor, &mut scratch.division);
    let quotient = bits::significant(&quotient);

    let mut root = vec![0; n + 1];
    root[low..n].copy_from_slice(&upper);
    add::add_assign(&mut root, quotient, false);

    let mut remainder = a[..low].to_vec();
    remainder.extend_from_slice(&rest);
    remainder.push(0);
    let mut square = vec![0; (2 * quotient.len()).min(remainder.len())];
    scratch.products.low(&mut square, quotient, quotient);
    if sub::sub_assign(&mut remainder, &square, false) {
        // One too large: with s - 1 the remainder is larger by 2 s - 1.
        add::add_assign(&mut remainder, &root, false);
        sub::decrement(&mut root, true);
        add::add_assign(&mut remainder, &root, false);
    }
    root.truncate(n);
    remainder.truncate(n + 1);
    (root, remainder)
}
