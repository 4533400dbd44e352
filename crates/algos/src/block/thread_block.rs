//! The model of a thread block, on one CPU thread.
//!
//! A block computes up to IPB instances of M limbs. Each instance belongs to `T = ceil(M / Q)` consecutive
//! threads; thread `rank` holds limbs `Q * rank .. Q * rank + Q` in registers ([`Registers`]). Threads are
//! lanes of warps of 32 ([`warp`]); the lanes that fill the last warp are idle.
//!
//! A *phase* is a loop over all threads. Shared memory is a `Vec`, and a barrier lies between two phases: a
//! phase reads from shared memory only what an earlier phase wrote, so threads run in any order.
//!
//! **Padding.** If Q does not divide M, the last thread of an instance holds limbs past M. They are zero
//! before and after every operation. During an operation they collect what leaves limb M - 1, from which the
//! carry out is read. If IPB does not divide N, the last block has fewer instances and accesses no others.

use limbforge_limb::Base;

use super::warp::WARP;

/// Q limbs for each thread of a block; idle threads hold zeros.
pub type Registers<B, const Q: usize> = Vec<[B; Q]>;

/// One thread block of the grid: IPB instances of M limbs, Q limbs per thread.
///
/// M, Q and IPB are at least 1 and the block has at most 1024 threads; other parameters do not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<const M: usize, const Q: usize, const IPB: usize> {
    first: usize,
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

impl<const M: usize, const Q: usize, const IPB: usize> Block<M, Q, IPB> {
    /// T, the threads of one instance.
    pub const THREADS_PER_INSTANCE: usize = M.div_ceil(Q);
    /// Threads with an instance, `IPB * T`.
    pub const THREADS: usize = IPB * Self::THREADS_PER_INSTANCE;
    /// All threads of the block: whole warps.
    pub const LANES: usize = {
        let lanes = Self::THREADS.next_multiple_of(WARP);
        assert!(M > 0 && IPB > 0, "a block needs M >= 1, Q >= 1 and IPB >= 1");
        assert!(lanes <= 1024, "a block has at most 1024 threads: choose a larger Q or a smaller IPB");
        lanes
    };
    /// Limbs of one instance with its padding, `T * Q`: its stride in shared memory.
    pub const STRIDE: usize = Self::THREADS_PER_INSTANCE * Q;

    /// The grid of a batch of `n` instances: `ceil(n / IPB)` blocks, the last one may have fewer.
    pub fn grid(n: usize) -> impl Iterator<Item = Self> {
        (0..n).step_by(IPB).map(move |first| Self { first, instances: IPB.min(n - first) })
    }

    /// Instances of this block that exist, 1 to IPB.
    #[must_use]
    pub const fn instances(&self) -> usize {
        self.instances
    }

    /// Index in the batch of the block's first instance.
    #[must_use]
    pub const fn first_instance(&self) -> usize {
        self.first
    }

    /// All threads, idle ones included.
    pub fn threads(&self) -> impl Iterator<Item = Thread> {
        let Self { instances, .. } = *self;
        (0..Self::LANES).map(move |lane| {
            let (instance, rank) = (lane / Self::THREADS_PER_INSTANCE, lane % Self::THREADS_PER_INSTANCE);
            let is_last = rank + 1 == Self::THREADS_PER_INSTANCE;
            Thread { lane, instance, rank, is_last, active: instance < instances }
        })
    }

    /// A phase: the value that every thread computes.
    pub fn phase<T>(&self, step: impl FnMut(Thread) -> T) -> Vec<T> {
        self.threads().map(step).collect()
    }

    /// A phase: limb `i < M` of each instance; zeros in the padding and in idle threads.
    pub fn each_limb<B: Base>(&self, limb: impl Fn(Thread, usize) -> B) -> Registers<B, Q> {
        let at = |thread: Thread, i| if thread.active && i < M { limb(thread, i) } else { B::ZERO };
        self.phase(|thread| core::array::from_fn(|q| at(thread, Q * thread.rank + q)))
    }

