//! A standard output that is closed.
#![allow(unsafe_code, reason = "only code that runs before Rust's runtime sees a closed descriptor")]

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the program started without a standard output (`>&-`). Rust's runtime replaces it with /dev/null
/// before `main`, where results would disappear.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Refuses a standard output that was closed at the start.
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

// SAFETY: the loader calls the functions of this section before `main`; this one does not need Rust's
// runtime.
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK_BEFORE_MAIN: extern "C" fn() = look;
