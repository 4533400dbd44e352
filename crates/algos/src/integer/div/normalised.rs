//! Divisions in place by a divisor whose top bit is set, of any length.

use limbforge_limb::slice::div::normalised;

use super::choose;
use crate::integer::Scratch;
use crate::invariant::broken_invariant;

/// `quotient = floor(rest / divisor)`, `rest = rest mod divisor` with zeros above, as by [`normalised::div_rem`].
/// `room` has as many words more as rest has twice.
pub(in crate::integer) fn div_rem(
    quotient: &mut [u64],
    rest: &mut [u64],
    divisor: &[u64],
    room: &mut [u64],
    scratch: &mut Scratch,
) {
    let (m, n) = (rest.len(), divisor.len());
    if choose(m, n).is_none() {
        return normalised::div_rem(quotient, rest, divisor, room);
    }
    let (digits, room) = room.split_at_mut(m);
    let left = &mut room[..n];
    super::div_rem(digits, left, rest, divisor, scratch)
        .unwrap_or_else(|_| broken_invariant("a divisor with its top bit is not zero"));
    quotient.copy_from_slice(&digits[..m - n]);
    rest[..n].copy_from_slice(left);
    rest[n..].fill(0);
}
