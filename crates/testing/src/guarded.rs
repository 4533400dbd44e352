//! Limbs between pages that nobody may touch: a read or write of one limb too far ends the program, whatever the
//! instruction. On Linux; elsewhere and under Miri limbs lie in ordinary memory.

#[cfg(all(target_os = "linux", not(miri)))]
mod pages;

use limbforge_limb::{Base, Batch};

#[cfg(all(target_os = "linux", not(miri)))]
pub use pages::Guarded;

/// The end of the open pages at which limbs lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Right behind a closed page: what is read before the limbs is found.
    Start,
    /// Right before a closed page: what is read behind the limbs is found.
    End,
}

impl At {
    /// Both ends.
    pub const ALL: [Self; 2] = [Self::Start, Self::End];
}

/// A copy of the batch at an end of guarded pages.
pub(crate) fn copy<B: Base>(batch: &Batch<B>, at: At) -> Batch<B> {
    #[cfg(all(target_os = "linux", not(miri)))]
    return match Guarded::new(batch.limbs(), at) {
        Ok(pages) => Batch::from_memory(batch.ty(), batch.layout(), pages)
            .unwrap_or_else(|error| panic!("other limbs than those of the batch: {error}")),
        Err(error) => panic!("no pages: {error}"),
    };
    #[cfg(any(not(target_os = "linux"), miri))]
    {
        let _ = at;
        batch.clone()
    }
}
