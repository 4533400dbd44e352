//! The threads of the CPU backend.

use std::env;
use std::num::NonZero;
use std::thread;

/// Threads that `RAYON_NUM_THREADS` may ask for on any machine; on larger ones they are four for each core.
const FEWEST_ALLOWED: usize = 256;

/// Starts one thread for each core, or as many as `RAYON_NUM_THREADS` says within limits. Beyond them, and
/// where the system starts no further ones, a line says so.
pub fn start() {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let asked = env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok()).filter(|&n| n > 0);
    let allowed = most(cores);
    let mut threads = asked.unwrap_or(cores);
    if threads > allowed {
        eprintln!(
            "warning: RAYON_NUM_THREADS={threads}: {allowed} threads are started, the most that limbforge starts on {cores} cores"
        );
        threads = allowed;
    }
    let build = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads);
    if let Err(error) = build(threads).build_global() {
        eprintln!("warning: one thread computes: {threads} cannot be started: {error}");
        // If this fails too, the first computation says so.
        let _ = build(1).use_current_thread().build_global();
    }
}

/// The most threads on a machine of so many cores.
const fn most(cores: usize) -> usize {
    let four_each = 4 * cores;
    if four_each > FEWEST_ALLOWED { four_each } else { FEWEST_ALLOWED }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        assert_eq!((most(1), most(64), most(65), most(384)), (256, 256, 260, 1536));
    }
}
