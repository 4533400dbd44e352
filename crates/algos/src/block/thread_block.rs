//! The model of a thread block: what the block algorithms are written against, on one CPU thread.
//!
//! A block computes up to IPB instances of M limbs. Each instance belongs to `T = ceil(M / Q)` consecutive
//! threads, thread `rank` of which holds limbs `Q * rank .. Q * rank + Q` in registers ([`Registers`]).
//! Threads are lanes of warps of 32 ([`warp`]); the lanes that fill the last warp are idle.
//!
//! A *phase* is a loop over all threads. Shared memory is a `Vec`, and a barrier lies between two phases: a
//! phase reads from shared memory only what an earlier phase wrote, so the order of the threads cannot
//! matter.
//!
//! **Padding.** If Q does not divide M, the last thread of an instance holds limbs past M. They are zero
//! before and after every operation; in between they collect what leaves limb M - 1, which is how the carry
//! out is found. If IPB does not divide N, the last block has fewer instances; nothing is read or written for
//! the others.

use limbforge_limb::Base;

use super::lanes::{Lanes, Thread};
use super::warp;

/// Q limbs for each thread of a block; idle threads hold zeros.
pub type Registers<B, const Q: usize> = Vec<[B; Q]>;

/// A slice that does not hold N instances of M limbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} limbs ({instances} instances of {limbs_per_instance}), found {found}")]
pub struct LengthError {
    /// Limbs that the batch has.
    pub expected: usize,
    /// N.
    pub instances: usize,
    /// M, or 2M for wide products.
    pub limbs_per_instance: usize,
    /// Limbs that the slice has.
    pub found: usize,
}

impl LengthError {
    /// Whether `found` limbs are `instances` instances of `limbs_per_instance` limbs.
    ///
    /// # Errors
    /// [`LengthError`] if they are not.
    pub const fn check(instances: usize, limbs_per_instance: usize, found: usize) -> Result<(), Self> {
        match instances.checked_mul(limbs_per_instance) {
            Some(expected) if expected == found => Ok(()),
            Some(expected) => Err(Self { expected, instances, limbs_per_instance, found }),
            None => Err(Self { expected: usize::MAX, instances, limbs_per_instance, found }),
        }
    }
}

/// One thread block of the grid: IPB instances of M limbs, Q limbs per thread.
///
/// M, Q and IPB are at least 1 and the block has at most 1024 threads; other parameters do not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<const M: usize, const Q: usize, const IPB: usize> {
    batch: usize,
    first: usize,
    instances: usize,
}

impl<const M: usize, const Q: usize, const IPB: usize> Block<M, Q, IPB> {
    /// T, the threads of one instance.
    pub const THREADS_PER_INSTANCE: usize = M.div_ceil(Q);
    /// Threads with an instance, `IPB * T`.
    pub const THREADS: usize = IPB * Self::THREADS_PER_INSTANCE;
    /// All threads of the block: whole warps.
    pub const LANES: usize = {
        let lanes = Self::THREADS.next_multiple_of(warp::WARP);
        assert!(M > 0 && IPB > 0, "a block needs M >= 1, Q >= 1 and IPB >= 1");
        assert!(lanes <= 1024, "a block has at most 1024 threads: choose a larger Q or a smaller IPB");
        lanes
    };
    /// Limbs of one instance with its padding, `T * Q`: its stride in shared memory.
    pub const STRIDE: usize = Self::THREADS_PER_INSTANCE * Q;

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

    /// The block's threads.
    #[must_use]
    pub const fn lanes(&self) -> Lanes {
        Lanes::new(Self::LANES, Self::THREADS_PER_INSTANCE, self.instances)
    }

    /// Shared memory for `strides` padded numbers of every instance, zeroed.
    #[must_use]
    pub fn shared<B: Base>(strides: usize) -> Vec<B> {
        vec![B::ZERO; IPB * strides * Self::STRIDE]
    }

    /// Loads the block's instances from a batch of N * M limbs: coalesced into shared memory, then to
    /// registers.
    ///
    /// # Errors
    /// [`LengthError`] if `global` is not the whole batch.
    pub fn load<B: Base>(&self, global: &[B]) -> Result<Registers<B, Q>, LengthError> {
        self.load_short(global, M)
    }

    /// As [`load`](Self::load) from a batch of N numbers of `len <= M` limbs; zeros above them.
    pub(crate) fn load_short<B: Base>(
        &self,
        global: &[B],
        len: usize,
    ) -> Result<Registers<B, Q>, LengthError> {
        LengthError::check(self.batch, len, global.len())?;
        let limbs = &global[self.first * len..][..self.instances * len];
        let mut shared = Self::shared(1);
        for lane in 0..Self::LANES {
            for at in (lane..limbs.len()).step_by(Self::LANES) {
                shared[at / len * Self::STRIDE + at % len] = limbs[at];
            }
        }
        // Barrier.
        Ok(self.gather(&shared, 1, 0))
    }

