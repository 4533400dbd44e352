//! The Jacobi symbol `(a / n)` for odd n, by the binary algorithm (Shallit and Sorenson, 1993): factors of
//! two and the law of quadratic reciprocity, with shifts and subtractions alone. Quadratic.
//!
//! For an odd prime n it is 1 if a is a square modulo n, -1 if not, 0 for multiples of n; for a product of
//! primes the product of their symbols, so that 1 does not say that a is a square.

use core::cmp::Ordering;
use core::mem;

use limbforge_limb::Base;
use limbforge_limb::slice::{bits, sub};

pub use super::modulus::EvenModulus;
use super::packed::{compare, packed, shift_right, trim, word_rem};
use super::{Scratch, div::divide};

/// `(a / n)`: -1, 0 or 1. The operands may have any lengths.
///
/// ```
/// use limbforge_algos::integer::{Scratch, jacobi::jacobi};
/// assert_eq!(jacobi(&[1001_u64], &[9907], &mut Scratch::default()), Ok(-1));
/// ```
///
/// # Errors
/// [`EvenModulus`] if n is even.
pub fn jacobi<B: Base>(a: &[B], n: &[B], scratch: &mut Scratch) -> Result<i8, EvenModulus> {
    if !bits::bit(n, 0) {
        return Err(EvenModulus);
    }
    let [a, n] = [a, n].map(packed);
    Ok(symbol(divide(&a, &n, scratch).1, n))
}

/// `(a / n)` for `a < n`, n odd and trimmed.
fn symbol(mut a: Vec<u64>, mut n: Vec<u64>) -> i8 {
    let mut negative = false;
    trim(&mut a);
    while n.len() > 1 {
        if a.is_empty() {
            return 0;
        }
        let twos = bits::trailing_zeros(&a);
        if twos > 0 {
            // (2 / n) = -1 for n = 3, 5 mod 8.
            negative ^= twos % 2 == 1 && matches!(n[0] % 8, 3 | 5);
            shift_right(&mut a, twos);
        }
        if compare(&a, &n) == Ordering::Less {
            negative ^= a[0] % 4 == 3 && n[0] % 4 == 3;
            mem::swap(&mut a, &mut n);
        }
        // Both odd: an even difference.
        sub::sub_assign(&mut a, &n, false);
        trim(&mut a);
    }
    let symbol = of_words(word_rem(&a, n[0]), n[0]);
    if negative { -symbol } else { symbol }
}

/// `(a / n)` for words, n odd.
pub(crate) fn of_words(mut a: u64, mut n: u64) -> i8 {
    let mut symbol = 1;
    a %= n;
    while a != 0 {
        let twos = a.trailing_zeros();
        a >>= twos;
        if twos % 2 == 1 && matches!(n % 8, 3 | 5) {
            symbol = -symbol;
        }
        if a % 4 == 3 && n % 4 == 3 {
            symbol = -symbol;
        }
        (a, n) = (n % a, a);
    }
    if n == 1 { symbol } else { 0 }
}

/// `(d / n)` for a small odd d of any sign, and odd n of words.
pub(crate) fn of_small(d: i64, n: &[u64]) -> i8 {
    let magnitude = d.unsigned_abs();
    let (d3, n3) = (magnitude % 4 == 3, n[0] % 4 == 3);
    // (-1 / n) = -1 for n = 3 mod 4.
    let negative = (d3 && n3) != (d < 0 && n3);
    let symbol = of_words(word_rem(n, magnitude), magnitude);
    if negative { -symbol } else { symbol }
}
