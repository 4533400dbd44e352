//! Shifted inverses, of which there are two.

use limbforge_limb::Base;

use crate::block::{Block, Registers};

/// A shifted inverse, and how far quotients from it can be off.
pub trait Inverse {
    /// Fewest limbs that the block's numbers have more than the operands.
    const ROOM: usize;
    /// The most that an estimated quotient is too large by.
    const ABOVE: usize;
    /// The most that an estimated quotient is too small by.
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
