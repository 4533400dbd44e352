//! Memory of results that is used again for results of the same size, as programs compute in loops.
//!
//! Fresh memory costs a pass for its zeros and a fault for each page: an eighth of the time of an exact
//! product of 2048 bits on one core.

use std::mem;
use std::sync::Mutex;

use limbforge::limb::BatchError;
use limbforge::prelude::{Batch, IntType, Layout};

/// Words of results from which on their memory is kept: 64 KB.
const LEAST: usize = 1 << 13;
/// Words that are kept of all results together: 64 MB.
const MOST: usize = 1 << 23;

/// The oldest memory comes first. A lock that is taken, also by another thread during `fork`, is not waited
/// for.
static FREE: Mutex<Vec<Vec<u64>>> = Mutex::new(vec![]);

/// Memory that is kept when its last batch is dropped.
struct Recycled(Vec<u64>);

impl AsRef<[u64]> for Recycled {
    fn as_ref(&self) -> &[u64] {
        &self.0
    }
}

impl AsMut<[u64]> for Recycled {
    fn as_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

impl Drop for Recycled {
    fn drop(&mut self) {
        let words = mem::take(&mut self.0);
        let Ok(mut free) = FREE.try_lock() else { return };
        if words.len() > MOST {
            return;
        }
        free.push(words);
        while free.iter().map(Vec::len).sum::<usize>() > MOST {
            drop(free.remove(0));
        }
    }
}

/// Whether results of so many words have memory of this kind.
pub(crate) const fn is_kept(words: usize) -> bool {
    LEAST <= words && words <= MOST
}

/// A batch to be written: its integers are zeros, or those of an earlier result.
///
/// # Errors
/// [`BatchError::TooLarge`] if there is no memory.
pub(crate) fn batch_to_write(ty: IntType, instances: usize) -> Result<Batch<u64>, BatchError> {
    let limbs_per_instance = ty.limbs::<u64>();
    let len = instances.saturating_mul(limbs_per_instance);
    let kept = FREE.try_lock().ok().and_then(|mut free| {
        let place = free.iter().rposition(|words| words.len() == len)?;
        Some(free.remove(place))
    });
    let words = match kept {
        Some(words) => words,
        None => {
            let mut words = vec![];
            let full = |_| BatchError::TooLarge { instances, limbs_per_instance };
            words.try_reserve_exact(len).map_err(full)?;
            words.resize(len, 0);
            words
        }
    };
    Batch::in_memory_to_write(ty, Layout::InstanceMajor, Recycled(words))
}
