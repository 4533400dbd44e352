//! The threads of the CPU backend.

use std::{env, num::NonZero, thread};

/// Threads that `RAYON_NUM_THREADS` may request on any machine; large ones allow four for each core.
const FEWEST_ALLOWED: usize = 256;

/// Starts one thread for each core, or the number in `RAYON_NUM_THREADS` within limits. A warning reports a
/// number beyond them, and threads that the system does not start.
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
        // If this fails too, the first computation reports it.
        let _ = build(1).use_current_thread().build_global();
    }
}

fn most(cores: usize) -> usize {
    FEWEST_ALLOWED.max(4 * cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        assert_eq!((most(1), most(64), most(65), most(384)), (256, 256, 260, 1536));
    }
}
