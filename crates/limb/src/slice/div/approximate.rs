//! Quotients without remainders, in about half of the products (Mulders, "On short multiplications and
//! divisions", 2000): digit j of the quotient is multiplied by the upper j + 2 limbs of the divisor alone.
//!
//! Let the divisor d have n limbs, its top bit set, the quotient k = n - 1 digits, and the dividend be below
//! `d B^k`. The products `q_j d_i` with `i + j < n - 2` are neglected. Those of digit j are below `B^(n-1)`,
//! all together below `k B^(n-1)`, which is less than d if 2 k < B. So the quotient is at most one too large.
//! It is certain where what is left of the dividend is at least `k B^(n-1)`.

use core::cmp::Ordering;

use super::{digits, high, recursive::Division};
use crate::base::Base;
use crate::slice::{add, cmp, sub};

impl<B: Base> Division<'_, B> {
    /// A quotient of k digits, or one too large, from the upper k + 1 limbs of the divisor and the upper k + 2
    /// of the dividend, `rest`. The upper two limbs of what is left are then the lowest of `rest`; returns false
    /// if they are not.
    pub(super) fn approximate(&mut self, quotient: &mut [B], rest: &mut [B], divisor: &[B]) -> bool {
        let k = quotient.len();
        debug_assert!(rest.len() == k + 2 && divisor.len() == k + 1, "lengths of an estimate");
        if k < self.thresholds.short {
            return digits::of_estimate(quotient, rest, divisor, self.inverse);
        }
        if cmp::cmp(&rest[1..], divisor) != Ordering::Less {
            quotient.fill(B::HIGHEST);
            return false;
        }
        let (low, upper) = quotient.split_at_mut(k.div_ceil(2));
        let (below, above) = (low.len(), upper.len());
        let (kept, top) = divisor.split_at(below + 1);
        self.by_top(upper, &mut rest[k + 2 - 2 * above..], top);
        // The products with the other limbs, of which those in the lowest columns are neglected.
        let left = &mut rest[..below + 3];
        let (product, room) = self.room.split_at_mut(below + 2);
        high::columns(product, upper, kept, room);
        let mut negative = sub::sub_assign(left, product, false);
        while negative {
            sub::decrement(upper, true);
            negative = !add::add_assign(left, &divisor[above - 1..], false);
        }
        if left[below + 2] != B::ZERO {
            // The neglected products leave more than the divisor.
            low.fill(B::HIGHEST);
            return false;
        }
        self.approximate(low, &mut rest[..below + 2], &divisor[above..])
    }
}
