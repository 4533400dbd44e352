//! Signals that ask a run to end, for runs that have something to write first. On Windows they end it at once.

#[cfg(unix)]
use super::unix;

/// Leaves the first SIGINT, SIGTERM or SIGHUP to the run, which asks for it; another one ends it at once. One that
/// was ignored at the start stays ignored.
pub fn defer() {
    #[cfg(unix)]
    unix::defer_signals();
}

/// The signal that was left to the run, if one came.
pub fn deferred() -> Option<i32> {
    #[cfg(unix)]
    return unix::deferred_signal();
    #[cfg(not(unix))]
    None
}

/// Ends the program by the signal, so that its parent sees it, and removes unfinished files.
pub fn end_by(signal: i32) {
    #[cfg(unix)]
    unix::end_by(signal);
    #[cfg(not(unix))]
    let _ = signal;
}
