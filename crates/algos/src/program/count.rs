//! How many rounds a loop has.

use limbforge_limb::IntType;
use limbforge_limb::slice::{bits, cmp, sub};

use super::region::Rounds;

impl Rounds {
    /// The rounds over integers of a type in limbs: over `a`, or from `a` to `b` - 1 of a range, of which others
    /// ignore `b`. `u64::MAX` stands for all larger numbers. An array has its own number, and here none.
    #[must_use]
    pub fn count(self, a: &[u64], b: &[u64], ty: IntType) -> u64 {
        let is_negative = ty.is_signed() && cmp::is_negative(a, ty.bits());
        match self {
            Self::Elements => 0,
            Self::Range => between(a, b, ty),
            _ if is_negative => 0,
            Self::Bits => bits::bit_len(a).into(),
            Self::Digits(width) => bits::bit_len(a).div_ceil(width).into(),
            Self::Times if bits::bit_len(a) > u64::BITS => u64::MAX,
            Self::Times => a[0],
        }
    }
}

/// The rounds from a up to b - 1.
fn between(a: &[u64], b: &[u64], ty: IntType) -> u64 {
    let order = if ty.is_signed() { cmp::cmp_signed(a, b, ty.bits()) } else { cmp::cmp(a, b) };
    if order.is_ge() {
        return 0;
    }
    // Below 2^N, also between a negative and a positive number.
    let mut distance = vec![0; a.len()];
    sub::sub(&mut distance, b, a, false);
    bits::truncate(&mut distance, ty.bits());
    if bits::bit_len(&distance) > u64::BITS { u64::MAX } else { distance[0] }
}
