//! Shifted inverses, from below and to either side, by the same Newton step.

use limbforge_limb::Base;

use crate::block::add::{Borrow, Carry};
use crate::block::{Block, Registers};
use crate::integer::div::lower;
use crate::integer::div::watt::{self, GUARD};

/// A shifted inverse, and the error bounds of quotients from it.
pub trait Inverse {
    /// Fewest limbs that the block's numbers have more than the operands.
    const ROOM: usize;
    /// Largest excess of an estimated quotient.
    const ABOVE: usize;
    /// Largest deficit of an estimated quotient.
    const BELOW: usize;

    /// T, the limbs of the inverse for quotients of up to `limbs` limbs, `limbs` at least 1.
    fn precision(limbs: usize) -> usize;

    /// w, about `B^(k[i]+t) / v`, in registers, for divisors of `k[i] + 1` limbs, the top one not zero, that
    /// are not `B^k[i]`; t as from [`precision`](Self::precision) for up to `W - ROOM` limbs.
    ///
    /// # Panics
    /// If `k` lacks a value below W for each instance.
    #[must_use]
    fn inverse<B: Base, const W: usize, const Q: usize, const IPB: usize>(
        block: &Block<W, Q, IPB>,
        v: &[[B; Q]],
        k: &[usize],
        t: usize,
    ) -> Registers<B, Q>;
}

/// `0 <= B^(k+t)/v - w < c`, c as for [`lower::inverse`]: a quotient is exact or one too small. Divisors are
/// cut to prefixes that are rounded up.
#[derive(Clone, Copy, Debug)]
pub struct Lower;

impl Inverse for Lower {
    /// The power difference of the last step, to M + 1 limbs, is below `c B^(M+3)`, c < 2: the sign of M + 4
    /// limbs stays 0.
    const ROOM: usize = 4;
    const ABOVE: usize = 0;
    const BELOW: usize = 1;

    fn precision(limbs: usize) -> usize {
        limbs + 1
    }

    fn inverse<B: Base, const W: usize, const Q: usize, const IPB: usize>(
        block: &Block<W, Q, IPB>,
        v: &[[B; Q]],
        k: &[usize],
        t: usize,
    ) -> Registers<B, Q> {
        let (mut t, steps) = lower::precisions::<B>(t, 0);
        let mut w = block.by_one_thread(v, |instance, limbs| lower::seed_inverse(&limbs[..=k[instance]], t));
        // From t to `next` limbs, with the `next + 2` top limbs of v, plus one where limbs were dropped.
        for next in steps {
            let p = next + 1;
            let prefix = block.shifted(v, k.iter().map(|&k| p as isize - k as isize));
            let dropped: Vec<bool> = k.iter().map(|&k| k > p).collect();
            let (above, _) = block.combine_by_scan(Carry, &prefix, &block.ones_where(&dropped));
            w = block.newton_step(&above, &w, &vec![p + t; k.len()], next - t, t);
            t = next;
        }
        w
    }
}

/// `floor(B^(k+t) / v) + {-1, 0, 1}`, as published: the error of a quotient is -1 to 2. Divisors are cut to
/// prefixes that are rounded down, and two guard digits are dropped at the end.
#[derive(Clone, Copy, Debug)]
pub struct Watt;

/// Limbs of the quotient that the first inverse gives.
const SEED: usize = 2;

impl Inverse for Watt {
    /// The published bound of the power difference, `B^(L-1)` with L at most `max(k, 2) + 2 GUARD + 3`, and
    /// `k < M`.
    const ROOM: usize = 2 * GUARD + 4;
    const ABOVE: usize = 1;
    const BELOW: usize = 2;

    fn precision(limbs: usize) -> usize {
        limbs.max(SEED)
    }

    fn inverse<B: Base, const W: usize, const Q: usize, const IPB: usize>(
        block: &Block<W, Q, IPB>,
        v: &[[B; Q]],
        k: &[usize],
        t: usize,
    ) -> Registers<B, Q> {
        // If v has fewer than three limbs, v and B^(k+t) are scaled by the same power.
        let v = block.shifted(v, k.iter().map(|k| 2_usize.saturating_sub(*k) as isize));
        let k: Vec<usize> = k.iter().map(|&k| k.max(2)).collect();
        let mut w =
            block.by_one_thread(&v, |instance, limbs| watt::seed(&limbs[k[instance] - 2..=k[instance]]));
        if t <= SEED {
            return block.by_limbs(&w, t as isize - SEED as isize);
        }
        w = block.by_limbs(&w, GUARD as isize);
        let mut l = SEED;
        // From l to l + m limbs, besides the guard digits, with the `2 l + GUARD` top limbs of v.
        while l < t {
            let m = (t + 1 - l).min(l);
            let dropped: Vec<usize> = k.iter().map(|k| (k + 1).saturating_sub(2 * l + GUARD)).collect();
            let prefix = block.shifted(&v, dropped.iter().map(|&dropped| -(dropped as isize)));
            let e: Vec<usize> = k.iter().zip(&dropped).map(|(k, dropped)| k - dropped + l + GUARD).collect();
            w = block.by_limbs(&block.newton_step(&prefix, &w, &e, m, 0), -1);
            l = l + m - 1;
        }
        block.by_limbs(&w, -(GUARD as isize))
    }
}

impl<const W: usize, const Q: usize, const IPB: usize> Block<W, Q, IPB> {
    /// Newton's step for a cut divisor V:
    /// `w B^m + floor(w floor((B^e - V w) / B^dropped) / B^(e - m - dropped))` with e of each instance.
    ///
    /// The power difference must be below `B^W / 2` in magnitude; it is computed mod `B^W` and read as two's
    /// complement, so that both signs take the same steps.
    fn newton_step<B: Base>(
        &self,
        cut: &[[B; Q]],
        w: &[[B; Q]],
        e: &[usize],
        m: usize,
        dropped: usize,
    ) -> Registers<B, Q> {
        let (difference, _) = self.combine_by_scan(Borrow, &self.powers(e), &self.mul_low(cut, Some(w)));
        let difference = self.shift_all(&difference, -(dropped as i64 * i64::from(B::BITS)), true);

        let [low, high] = self.mul_wide(w, Some(&difference));
        // The product took a negative difference for one that is B^W larger.
        let too_large = self.select(&self.negatives(&difference), w, &Self::zeros());
        let (high, _) = self.combine_by_scan(Borrow, &high, &too_large);
        let unit: Vec<usize> = e.iter().map(|e| e - m - dropped).collect();
        let correction = self.upper_limbs([&low, &high], &unit);
        self.combine_by_scan(Carry, &self.by_limbs(w, m as isize), &correction).0
    }
}
