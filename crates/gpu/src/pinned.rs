//! Memory of the machine that GPUs copy from and to by themselves.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, result};

use crate::driver::failed;
use crate::error::GpuError;
use crate::word::Word;

/// Sizes of allocations: powers of two up to this many bytes, then its multiples.
const LARGEST_CLASS: usize = 32 << 20;

/// Pinned memory that is not in use. It never keeps more than was in use at once.
#[derive(Debug)]
pub(crate) struct PinnedPool {
    context: Arc<CudaContext>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Block>,
    idle_bytes: usize,
    used_bytes: usize,
    most_used_bytes: usize,
}

#[derive(Debug)]
struct Block {
    address: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a block has one owner, and any thread may use and free its memory.
unsafe impl Send for Block {}
// SAFETY: a shared block is only read.
unsafe impl Sync for Block {}

/// Words in pinned memory, which every GPU of the process copies from and to at the link's full rate while
/// the CPU does other work. It comes from a pool of its device and goes back there: it has any content at
/// first.
#[derive(Debug)]
pub struct Pinned<W> {
    block: Option<Block>,
    words: usize,
    pool: Arc<PinnedPool>,
    word: PhantomData<W>,
}

impl PinnedPool {
    pub(crate) fn new(context: Arc<CudaContext>) -> Self {
        Self { context, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that is done under the lock panics half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The smallest idle block that is not twice as large as asked for, or a new one.
    fn take(&self, asked: usize) -> Result<Block, GpuError> {
        let class = match asked {
            0..=LARGEST_CLASS => asked.max(1).next_power_of_two(),
            _ => asked.checked_next_multiple_of(LARGEST_CLASS).unwrap_or(usize::MAX),
        };
        let idle = {
            let mut state = self.state();
            let fits = |block: &&(usize, &Block)| (class..=2 * class).contains(&block.1.bytes);
            let best =
                state.idle.iter().enumerate().filter(|block| fits(&block)).min_by_key(|(_, b)| b.bytes);
            best.map(|(i, _)| i).map(|i| {
                let block = state.idle.swap_remove(i);
                state.idle_bytes -= block.bytes;
                block
            })
        };
        let block = match idle {
            Some(block) => block,
            // What is kept for other sizes may be what is missing.
            None => self.allocate(class).or_else(|_| {
                self.release();
                self.allocate(class)
            })?,
        };
        let mut state = self.state();
        state.used_bytes += block.bytes;
        state.most_used_bytes = state.most_used_bytes.max(state.used_bytes);
        Ok(block)
    }

    fn allocate(&self, bytes: usize) -> Result<Block, GpuError> {
        let no_memory = || GpuError::PinnedMemory { asked: bytes as u64 };
        self.context.bind_to_thread().map_err(failed("select the GPU"))?;
        // SAFETY: the context is current. The system hands out pages of zeros, so that all bytes have values.
        let address = unsafe { result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_PORTABLE) };
        let address = address.map_err(|error| match error.0 {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY
            | CUresult::CUDA_ERROR_INVALID_VALUE
            | CUresult::CUDA_ERROR_OPERATING_SYSTEM => no_memory(),
            _ => failed("allocate pinned memory")(error),
        })?;
        Ok(Block { address: NonNull::new(address.cast::<u8>()).ok_or_else(no_memory)?, bytes })
    }

    fn give_back(&self, block: Block) {
        let mut state = self.state();
        state.used_bytes -= block.bytes;
        state.idle_bytes += block.bytes;
        state.idle.push(block);
        // The oldest go first.
        while state.used_bytes + state.idle_bytes > state.most_used_bytes {
            let oldest = state.idle.remove(0);
            state.idle_bytes -= oldest.bytes;
            self.free(oldest);
        }
    }

    /// Frees all that is not in use.
    pub(crate) fn release(&self) {
        let idle = {
            let mut state = self.state();
            state.most_used_bytes = state.used_bytes;
            state.idle_bytes = 0;
            std::mem::take(&mut state.idle)
        };
        idle.into_iter().for_each(|block| self.free(block));
    }

    fn free(&self, Block { address, .. }: Block) {
        // A failure cannot be reported here. The next call on this context reports it.
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: allocated by this pool and freed once, as nobody else has the block.
        self.context.record_err(unsafe { result::free_host(address.as_ptr().cast()) });
    }
}

impl Drop for PinnedPool {
    fn drop(&mut self) {
        self.release();
    }
}

impl<W: Word> Pinned<W> {
    /// Words from a pool, with any content.
    pub(crate) fn new(pool: &Arc<PinnedPool>, words: usize) -> Result<Self, GpuError> {
        let too_large = GpuError::PinnedMemory { asked: u64::MAX };
        let bytes = words.checked_mul(size_of::<W>()).filter(|&bytes| bytes <= isize::MAX as usize);
        let block = Some(pool.take(bytes.ok_or(too_large)?)?);
        Ok(Self { block, words, pool: pool.clone(), word: PhantomData })
    }

    /// The words.
    #[must_use]
    pub fn as_slice(&self) -> &[W] {
        let address = self.address();
        // SAFETY: an allocation of at least this size, aligned to 256 bytes, that lives as long as `self`;
        // every bit pattern is a word.
        unsafe { slice::from_raw_parts(address.as_ptr(), self.words) }
    }

    /// The words, for writing.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [W] {
        let address = self.address();
        // SAFETY: as above, and `self` is borrowed alone.
        unsafe { slice::from_raw_parts_mut(address.as_ptr(), self.words) }
    }

    fn address(&self) -> NonNull<W> {
        self.block.as_ref().map_or(NonNull::dangling(), |block| block.address.cast())
    }
}

impl<W: Word> AsRef<[W]> for Pinned<W> {
    fn as_ref(&self) -> &[W] {
        self.as_slice()
    }
}

impl<W: Word> AsMut<[W]> for Pinned<W> {
    fn as_mut(&mut self) -> &mut [W] {
        self.as_mut_slice()
    }
}

impl<W> Drop for Pinned<W> {
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            self.pool.give_back(block);
        }
    }
}
