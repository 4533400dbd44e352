//! Division in place by a divisor whose top bit is set: nothing is shifted or copied.
//!
//! The dividend is `rest`, of n limbs of the divisor and k of the quotient, `k <= n`, and its upper n limbs are
//! below the divisor.

use super::recursive::{self, Division};
use super::window::Window;
use super::{high, reciprocal, short};
use crate::base::Base;
use crate::invariant::broken_invariant;

/// Limbs of room for divisors of up to n limbs.
#[must_use]
pub const fn room(n: usize) -> usize {
    if n <= short::MOST {
        return 0;
    }
    let (exact, estimate) = (recursive::room(n, n), 2 * n + high::room(n));
    if exact > estimate { exact } else { estimate }
}

/// `quotient = floor(rest / divisor)`, `rest = rest mod divisor`. `room` has [`room`] limbs.
///
/// ```
/// use limbforge_limb::slice::div::normalised::div_rem;
/// let (mut quotient, mut rest) = ([0; 1], [5_u64, 1, 2]);
/// div_rem(&mut quotient, &mut rest, &[3, 1 << 63], &mut []);
/// assert_eq!((quotient, rest), ([4], [u64::MAX - 6, 0, 0]));
/// ```
///
/// # Panics
/// If the lengths are others.
pub fn div_rem<B: Base>(quotient: &mut [B], rest: &mut [B], divisor: &[B], room: &mut [B]) {
    let (k, n) = (quotient.len(), divisor.len());
    assert!(k <= n && rest.len() == n + k, "a quotient at most as long as the divisor");
    macro_rules! of_lengths {
        ($($n:literal)*) => {
            match n {
                0 => {}
                1 if k == 0 => {}
                1 => (quotient[0], rest[0]) = two_by_one(rest[1], rest[0], divisor[0]),
                $($n => by_window::<B, $n>(quotient, rest, divisor),)*
                _ => Division::new(divisor, recursive::THRESHOLDS, room).block(quotient, rest, divisor),
            }
        };
    }
    of_lengths!(2 3 4 5 6 7 8);
    rest[n..].fill(B::ZERO);
}

fn by_window<B: Base, const N: usize>(quotient: &mut [B], rest: &mut [B], divisor: &[B]) {
    let (low, upper) = rest.split_at_mut(quotient.len());
    let (Some(upper), Some(divisor)) = (upper.first_chunk(), divisor.first_chunk()) else {
        broken_invariant("the divisor has its limbs")
    };
    let mut window = Window::<B, N>::normalised(upper, divisor);
    for (i, digit) in quotient.iter_mut().enumerate().rev() {
        *digit = window.step(low, i);
    }
    rest[..N].copy_from_slice(&window.remainder());
}

/// `floor(rest / divisor)`, or one more, for k limbs of the quotient, the upper k + 1 of the divisor and the upper
/// k + 2 of the dividend, `2 (k + 1) < B`. Returns a lower bound of the top limb of `rest - quotient * divisor`, if
/// that is known not to be negative: then the quotient is not too large. `rest` is overwritten.
///
/// Neglected are the quotient's products with k - 1 limbs of the divisor, each less than a unit of the top limb,
/// and that with all limbs below.
///
/// # Panics
/// If the lengths are others, or k is 0.
pub fn estimate<B: Base>(quotient: &mut [B], rest: &mut [B], divisor: &[B], room: &mut [B]) -> Option<B> {
    let k = quotient.len();
    assert!(k > 0 && divisor.len() == k + 1 && rest.len() == k + 2, "lengths of an estimate");
    let is_left = Division::new(divisor, recursive::THRESHOLDS, room).approximate(quotient, rest, divisor);
    let neglected = B::from_word(k as u64 + 1);
    (is_left && rest[1] >= neglected).then(|| rest[1].wrapping_sub(neglected))
}

/// (quotient, remainder) of `high B + low` by a divisor above `high` whose top bit is set.
///
/// ```
/// use limbforge_limb::slice::div::normalised::two_by_one;
/// assert_eq!(two_by_one(1_u64, 5, 1 << 63), (2, 5));
/// ```
#[inline(always)]
#[must_use]
pub fn two_by_one<B: Base>(high: B, low: B, divisor: B) -> (B, B) {
    reciprocal::two_by_one(high, low, divisor)
}
