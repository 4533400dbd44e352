//! Carries by a scan: the formulation of Oancea and Watt (section 2), kept as the reference for the ballots.
//!
//! Every limb has a [`CarryState`]. The states form a monoid under [`carry_op`], and so do states with a
//! segment flag under [`carry_op_segmented`], so the carry into every limb is an exclusive scan. A block
//! scans hierarchically: each thread combines its Q limbs in sequence, each warp scans its threads in
//! log2(32) shuffles, one warp scans the totals of the warps, and each thread applies its carry to its Q
//! limbs in sequence.
//!
//! Figure 2 of the paper reads the scan at position i - 1 also for the first limb of an instance and so adds
//! the carry out of one instance to the next one in the block. Here the first thread of an instance starts
//! from [`NEUTRAL`](CarryState::NEUTRAL).

use limbforge_limb::Base;

use super::CarryRule;
use crate::block::warp::{self, WARP};
use crate::block::{Block, Registers};

/// The effect of a run of limbs on a carry, packed in three bits.
///
/// Bit 0, overflow: the run produces a carry by itself. Bit 1, all ones: it passes an incoming carry on. Bit
/// 2, segment: the run contains the first limb of an instance, so nothing enters it from below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarryState(u32);

impl CarryState {
    /// The run produces a carry.
    pub const OVERFLOW: u32 = 1;
    /// The run passes a carry on.
    pub const ALL_ONES: u32 = 2;
    /// The run starts an instance.
    pub const SEGMENT: u32 = 4;
    /// The empty run: it passes a carry on and changes nothing. Neutral for both operators.
    pub const NEUTRAL: Self = Self(Self::ALL_ONES);

    /// The state with these flags; other bits of `flags` are dropped.
    #[must_use]
    pub const fn new(flags: u32) -> Self {
        Self(flags & (Self::OVERFLOW | Self::ALL_ONES | Self::SEGMENT))
    }

    /// The packed word, 0 to 7.
    #[must_use]
    pub const fn flags(self) -> u32 {
        self.0
    }

    /// Whether the run produces a carry.
    #[must_use]
    pub const fn overflows(self) -> bool {
        self.0 & Self::OVERFLOW != 0
    }
}

/// The state of the run `low`, then `high`, without segment flags: `carry_op_eff` of figure 2.
#[must_use]
pub const fn carry_op(low: CarryState, high: CarryState) -> CarryState {
    let (c1, c2) = (low.0, high.0);
    CarryState(c1 & c2 & 2 | (c1 & c2 >> 1 | c2) & 1)
}

/// [`carry_op`] lifted to segments, `carry_op_sgm` of figure 2: a run that starts an instance ignores the run
/// below it.
#[must_use]
pub const fn carry_op_segmented(low: CarryState, high: CarryState) -> CarryState {
    if high.0 & CarryState::SEGMENT != 0 {
        high
    } else {
        CarryState(carry_op(low, high).0 | (low.0 | high.0) & CarryState::SEGMENT)
    }
}

/// The exclusive scan of one state per lane by [`carry_op_segmented`]: lane i receives the run of all lanes
/// below it.
#[must_use]
pub fn exclusive_scan(states: &[CarryState]) -> Vec<CarryState> {
    let inclusive = scan_warps(states);
    // Phase: the last lane of every warp writes its warp's total.
    let shared: Vec<CarryState> = inclusive.chunks(WARP).map(|warp| warp[warp.len() - 1]).collect();
    // Barrier. Phase: the first warp scans the totals; a block has at most 32 warps.
    let totals = scan_warps(&shared);
    // Barrier. Phase: every thread combines the warps below with the lanes below.
    let below = warp::shuffle_up(&inclusive, 1);
    let carry = |lane: usize| {
        let warps = if lane < WARP { CarryState::NEUTRAL } else { totals[lane / WARP - 1] };
        let lanes = if lane.is_multiple_of(WARP) { CarryState::NEUTRAL } else { below[lane] };
        carry_op_segmented(warps, lanes)
    };
    (0..states.len()).map(carry).collect()
}

/// The inclusive scan within every warp: step d combines each lane with the one 2^d below it.
fn scan_warps(states: &[CarryState]) -> Vec<CarryState> {
    [1, 2, 4, 8, 16].iter().fold(states.to_vec(), |states, &delta| {
        let below = warp::shuffle_up(&states, delta);
        let step = |(lane, &state): (usize, &CarryState)| {
            if lane % WARP >= delta { carry_op_segmented(below[lane], state) } else { state }
        };
        states.iter().enumerate().map(step).collect()
    })
}

impl<const M: usize, const Q: usize, const IPB: usize> Block<M, Q, IPB> {
    /// The sum or difference of two operands in registers, mod B^M, and the carry out of each instance.
    #[must_use]
    pub fn combine_by_scan<R: CarryRule, B: Base>(
        &self,
        _: R,
        a: &[[B; Q]],
        b: &[[B; Q]],
    ) -> (Registers<B, Q>, Vec<bool>) {
        // Step 1, every thread: its limbs without carries, their states, and the state of its run.
        let mut limbs = vec![[B::ZERO; Q]; Self::LANES];
        let states: Vec<[CarryState; Q]> = self.phase(|thread| {
            core::array::from_fn(|q| {
                let (limb, overflow) = R::step(a[thread.lane][q], b[thread.lane][q], false);
                limbs[thread.lane][q] = limb;
                let flag = |set: bool, flag: u32| if set { flag } else { 0 };
                // The first limb of an instance starts a segment.
                let starts = flag(thread.rank == 0 && q == 0, CarryState::SEGMENT);
                let passes = flag(limb == R::passing(), CarryState::ALL_ONES);
                CarryState(flag(overflow, CarryState::OVERFLOW) | passes | starts)
            })
        });
        let run =
            |states: &[CarryState; Q]| states.iter().copied().fold(CarryState::NEUTRAL, carry_op_segmented);
        // Step 2: the scan.
        let scanned = exclusive_scan(&states.iter().map(run).collect::<Vec<_>>());
        // Step 3, every thread: the carry into each of its limbs, in sequence.
        let overflow = self.phase(|thread| {
            let first = if thread.rank == 0 { CarryState::NEUTRAL } else { scanned[thread.lane] };
            let apply = |below: CarryState, (limb, &state): (&mut B, &CarryState)| {
                *limb = R::step(*limb, B::ZERO, below.overflows()).0;
                carry_op_segmented(below, state)
            };
            limbs[thread.lane].iter_mut().zip(&states[thread.lane]).fold(first, apply).overflows()
        });
        let carries = self.take_carries(&mut limbs, &overflow);
        (limbs, carries)
    }
}
