//! `ecdlp bench --store`: walks with their commits.

use std::path::Path;
use std::time::{Duration, Instant};

use ecdlp::curve::Curve;
use ecdlp::error::EcdlpError;
use ecdlp::setting::{Setting, Sizes};
use ecdlp::solve::{PLACES, Segment, Worker};
use ecdlp::store::Store;
use ecdlp::walks::Walks;
use limbforge::Engine;
use serde_json::json;

/// What is measured.
pub(super) struct Job {
    pub(super) curve: Curve,
    pub(super) setting: Setting,
    pub(super) sizes: Sizes,
    pub(super) segments: u64,
    pub(super) engine: Engine,
}

/// Measures segments of a worker of a new store, from the walks' starts to the last commit.
pub(super) fn run(path: &Path, job: &Job, number: u32) -> Result<(), EcdlpError> {
    let Job { curve, setting, sizes, segments, engine } = job;
    if path.exists() {
        return Err(EcdlpError::Usage(format!("{}: expected no file of this name", path.display())));
    }
    let store = Store::create(path, curve, *setting)?;
    // Kernels are compiled and loaded, and the device has had its memory, before the time starts.
    let walks = Walks::new(curve, setting, *sizes, number)?;
    let starts = walks.starts(engine, 0)?;
    drop(walks.advance(engine, &starts, (0, 0), 1)?);
    drop(starts);
    let mut worker = Worker::new(store.clone(), number, *sizes, PLACES)?;
    let before = Instant::now();
    worker.prepare(engine)?;
    let (prepared, start) = (before.elapsed(), Instant::now());
    let (mut steps, mut walked, mut stored) = (0, Duration::ZERO, Duration::ZERO);
    let mut note = |segment: Segment| {
        steps += segment.steps;
        walked += segment.walked;
        stored += segment.stored;
    };
    for _ in 0..*segments {
        note(worker.segment(engine)?);
    }
    note(worker.finish()?);
    let seconds = start.elapsed().as_secs_f64();
    let (points, hash) = hash_of(&store)?;
    super::super::print(&format!(
        "{}\n",
        json!({
            "curve": curve.name,
            "engine": engine.device_name(),
            "fallback": engine.fallback().map(|why| why.to_string()),
            "walks": sizes.walks(),
            "points_of_an_instance": sizes.points,
            "segments": segments,
            "steps": steps,
            "seconds": { "starts": seconds_of(prepared), "all": rounded(seconds), "walks": seconds_of(walked),
                         "store": seconds_of(stored) },
            "steps_per_second": (steps as f64 / seconds).round(),
            "points": points,
            "hash": hash,
        })
    ))
}

/// The number of points of a store, and the BLAKE3 of their lines.
fn hash_of(store: &Store) -> Result<(u64, String), EcdlpError> {
    let (mut points, mut hash) = (0, blake3::Hasher::new());
    store.each(|row| {
        points += 1;
        hash.update(row.to_line().as_bytes()).update(b"\n");
        Ok(())
    })?;
    Ok((points, hash.finalize().to_hex().to_string()))
}

fn seconds_of(time: Duration) -> f64 {
    rounded(time.as_secs_f64())
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}
