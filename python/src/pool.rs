//! The threads that compute: a pool of this process, made when it is first used.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

struct Owned {
    process: u32,
    pool: ThreadPool,
}

/// No lock: a lock that another thread holds during `fork` stays locked in the child forever.
static POOL: AtomicPtr<Owned> = AtomicPtr::new(ptr::null_mut());

/// The pool of this process; none if the system has no threads for it.
///
/// A child of `fork` has none of its parent's threads: it makes a pool of its own, and leaks its parent's, as
/// dropping that would wait for threads that do not exist.
fn pool() -> Option<&'static ThreadPool> {
    let (found, process) = (POOL.load(Ordering::Acquire), std::process::id());
    // SAFETY: pools are leaked below and never freed.
    if let Some(owned) = unsafe { found.as_ref() }
        && owned.process == process
    {
        return Some(&owned.pool);
    }
    let pool = ThreadPoolBuilder::new().thread_name(|i| format!("limbforge-{i}")).build().ok()?;
    let made = Box::into_raw(Box::new(Owned { process, pool }));
    match POOL.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: leaked just now.
        Ok(_) => Some(unsafe { &(*made).pool }),
        Err(other) => {
            // Another thread was faster.
            // SAFETY: `made` was shared with nobody; `other` is leaked.
            unsafe {
                drop(Box::from_raw(made));
                Some(&(*other).pool)
            }
        }
    }
}

/// Runs `work` on the pool, whose threads parallel iterators within it use; at once if there is no pool.
pub(crate) fn spawn(work: impl FnOnce() + Send + 'static) {
    match pool() {
        Some(pool) => pool.spawn(work),
        None => work(),
    }
}

/// As [`spawn`], and waits for the result.
pub(crate) fn install<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}
