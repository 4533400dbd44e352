//! What the memory of the machine gives: copies by all threads at once.

use std::thread;

use serde_json::{Map, Value, json};

use super::{Outcome, put};

/// Words of 64 bits that a thread copies: 64 MiB, more than its caches hold.
const WORDS: usize = 8 << 20;

/// Gigabytes a second that all threads read and write together where each copies memory of its own.
pub(super) fn measure() -> Outcome<Value> {
    let threads = thread::available_parallelism()?.get();
    let mut parts: Vec<[Vec<u64>; 2]> =
        (1..=threads as u64).map(|i| [vec![i; WORDS], vec![0; WORDS]]).collect();
    let mut times = Map::new();
    put(&mut times, "copies", || {
        thread::scope(|scope| {
            for [from, to] in &mut parts {
                let _ = scope.spawn(|| to.copy_from_slice(from));
            }
        });
        Ok(())
    })?;
    assert!(parts.iter().all(|[from, to]| from == to), "copies are equal");
    let milliseconds = times["copies"].as_f64().ok_or("a time is a number")?;
    let bytes = (2 * 8 * WORDS * threads) as f64;
    Ok(json!({ "threads": threads, "gigabytes_per_second": bytes / milliseconds / 1e6 }))
}
