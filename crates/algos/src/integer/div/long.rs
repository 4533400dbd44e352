//! Quotients and remainders of long numbers in words.

use core::mem;

use limbforge_limb::slice::{bits, div as words_div};

use super::{halves, is_in_halves, lower};
use crate::integer::Scratch;
use crate::invariant::broken_invariant;

/// In halves, or by an inverse, which is kept if the divisor is that of the division before.
pub(super) fn div_rem(
    q: &mut [u64],
    r: &mut [u64],
    u: &[u64],
    v: &[u64],
    plan: Option<lower::Blocks>,
    scratch: &mut Scratch,
) {
    let is_new = plan.is_none() || scratch.divisor != v;
    let u = bits::significant(u);
    let is_long = is_in_halves(u.len(), v.len());
    if is_new && plan.is_some() {
        scratch.inverse.clear();
        v.clone_into(&mut scratch.divisor);
    }
    if is_new && is_long && by_halves(q, r, u, v, scratch) {
        return;
    }
    let Some(plan) = plan else {
        // A wide limb has zero words at its top.
        let (q, above) = q.split_at_mut(u.len());
        above.fill(0);
        return words_div::div_rem_with(q, r, u, v, &mut scratch.schoolbook)
            .unwrap_or_else(|_| broken_invariant("the divisor is not zero"));
    };
    let mut inverse = mem::take(&mut scratch.inverse);
    lower::div_rem(q, r, u, v, plan, &mut inverse, scratch);
    scratch.inverse = inverse;
}

/// Returns false and finds nothing if the divisor has too many words.
fn by_halves(q: &mut [u64], r: &mut [u64], u: &[u64], v: &[u64], scratch: &mut Scratch) -> bool {
    let (digits, above) = q.split_at_mut(u.len() + 1 - v.len());
    let [dividend, divisor] = halves::shifted(u, v, digits.len() + 2);
    let is_found = halves::estimate(digits, &dividend, &divisor, &mut scratch.product)
        && halves::remainder(digits, r, u, v, &mut scratch.product);
    if is_found {
        above.fill(0);
    }
    is_found
}
