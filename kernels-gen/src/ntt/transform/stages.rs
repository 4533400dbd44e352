//! The stages of an outer pass, for the proof of their ranges.

/// The stages of an outer pass, log2 R of them for a power of two. For 3 2^j points the first split has
/// three, each of which makes points of the points before: the butterflies of `x_1` and `x_2`, of `x_0` and
/// their sum, and of `y_1` and `y_2` (see `templates/ntt_three.cuh`); then j more.
#[derive(Clone, Copy, Debug)]
pub(super) struct OuterStages {
    pub(super) radix: u32,
    /// Whether the first node has the factor 1.
    pub(super) one: bool,
}

impl OuterStages {
    const fn is_three(self) -> bool {
        self.radix.is_multiple_of(3)
    }

    pub(super) const fn count(self) -> u32 {
        if self.is_three() { 3 + (self.radix / 3).ilog2() } else { self.radix.ilog2() }
    }

    /// Whether `x_1` is multiplied with a factor before all stages.
    pub(super) const fn multiplies_first(self) -> bool {
        self.is_three() && !self.one
    }

    /// Whether a stage has a factor 1 that can be left out.
    pub(super) const fn may_skip(self, stage: u32) -> bool {
        if self.is_three() { stage == 1 || self.one && stage != 2 } else { self.one }
    }

    /// The largest `by_one` that makes a difference.
    pub(super) const fn most_by_one(self) -> u32 {
        match (self.is_three(), self.one) {
            (_, true) => self.count(),
            (true, false) => 2,
            (false, false) => 0,
        }
    }

    /// Products with the factor 1 in 2^32 points.
    pub(super) const fn first_products(self, stage: u32) -> u64 {
        match stage {
            _ if !self.may_skip(stage) => 0,
            _ if !self.is_three() => (1 << 31) >> stage,
            0 | 1 => (1 << 32) / 3,
            _ => ((1 << 31) / 3) >> (stage - 3),
        }
    }
}
