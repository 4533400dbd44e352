//! Whether a number is a power, `a = x^k` with `k >= 2`.
//!
//! For every prime k up to the bits of a: a must be a k-th power residue modulo a few primes q = 1 mod k, as
//! one residue in k is, and then its [root](mod@crate::integer::root) must be exact (Bernstein, "Detecting
//! perfect powers in essentially linear time", 1998, sections 1 and 10, without the sieve).

use limbforge_field::modular::pow_mod;
use limbforge_limb::{Base, slice::bits};

use super::packed::{packed, word_rem};
use super::{Scratch, root};

/// Squares modulo 64, by bits.
const SQUARES: u64 = 0x0202_0212_0203_0213;

/// Whether a is a square; 0 is.
///
/// ```
/// use limbforge_algos::integer::{Scratch, perfect_power::{is_perfect_power, is_square}};
/// let mut scratch = Scratch::default();
/// assert!(is_square(&[0, 0, 1_u64], &mut scratch)); // 2^128
/// assert!(is_perfect_power(&[0_u64, 1 << 56], &mut scratch)); // 2^120
/// assert!(!is_perfect_power(&[1, 1_u64], &mut scratch));
/// ```
#[must_use]
pub fn is_square<B: Base>(a: &[B], scratch: &mut Scratch) -> bool {
    let low = a.first().map_or(0, |limb| limb.low_word()) % 64;
    // Limbs of fewer than 6 bits do not hold the residue modulo 64.
    if B::BITS >= 6 && SQUARES >> low & 1 == 0 {
        return false;
    }
    is_power(&packed(a), 2, scratch)
}

/// Whether `a = x^k` with `k >= 2`. 0 and 1 are such powers.
#[must_use]
pub fn is_perfect_power<B: Base>(a: &[B], scratch: &mut Scratch) -> bool {
    is_square(a, scratch) || is_odd_perfect_power(a, scratch)
}

/// Whether `a = x^k` with an odd k; then -a is one too.
#[must_use]
pub fn is_odd_perfect_power<B: Base>(a: &[B], scratch: &mut Scratch) -> bool {
    let a = packed(a);
    let len = bits::bit_len(&a);
    if len <= 1 {
        return true;
    }
    let twos = bits::trailing_zeros(&a);
    (3..len)
        .step_by(2)
        .filter(|&k| twos.is_multiple_of(k) && is_small_prime(k.into()))
        .any(|k| may_be_power(&a, k) && is_power(&a, k, scratch))
}

fn is_power(a: &[u64], k: u32, scratch: &mut Scratch) -> bool {
    let root = root::of_words(a, k, scratch);
    root::power(&root, k, a.len() + 1, scratch) == a
}

/// Number of primes q; a wrong exponent passes one of them with probability 1/k.
const WITNESSES: usize = 4;

/// Whether a is a k-th power modulo a few primes q = 1 mod k, for an odd prime k.
fn may_be_power(a: &[u64], k: u32) -> bool {
    let candidates = (1..).map(|i| 2 * i * u64::from(k) + 1).take(64 * WITNESSES);
    candidates.filter(|&q| is_small_prime(q)).take(WITNESSES).all(|q| {
        let residue = word_rem(a, q);
        residue == 0 || pow_mod(residue, (q - 1) / u64::from(k), q) == 1
    })
}

/// For n below 2^40.
fn is_small_prime(n: u64) -> bool {
    n == 2 || n > 2 && n % 2 == 1 && (3..).step_by(2).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}