    /// One value for each instance that exists.
    pub fn each_instance<T>(&self, value: impl FnMut(usize) -> T) -> Vec<T> {
        (0..self.instances).map(value).collect()
    }

    /// The last lane of an instance.
    #[must_use]
    pub const fn last_lane(instance: usize) -> usize {
        (instance + 1) * Self::THREADS_PER_INSTANCE - 1
    }

    /// The warps that an instance's threads lie in, and the mask of its lanes in each of them.
    pub fn warp_masks(instance: usize) -> impl Iterator<Item = (usize, u32)> {
        let (first, last) = (instance * Self::THREADS_PER_INSTANCE, Self::last_lane(instance));
        (first / WARP..=last / WARP).map(move |warp| {
            let above = if warp == first / WARP { u32::MAX << (first % WARP) } else { u32::MAX };
            let below = if warp == last / WARP { u32::MAX >> (WARP - 1 - last % WARP) } else { u32::MAX };
            (warp, above & below)
        })
    }

    /// Reads the block's instances from a batch of numbers of `len <= M` limbs, with zeros above them:
    /// coalesced into shared memory, then to registers.
    pub(super) fn read<B: Base>(&self, global: &[B], len: usize) -> Registers<B, Q> {
        let mut shared = vec![B::ZERO; IPB * Self::STRIDE];
        // Phase: limb i goes through thread i mod LANES, so neighbouring threads read neighbours.
        for (i, &limb) in global[self.first * len..][..self.instances * len].iter().enumerate() {
            shared[i / len * Self::STRIDE + i % len] = limb;
        }
        // Barrier.
        self.gather(&shared, 1, 0)
    }

    /// The low `len` limbs of each instance's number of `strides` padded lengths in shared memory, in the
    /// order of the batch. Limb i goes through thread i mod LANES.
    pub(super) fn write<B: Base>(&self, shared: &[B], strides: usize, len: usize) -> Vec<B> {
        let limb = |i: usize| shared[i / len * strides * Self::STRIDE + i % len];
        (0..self.instances * len).map(limb).collect()
    }

    /// A phase: every thread writes its limbs to shared memory, instances at distance
    /// [`STRIDE`](Self::STRIDE).
    #[must_use]
    pub fn scatter<B: Base>(&self, registers: &[[B; Q]]) -> Vec<B> {
        registers[..Self::THREADS].as_flattened().to_vec()
    }

    /// A phase: every thread reads the Q limbs from `offset + Q * rank` on of its instance's number of
    /// `strides` padded lengths; limbs past the number's end read as zero.
    #[must_use]
    pub fn gather<B: Base>(&self, shared: &[B], strides: usize, offset: usize) -> Registers<B, Q> {
        let len = strides * Self::STRIDE;
        let read = |thread: Thread, at| {
            if thread.active && at < len { shared[thread.instance * len + at] } else { B::ZERO }
        };
        self.phase(|thread| core::array::from_fn(|q| read(thread, offset + Q * thread.rank + q)))
    }

    /// Ends an operation that carries: returns the carry out of limb M - 1 of each instance, and clears the
    /// padding.
    ///
    /// `overflow` has the carry out of each thread. With padding the carry stopped in limb M, which then is
    /// 1, or B - 1 after a borrow.
    pub fn take_carries<B: Base>(&self, registers: &mut [[B; Q]], overflow: &[bool]) -> Vec<bool> {
        let carries = self.each_instance(|instance| {
            let last = Self::last_lane(instance);
            if M.is_multiple_of(Q) { overflow[last] } else { registers[last][M % Q] != B::ZERO }
        });
        self.clear_padding(registers);
        carries
    }

    /// Sets the limbs past M to zero.
    pub fn clear_padding<B: Base>(&self, registers: &mut [[B; Q]]) {
        for thread in self.threads().filter(|thread| thread.is_last) {
            registers[thread.lane][(M - 1) % Q + 1..].fill(B::ZERO);
        }
    }
}
