//! Lists of the instances that have rounds of a loop left, so that those that have finished take no place in warps.
//!
//! A list is made where it cannot lose: a chunk must have more warps with an open instance than the GPU computes at
//! once. Then they share as few warps as fill it, or full ones if that is more. Fewer warps than the GPU computes at
//! once would save nothing, as a warp takes as long as its slowest instance, and instances of a warp wait for the
//! branches of each other.

use limbforge_kernels_gen::program::{NO_INSTANCE, TapeKernel};

/// Threads of a warp.
const WARP: u32 = 32;

/// A list must save this part of the warps.
const WORTH: usize = 8;

/// Warps of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Warps {
    /// Those that it computes at once.
    pub(super) at_once: usize,
    /// Instances of a warp.
    pub(super) instances: usize,
}

/// The instances of a chunk that launches compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    /// Open instances, in order, with gaps that leave threads idle; behind them those that have finished in the launch
    /// before, as only one of both states has their values.
    entries: Vec<u32>,
    /// The entries of open instances.
    computed: usize,
}

impl Warps {
    /// Those of a device that computes so many instances at once.
    pub(super) fn new(kernel: &TapeKernel, at_once: u64) -> Self {
        let of_block = kernel.kernel.geometry.instances.max(1);
        let instances = (WARP / kernel.mapping.lanes.max(1)).clamp(1, of_block) as usize;
        Self { at_once: usize::try_from(at_once).unwrap_or(usize::MAX) / instances, instances }
    }

    /// The list for the next launch, behind one over all instances or a list, which has marked those that are open. None
    /// if the present list stays.
    pub(super) fn list(&self, present: Option<&Open>, marks: &[u32]) -> Option<Open> {
        // No number is that of no instance.
        if marks.len() >= NO_INSTANCE as usize {
            return None;
        }
        let is_open = |&instance: &u32| marks.get(instance as usize).is_some_and(|&mark| mark != 0);
        let open = marks.iter().filter(|&&mark| mark != 0).count();
        let busy = match present {
            None => marks.chunks(self.instances).filter(|warp| warp.iter().any(|&mark| mark != 0)).count(),
            Some(list) => list.entries.chunks(self.instances).filter(|warp| warp.iter().any(is_open)).count(),
        };
        let each = open.div_ceil(self.at_once.max(1)).clamp(1, self.instances);
        let warps = open.div_ceil(each);
        if busy <= self.at_once || warps > busy - busy.div_ceil(WORTH) {
            return None;
        }
        let all: Vec<u32>;
        let before = match present {
            None => {
                all = (0..marks.len() as u32).collect();
                &all
            }
            Some(list) => &list.entries[..list.computed],
        };
        let (still, finished): (Vec<u32>, Vec<u32>) = before
            .iter()
            .filter(|&&instance| instance != NO_INSTANCE)
            .partition(|&instance| is_open(instance));
        let mut entries = Vec::with_capacity(warps * self.instances + finished.len());
        for warp in still.chunks(each) {
            entries.extend_from_slice(warp);
            entries.resize(entries.len().next_multiple_of(self.instances), NO_INSTANCE);
        }
        let computed = entries.len();
        entries.extend_from_slice(&finished);
        Some(Open { entries, computed })
    }
}

impl Open {
    pub(super) fn entries(&self) -> &[u32] {
        &self.entries
    }
}

#[cfg(test)]
mod tests;
