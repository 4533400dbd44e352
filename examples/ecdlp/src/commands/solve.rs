//! `ecdlp solve`.

use std::time::{Duration, Instant};

use ecdlp::curve::Curve;
use ecdlp::error::EcdlpError;
use ecdlp::file;
use ecdlp::setting::{Setting, Sizes};
use ecdlp::solve::{Segment, Worker};
use ecdlp::store::Store;
use ecdlp::walks::Walks;
use limbforge::Engine;
use limbforge::num_bigint::BigUint;

use super::arguments::{SolveArguments, WalkArguments};

/// The time between two lines of progress.
const EVERY: Duration = Duration::from_secs(2);

/// The setting of the arguments.
pub(super) fn setting(curve: &Curve, arguments: &WalkArguments) -> Result<Setting, EcdlpError> {
    let setting = Setting::new(curve, arguments.seed, !arguments.no_negation, arguments.distinguished);
    match arguments.distinguished {
        Some(bits) if bits != setting.distinguished_bits => {
            let most = setting.distinguished_bits;
            Err(EcdlpError::Usage(format!(
                "expected --distinguished of at most {most} for this curve, found {bits}"
            )))
        }
        _ => Ok(setting),
    }
}

/// The sizes of the arguments for a device.
pub(super) fn sizes(
    curve: &Curve,
    setting: &Setting,
    engine: &Engine,
    arguments: &WalkArguments,
) -> Result<Sizes, EcdlpError> {
    let WalkArguments { points, instances, rounds, .. } = *arguments;
    // The instances that a GPU computes at once are known when a kernel is compiled.
    let at_once = match (points, instances) {
        (Some(_), Some(instances)) => (engine.device_name() != "CPU").then_some(instances.into()),
        _ => Walks::at_once(curve, setting, engine)?,
    };
    let sizes = Sizes::of(curve, setting, at_once, [points, instances, rounds]);
    sizes.ok_or_else(|| EcdlpError::Usage("expected 1 to 2^32 walks of at least one round".to_owned()))
}

pub(super) fn run(arguments: &SolveArguments) -> Result<(), EcdlpError> {
    let curve = file::read(&arguments.curve)?;
    let path = arguments.store.clone().unwrap_or_else(|| arguments.curve.with_extension("store"));
    let store = Store::create(&path, &curve, setting(&curve, &arguments.walks)?)?;
    let summary = store.summary()?;
    if let Some(k) = summary.logarithm {
        return say_logarithm(&curve, &k);
    }
    let engine = super::engine(arguments.walks.backend)?;
    super::say_device(&engine);
    let number = arguments.walks.worker;
    let sizes = match store.done(number)? {
        Some(done) => done.sizes,
        None => sizes(&curve, &store.setting, &engine, &arguments.walks)?,
    };
    let mut worker = Worker::new(store.clone(), number, sizes, Duration::from_secs(arguments.every))?;
    let mut progress = Progress::new(&curve, &store, &worker, summary.points);
    let (mut segments, is_gpu, mut found) = (0, engine.device_name() != "CPU", worker.look()?);
    while found.is_none() && arguments.segments.is_none_or(|most| segments < most) {
        let segment = worker.segment(&engine)?;
        segments += 1;
        progress.note(&segment);
        if let Some(why) = engine.fallback().filter(|_| segments == 1 && is_gpu) {
            eprintln!("note: {why}");
        }
        found = segment.found;
    }
    if found.is_none() {
        let last = worker.finish()?;
        progress.note(&last);
        found = last.found;
    }
    progress.say_end();
    found.map_or(Ok(()), |k| say_logarithm(&curve, &k))
}

fn say_logarithm(curve: &Curve, k: &BigUint) -> Result<(), EcdlpError> {
    super::print(&format!("Q = k P on {}, verified: k = {k:#x}\n", curve.name))
}

/// Lines on standard error.
struct Progress {
    start: Instant,
    last: Instant,
    stored: Duration,
    expected: f64,
    /// Steps of this process, and of the worker before.
    steps: f64,
    before: f64,
    points: u64,
}

impl Progress {
    fn new(curve: &Curve, store: &Store, worker: &Worker, points: u64) -> Self {
        let (setting, sizes) = (store.setting, worker.done().sizes);
        let expected = setting.expected(curve);
        let gap = 2_f64.powi(setting.distinguished_bits as i32);
        eprintln!(
            "{}: {} bits, {} walks of {} points each, one point of 2^{} distinguished, {expected:.3e} steps expected",
            curve.name,
            curve.n.bits(),
            sizes.walks(),
            sizes.points,
            setting.distinguished_bits,
        );
        let before = points as f64 * gap;
        if points > 0 {
            eprintln!("{points} distinguished points are there, of about {before:.3e} steps");
        }
        let (start, last, stored) = (Instant::now(), Instant::now(), Duration::ZERO);
        Self { start, last, stored, expected, steps: 0.0, before, points }
    }

    fn note(&mut self, segment: &Segment) {
        self.steps += segment.steps as f64;
        self.points += segment.new;
        self.stored += segment.stored;
        if self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            self.say();
        }
    }

    fn say(&self) {
        let rate = self.steps / self.start.elapsed().as_secs_f64();
        let done = self.before + self.steps;
        let left = (self.expected - done).max(0.0) / rate;
        eprintln!(
            "{:.3e} of {:.3e} steps, {:.3} M steps/s, {} points, about {} left",
            done,
            self.expected,
            rate / 1e6,
            self.points,
            time(left)
        );
    }

    fn say_end(&self) {
        let elapsed = self.start.elapsed().as_secs_f64();
        eprintln!(
            "{:.3e} steps in {elapsed:.1} s, {:.3} M steps/s, {} points; the store took {:.1} s",
            self.steps,
            self.steps / elapsed / 1e6,
            self.points,
            self.stored.as_secs_f64()
        );
    }
}

/// A time in its largest unit.
pub(super) fn time(seconds: f64) -> String {
    let units = [(31_557_600.0, "years"), (86400.0, "days"), (3600.0, "h"), (60.0, "min")];
    let fits = units.into_iter().find(|(unit, _)| seconds >= 2.0 * unit);
    let (unit, name) = fits.unwrap_or((1.0, "s"));
    format!("{:.1} {name}", seconds / unit)
}
