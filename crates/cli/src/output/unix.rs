//! Unix: a signal removes an unfinished file that has a name, and a closed standard output or a file that is
//! too large is an error.
#![allow(unsafe_code, reason = "the state of the process before `main`, and of its signals")]

use std::mem::MaybeUninit;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::{fs, io, ptr, thread};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use tempfile::NamedTempFile;

/// Makes a write beyond the limit of `ulimit -f` an error, in place of a signal that ends the program.
pub(super) fn make_large_files_an_error() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        // With any handler, the write returns an error.
        if !is_ignored(SIGXFSZ) {
            let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        }
    });
}

/// Unfinished files with names, which a signal removes.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether the first signal is left to the run.
static IS_DEFERRED: AtomicBool = AtomicBool::new(false);

/// The signal that is left to the run, 0 for none.
static DEFERRED: AtomicI32 = AtomicI32::new(0);

/// Creates an unfinished file, which is removed when a signal ends the program. A signal that was ignored at
/// the start, as under `nohup`, stays ignored.
pub(super) fn create_removable(
    create: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    if let Err(error) = handle_signals() {
        eprintln!("warning: an interrupt will leave a temporary file: {error}");
    }
    // A signal that comes while the file is created waits for its name.
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = create()?;
    unfinished.push(file.path().to_owned());
    Ok(file)
}

/// Leaves the first signal to the run; another one ends it at once.
pub(super) fn defer_signals() {
    IS_DEFERRED.store(true, Ordering::Relaxed);
    if let Err(error) = handle_signals() {
        eprintln!("warning: an interrupt will end the run at once: {error}");
    }
}

/// The signal that was left to the run.
pub(super) fn deferred_signal() -> Option<i32> {
    Some(DEFERRED.load(Ordering::Relaxed)).filter(|&signal| signal != 0)
}

/// Ends the program by a signal, so that its parent sees it.
pub(super) fn end_by(signal: i32) {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // It may be gone already.
        let _ = fs::remove_file(path);
    }
    let _ = emulate_default_handler(signal);
}

/// Starts the thread that waits for signals, once.
fn handle_signals() -> io::Result<()> {
    static HANDLER: Once = Once::new();
    let mut started = Ok(());
    HANDLER.call_once(|| {
        started = on_signals(|signal| {
            let is_deferred = IS_DEFERRED.load(Ordering::Relaxed);
            if !is_deferred || DEFERRED.swap(signal, Ordering::Relaxed) != 0 {
                end_by(signal);
            }
        });
    });
    started
}

fn on_signals(end: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    let ending = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(ending)?;
    let wait = move || signals.forever().for_each(end);
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the present one to where `action` has room for it.
    let asked = unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) };
    // SAFETY: a `sigaction` of zeros is valid, and so is one that the system has written.
    let action = unsafe { action.assume_init() };
    asked == 0 && action.sa_sigaction == libc::SIG_IGN
}

/// Whether the program started without a standard output (`>&-`). Rust's runtime replaces it with /dev/null
/// before `main`, where results would disappear.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Refuses a standard output that was closed at the start.
pub(super) fn check_stdout() -> io::Result<()> {
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
