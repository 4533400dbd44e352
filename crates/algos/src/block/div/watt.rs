//! Watt's inverse: divisors are cut to prefixes that are rounded down, and two guard digits are dropped at
//! the end.

use limbforge_limb::Base;

use super::inverse::Inverse;
use super::newton::newton_step;
use super::numbers::{by_limbs, by_one_thread, shifted};
use crate::block::{Block, Registers};
use crate::integer::div::watt::{self, GUARD};

/// `floor(B^(k+t) / v) + {-1, 0, 1}`, as published: a quotient is off by -1 to 2.
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
        // Of fewer than three limbs, v and B^(k+t) are scaled by the same power.
        let v = shifted(block, v, k.iter().map(|k| 2_usize.saturating_sub(*k) as isize));
        let k: Vec<usize> = k.iter().map(|&k| k.max(2)).collect();
        let top = |instance: usize, limbs: &[B]| watt::seed(&limbs[k[instance] - 2..=k[instance]]);
        let mut w = by_one_thread(block, &v, top);
        if t <= SEED {
            return by_limbs(block, &w, t as isize - SEED as isize);
        }
        w = by_limbs(block, &w, GUARD as isize);
        let mut l = SEED;
        while l < t {
            let m = (t + 1 - l).min(l);
            w = by_limbs(block, &step(block, &v, &w, &k, l, m), -1);
            l = l + m - 1;
        }
        by_limbs(block, &w, -(GUARD as isize))
    }
}

/// From l to l + m limbs, besides the guard digits, with the `2 l + GUARD` top limbs of v.
fn step<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    v: &[[B; Q]],
    w: &[[B; Q]],
    k: &[usize],
    l: usize,
    m: usize,
) -> Registers<B, Q> {
    let dropped: Vec<usize> = k.iter().map(|k| (k + 1).saturating_sub(2 * l + GUARD)).collect();
    let prefix = shifted(block, v, dropped.iter().map(|&dropped| -(dropped as isize)));
    let e: Vec<usize> = k.iter().zip(&dropped).map(|(k, dropped)| k - dropped + l + GUARD).collect();
    newton_step(block, &prefix, w, &e, m, 0)
}
