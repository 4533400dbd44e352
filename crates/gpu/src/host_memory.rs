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

/// Where an address lies, as far as the driver knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Device {
        ordinal: usize,
    },
    Pinned,
    /// Ordinary memory, or none.
    Unknown,
}

/// Asks the driver about an address. Needs a current context.
pub(crate) fn kind_of(address: u64) -> Kind {
    const HOST: u32 = CUmemorytype::CU_MEMORYTYPE_HOST as u32;
    const DEVICE: u32 = CUmemorytype::CU_MEMORYTYPE_DEVICE as u32;
    let (mut kind, mut ordinal) = (0_u32, 0_i32);
    let mut attributes = [
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
    ];
    let mut values: [*mut c_void; 2] = [(&raw mut kind).cast(), (&raw mut ordinal).cast()];
    // SAFETY: both attributes are numbers of 32 bits, and any address may be asked about: unlike the function
    // for one attribute, this one answers 0, not an error, for ordinary memory.
    let asked =
        unsafe { sys::cuPointerGetAttributes(2, attributes.as_mut_ptr(), values.as_mut_ptr(), address) };
    match (asked.result().is_ok(), kind) {
        (true, HOST) => Kind::Pinned,
        (true, DEVICE) => Kind::Device { ordinal: usize::try_from(ordinal).unwrap_or(usize::MAX) },
        _ => Kind::Unknown,
    }
}

/// True if all bytes lie in pinned memory, whoever has pinned it. Needs a current context.
pub(crate) fn is_pinned(bytes: &[u8]) -> bool {
    let is_host = |byte: &u8| kind_of((&raw const *byte) as u64) == Kind::Pinned;
    bytes.first().is_none_or(is_host) && bytes.last().is_none_or(is_host)
}
