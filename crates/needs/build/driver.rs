//! Libraries that the system's loader finds by name: NVIDIA's driver, and nvrtc.
#![allow(unsafe_code, reason = "opening a library and calling a foreign function")]

use std::ffi::c_int;

use libloading::{Library, Symbol};

const NAMES: &[&str] = if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so", "libcuda.so.1"] };

/// NVIDIA's driver.
pub(crate) fn open() -> Option<Library> {
    NAMES.iter().find_map(|name| load(name))
}

/// How many GPUs the driver has.
pub(crate) fn devices(driver: &Library) -> c_int {
    // SAFETY: the driver's function of this name has this type, int cuInit(unsigned).
    let init: Result<Symbol<'_, unsafe extern "C" fn(u32) -> c_int>, _> = unsafe { driver.get("cuInit") };
    // SAFETY: as above, int cuDeviceGetCount(int*).
    let count: Result<Symbol<'_, unsafe extern "C" fn(*mut c_int) -> c_int>, _> =
        unsafe { driver.get("cuDeviceGetCount") };
    let (Ok(init), Ok(count)) = (init, count) else { return 0 };
    let mut devices = 0;
    // SAFETY: cuInit takes no flags, and cuDeviceGetCount writes one int, which outlives the call.
    let is_known = unsafe { init(0) == 0 && count(&raw mut devices) == 0 };
    if is_known { devices } else { 0 }
}

/// Whether the loader finds a library.
pub(crate) fn loads(name: &str) -> bool {
    load(name).is_some()
}

fn load(name: &str) -> Option<Library> {
    // SAFETY: only names of NVIDIA's libraries come here; their initialisers can run in any process.
    unsafe { Library::new(name) }.ok()
}