    /// Stores the block's instances to a batch of N * M limbs: registers to shared memory, then coalesced.
    ///
    /// # Errors
    /// [`LengthError`] if `global` is not the whole batch.
    pub fn store<B: Base>(&self, global: &mut [B], registers: &[[B; Q]]) -> Result<(), LengthError> {
        LengthError::check(self.batch, M, global.len())?;
        self.store_shared(global, M, &self.scatter(registers), Self::STRIDE);
        Ok(())
    }

    /// Copies the low `limbs` limbs of each instance from shared memory to a batch of checked length,
    /// coalesced.
    pub(crate) fn store_shared<B: Base>(&self, global: &mut [B], limbs: usize, shared: &[B], stride: usize) {
        let out = &mut global[self.first * limbs..][..self.instances * limbs];
        for lane in 0..Self::LANES {
            for at in (lane..out.len()).step_by(Self::LANES) {
                out[at] = shared[at / limbs * stride + at % limbs];
            }
        }
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
        let read = |thread: Thread, q: usize| {
            let at = offset + Q * thread.rank + q;
            if thread.active && at < len { shared[thread.instance * len + at] } else { B::ZERO }
        };
        self.lanes().phase(|thread| core::array::from_fn(|q| read(thread, q)))
    }

    /// Ends an operation that carries: returns what left limb M - 1 of each instance, and clears the padding.
    ///
    /// `overflow` says of each thread whether a carry left its Q limbs. With padding the carry stopped in
    /// limb M, which then is 1, or B - 1 after a borrow.
    pub fn take_carries<B: Base>(&self, registers: &mut [[B; Q]], overflow: &[bool]) -> Vec<bool> {
        let carries = (0..self.instances).map(|instance| {
            let last = self.lanes().last_lane(instance);
            if M.is_multiple_of(Q) { overflow[last] } else { registers[last][M % Q] != B::ZERO }
        });
        let carries = carries.collect();
        self.clear_padding(registers);
        carries
    }

    /// Sets the limbs past M to zero.
    pub fn clear_padding<B: Base>(&self, registers: &mut [[B; Q]]) {
        for thread in self.lanes().threads().filter(|thread| thread.is_last) {
            registers[thread.lane][(M - 1) % Q + 1..].fill(B::ZERO);
        }
    }
}

/// Launches the grid: `ceil(n / IPB)` blocks, the last one possibly with fewer instances.
///
/// # Errors
/// The first error of `program`.
pub fn for_each_block<const M: usize, const Q: usize, const IPB: usize, E>(
    n: usize,
    mut program: impl FnMut(&Block<M, Q, IPB>) -> Result<(), E>,
) -> Result<(), E> {
    (0..n)
        .step_by(IPB)
        .try_for_each(|first| program(&Block { batch: n, first, instances: IPB.min(n - first) }))
}

/// Runs `program` in every block on the operands' registers; collects what it returns for each instance.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn reduce_batch<B: Base, R, const K: usize, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    operands: [&[B]; K],
    mut program: impl FnMut(&Block<M, Q, IPB>, [Registers<B, Q>; K]) -> Vec<R>,
) -> Result<Vec<R>, LengthError> {
    operands.iter().try_for_each(|operand| LengthError::check(n, M, operand.len()))?;
    let mut results = Vec::new();
    for_each_block(n, |block| {
        let mut registers = [const { Vec::new() }; K];
        for (registers, operand) in registers.iter_mut().zip(operands) {
            *registers = block.load(operand)?;
        }
        results.extend(program(block, registers));
        Ok(())
    })?;
    Ok(results)
}

/// As [`reduce_batch`] for programs that also compute an integer: (the n * M limbs, what each instance
/// returned).
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn map_batch<B: Base, R, const K: usize, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    operands: [&[B]; K],
    mut program: impl FnMut(&Block<M, Q, IPB>, [Registers<B, Q>; K]) -> (Registers<B, Q>, Vec<R>),
) -> Result<(Vec<B>, Vec<R>), LengthError> {
    let mut out = Vec::new();
    let results = reduce_batch(n, operands, |block, registers| {
        let (registers, results) = program(block, registers);
        out.resize((block.first_instance() + block.instances()) * M, B::ZERO);
        block.store_shared(&mut out, M, &block.scatter(&registers), Block::<M, Q, IPB>::STRIDE);
        results
    })?;
    Ok((out, results))
}
