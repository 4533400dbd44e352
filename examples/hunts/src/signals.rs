//! Signals that end a hunt between two steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The wish of Ctrl-C or SIGTERM that the hunt ends. A second one ends the program at once.
#[derive(Clone, Debug, Default)]
pub struct Signals(Arc<AtomicBool>);

impl Signals {
    /// Waits for signals from now on. Elsewhere than on Unix they end the program at once.
    #[must_use]
    pub fn watch() -> Self {
        let signals = Self::default();
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            // The order counts: the first signal finds the flag unset. Without handlers the hunt ends at once,
            // which loses nothing either.
            let ends =
                signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, signals.0.clone());
            _ = ends.and_then(|_| signal_hook::flag::register(signal, signals.0.clone()));
        }
        signals
    }

    /// Whether a signal came.
    #[must_use]
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
