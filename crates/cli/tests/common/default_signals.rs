//! Signals that end the programs of a test, whatever its own parent ignores.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::Signal;

/// Lets the signals end programs that this test starts. They inherit signals that are ignored: in the background of a
/// shell script SIGINT and SIGQUIT, below `nohup` SIGHUP. A signal that has a handler starts without one in a new
/// program; the handlers here do what a signal does without one.
pub(crate) fn end_programs(signals: &[Signal]) {
    for signal in signals {
        let always = Arc::new(AtomicBool::new(true));
        signal_hook::flag::register_conditional_default(signal.as_raw(), always).unwrap();
    }
}
