//! The workers of a process: each has a thread and an engine of its own. While one copies its walks and commits its points,
//! another one keeps the device busy.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use ecdlp::error::EcdlpError;
use ecdlp::solve::{Segment, Worker};
use limbforge::Engine;
use limbforge::num_bigint::BigUint;

use super::progress::Progress;

/// Workers, and what they have found.
pub(super) struct Crew {
    progress: Mutex<Progress>,
    /// The most segments of each worker.
    segments: Option<u64>,
    found: OnceLock<BigUint>,
    /// Whether a worker has failed.
    failed: AtomicBool,
}

impl Crew {
    pub(super) fn new(progress: Progress, segments: Option<u64>) -> Self {
        Self {
            progress: Mutex::new(progress),
            segments,
            found: OnceLock::new(),
            failed: AtomicBool::new(false),
        }
    }

    /// Walks until one worker has the logarithm, all have made their segments, or one fails; the others commit what they
    /// have.
    pub(super) fn run(self, workers: Vec<Worker>, engines: &[Engine]) -> Result<Option<BigUint>, EcdlpError> {
        let mut results: Vec<Result<(), EcdlpError>> = workers.iter().map(|_| Ok(())).collect();
        thread::scope(|scope| {
            for ((mut worker, engine), result) in workers.into_iter().zip(engines).zip(&mut results) {
                let crew = &self;
                scope.spawn(move || {
                    *result = crew.walk(&mut worker, engine);
                    if result.is_err() {
                        crew.failed.store(true, Ordering::Relaxed);
                    }
                });
            }
        });
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).say_end();
        results.into_iter().collect::<Result<(), _>>()?;
        Ok(self.found.into_inner())
    }

    fn walk(&self, worker: &mut Worker, engine: &Engine) -> Result<(), EcdlpError> {
        let is_gpu = engine.device_name() != "CPU";
        let mut segments = 0;
        while !self.is_over() && self.segments.is_none_or(|most| segments < most) {
            self.note(&worker.segment(engine)?);
            segments += 1;
            if let Some(why) = engine.fallback().filter(|_| segments == 1 && is_gpu) {
                eprintln!("note: {why}");
            }
        }
        // A worker that has found the logarithm leaves its last segment.
        if self.found.get().is_none() {
            self.note(&worker.finish()?);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.found.get().is_some() || self.failed.load(Ordering::Relaxed)
    }

    fn note(&self, segment: &Segment) {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).note(segment);
        if let Some(k) = &segment.found {
            self.found.get_or_init(|| k.clone());
        }
    }
}
