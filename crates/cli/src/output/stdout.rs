//! A standard output that is closed.
#![allow(unsafe_code, reason = "only code that runs before Rust's runtime sees a closed descriptor")]

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether there was no standard output when the program started (`>&-`).
///
/// Rust's runtime opens /dev/null in its place before `main`, into which results would disappear.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// # Errors
/// A standard output that was closed at the start.
pub(super) fn check() -> io::Result<()> {
    if IS_CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed; expected a file, a pipe or a terminal"));
    }
    Ok(())
}

extern "C" fn look() {
    let is_open = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_ok();
    IS_CLOSED.store(!is_open, Ordering::Relaxed);
}

// SAFETY: the section holds pointers to functions that the loader calls before `main`; this one needs nothing
// of Rust's runtime.
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK_BEFORE_MAIN: extern "C" fn() = look;
