//! Memory of the machine as the driver and the system see it.
#![allow(unsafe_code)]

use std::ffi::c_void;

use cudarc::driver::sys::{self, CUmemorytype, CUpointer_attribute};

/// Bytes from which on large pages pay.
#[cfg(target_os = "linux")]
const LARGE: usize = 8 << 20;

/// Asks the system for pages of 2 MiB where `bytes` are not in memory yet: the first write to each page of a
/// fresh allocation interrupts its thread, and there are 512 times fewer.
#[cfg(target_os = "linux")]
pub(crate) fn advise_large_pages(bytes: &mut [u8]) {
    use rustix::mm::{Advice, madvise};
    let page = rustix::param::page_size();
    let skipped = bytes.as_ptr().align_offset(page);
    let size = bytes.len().saturating_sub(skipped) / page * page;
    if size >= LARGE {
        // SAFETY: the pages lie within the slice, and the advice changes no byte. It may be ignored.
        let _ = unsafe { madvise(bytes[skipped..].as_mut_ptr().cast(), size, Advice::LinuxHugepage) };
    }
}

/// Other systems choose the size of pages themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn advise_large_pages(_: &mut [u8]) {}

/// True if all bytes lie in pinned memory, whoever has pinned it. Needs a current context.
pub(crate) fn is_pinned(bytes: &[u8]) -> bool {
    let is_host = |byte: &u8| {
        let mut kind = 0_u32;
        let mut attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
        let mut value: *mut c_void = (&raw mut kind).cast();
        // SAFETY: the one attribute is a number of 32 bits, and any address may be asked about: unlike the
        // function for one attribute, this one answers 0, not an error, for ordinary memory.
        let asked = unsafe {
            sys::cuPointerGetAttributes(1, &raw mut attribute, &raw mut value, (&raw const *byte) as u64)
        };
        asked.result().is_ok() && kind == CUmemorytype::CU_MEMORYTYPE_HOST as u32
    };
    bytes.first().is_none_or(is_host) && bytes.last().is_none_or(is_host)
}
