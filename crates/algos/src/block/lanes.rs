//! The threads of a block and the instances they belong to.

/// The threads of one block: which instance each computes, and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    lanes: usize,
    threads_per_instance: usize,
    instances: usize,
}

/// One thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Index in the block.
    pub lane: usize,
    /// Index of its instance in the block.
    pub instance: usize,
    /// Index in its instance, 0 to T - 1.
    pub rank: usize,
    /// Whether it is the last thread of its instance, which sends no carry on.
    pub is_last: bool,
    /// Whether its instance exists.
    pub active: bool,
}

impl Lanes {
    pub(super) const fn new(lanes: usize, threads_per_instance: usize, instances: usize) -> Self {
        Self { lanes, threads_per_instance, instances }
    }

    /// Threads per instance, T.
    #[must_use]
    pub const fn threads_per_instance(self) -> usize {
        self.threads_per_instance
    }

    /// Instances that exist.
    #[must_use]
    pub const fn instances(self) -> usize {
        self.instances
    }

    /// The thread with this index.
    #[must_use]
    pub const fn thread(self, lane: usize) -> Thread {
        let (instance, rank) = (lane / self.threads_per_instance, lane % self.threads_per_instance);
        let is_last = rank + 1 == self.threads_per_instance;
        Thread { lane, instance, rank, is_last, active: instance < self.instances }
    }

    /// All threads, idle ones included.
    pub fn threads(self) -> impl Iterator<Item = Thread> {
        (0..self.lanes).map(move |lane| self.thread(lane))
    }

    /// A phase: the value that every thread computes.
    pub fn phase<T>(self, step: impl FnMut(Thread) -> T) -> Vec<T> {
        self.threads().map(step).collect()
    }

    /// The last lane of an instance.
    #[must_use]
    pub const fn last_lane(self, instance: usize) -> usize {
        (instance + 1) * self.threads_per_instance - 1
    }

    /// The warps that an instance's threads lie in, and the mask of its lanes in each of them.
    pub fn warp_masks(self, instance: usize) -> impl Iterator<Item = (usize, u32)> {
        let (first, last) = (instance * self.threads_per_instance, self.last_lane(instance));
        (first / 32..=last / 32).map(move |warp| {
            let above = if warp == first / 32 { u32::MAX << (first % 32) } else { u32::MAX };
            let below = if warp == last / 32 { u32::MAX >> (31 - last % 32) } else { u32::MAX };
            (warp, above & below)
        })
    }
}
