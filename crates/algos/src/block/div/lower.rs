//! The inverse from below: divisors are cut to prefixes that are rounded up.

use limbforge_limb::Base;

use super::inverse::Inverse;
use super::newton::newton_step;
use super::numbers::{by_one_thread, combined, ones_where, shifted};
use crate::block::add::Carry;
use crate::block::{Block, Registers};
use crate::integer::div::lower;

/// `0 <= B^(k+t)/v - w < c`, c as for [`lower::inverse`]: a quotient is exact or one too small.
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
        let (first, steps) = lower::precisions::<B>(t, 0);
        let seed =
            by_one_thread(block, v, |instance, limbs| lower::seed_inverse(&limbs[..=k[instance]], first));
        let (w, _) =
            steps.into_iter().fold((seed, first), |(w, t), next| (step(block, v, &w, k, t, next), next));
        w
    }
}

/// From t to `next` limbs, with the `next + 2` top limbs of v, plus one where limbs were dropped.
fn step<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    v: &[[B; Q]],
    w: &[[B; Q]],
    k: &[usize],
    t: usize,
    next: usize,
) -> Registers<B, Q> {
    let p = next + 1;
    let prefix = shifted(block, v, k.iter().map(|&k| p as isize - k as isize));
    let dropped: Vec<bool> = k.iter().map(|&k| k > p).collect();
    let above = combined::<Carry, B, W, Q, IPB>(block, &prefix, &ones_where(block, &dropped));
    newton_step(block, &above, w, &vec![p + t; k.len()], next - t, t)
}
