//! The pages, on Linux.

#![allow(unsafe_code, reason = "pages of the system")]

use core::ffi::c_void;
use core::ptr::{self, NonNull};
use std::io;

use limbforge_limb::Base;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use rustix::param::page_size;

use super::At;

/// Limbs in pages of their own, with a closed page on each side.
///
/// ```
/// use limbforge_testing::guarded::{At, Guarded};
///
/// let mut limbs = Guarded::new(&[1_u64, 2, 3], At::End)?;
/// limbs.as_mut()[2] = 4;
/// assert_eq!(limbs.as_ref(), [1, 2, 4]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Guarded<B> {
    pages: NonNull<c_void>,
    bytes: usize,
    limbs: NonNull<B>,
    len: usize,
}

// SAFETY: it has its pages for itself, and its limbs are plain data.
unsafe impl<B: Base> Send for Guarded<B> {}
// SAFETY: as above; shared, it gives shared references only.
unsafe impl<B: Base> Sync for Guarded<B> {}

impl<B: Base> Guarded<B> {
    /// A copy of the limbs.
    ///
    /// # Errors
    /// Those of the system, if there is no memory.
    pub fn new(limbs: &[B], at: At) -> io::Result<Self> {
        let (page, size) = (page_size(), size_of_val(limbs));
        let open = size.next_multiple_of(page);
        let bytes = open + 2 * page;
        // SAFETY: the system chooses an address where nothing is.
        let pages = unsafe {
            mmap_anonymous(ptr::null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)?
        };
        let Some(pages) = NonNull::new(pages) else { return Err(io::Error::other("pages at address 0")) };
        let from = match at {
            At::Start => page,
            At::End => page + open - size,
        };
        // SAFETY: the address is within the pages. It is aligned to limbs, as pages are and sizes of limbs are multiples of
        // their alignment.
        let first = unsafe { pages.byte_add(from).cast::<B>() };
        let guarded = Self { pages, bytes, limbs: first, len: limbs.len() };
        // SAFETY: `size` bytes from there on are new and open for reading and writing; nobody else has them.
        unsafe { ptr::copy_nonoverlapping(limbs.as_ptr(), first.as_ptr(), limbs.len()) };
        for closed in [0, bytes - page] {
            // SAFETY: the first and the last page, in which there are no limbs.
            unsafe { mprotect(pages.as_ptr().byte_add(closed), page, MprotectFlags::empty())? };
        }
        Ok(guarded)
    }
}

impl<B> AsRef<[B]> for Guarded<B> {
    fn as_ref(&self) -> &[B] {
        // SAFETY: `new` has written so many limbs there, which live as long as this does.
        unsafe { core::slice::from_raw_parts(self.limbs.as_ptr(), self.len) }
    }
}

impl<B> AsMut<[B]> for Guarded<B> {
    fn as_mut(&mut self) -> &mut [B] {
        // SAFETY: as above, and this is borrowed alone.
        unsafe { core::slice::from_raw_parts_mut(self.limbs.as_ptr(), self.len) }
    }
}

impl<B> Drop for Guarded<B> {
    fn drop(&mut self) {
        // SAFETY: the pages are those of `new`, and no reference to them is left.
        if let Err(error) = unsafe { munmap(self.pages.as_ptr(), self.bytes) } {
            panic!("pages that cannot be given back: {error}");
        }
    }
}
