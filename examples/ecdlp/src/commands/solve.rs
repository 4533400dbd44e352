//! `ecdlp solve`.

mod crew;
mod progress;

use std::time::Duration;

use ecdlp::curve::Curve;
use ecdlp::error::EcdlpError;
use ecdlp::file;
use ecdlp::setting::{Setting, Sizes};
use ecdlp::solve::Worker;
use ecdlp::store::Store;
use ecdlp::walks::Walks;
use limbforge::Engine;
use limbforge::num_bigint::BigUint;

use self::crew::Crew;
use self::progress::Progress;
use super::arguments::{SolveArguments, WalkArguments};

/// The numbers of a process's workers differ by this: `--worker` is less.
pub(super) const OTHER: u32 = 1 << 30;

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

/// The sizes of the arguments for one of so many workers that share a device.
pub(super) fn sizes(
    curve: &Curve,
    setting: &Setting,
    engine: &Engine,
    arguments: &WalkArguments,
    workers: u32,
) -> Result<Sizes, EcdlpError> {
    let WalkArguments { points, instances, rounds, .. } = *arguments;
    // The instances that a GPU computes at once are known when a kernel is compiled.
    let at_once = match (points, instances) {
        (Some(_), Some(instances)) => (engine.device_name() != "CPU").then_some(instances.into()),
        _ => Walks::at_once(curve, setting, engine)?,
    };
    let sizes = Sizes::of(curve, setting, at_once, [points, instances, rounds], workers);
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
    let mut workers = vec![worker(&store, &engine, arguments, 0)?];
    let mut engines = vec![engine];
    for at in 1..arguments.workers {
        engines.push(super::engine(arguments.walks.backend)?);
        workers.push(worker(&store, &engines[0], arguments, at)?);
    }
    let walks = workers.iter().map(|worker| worker.done().sizes.walks()).sum();
    let each = workers[0].done().sizes.points;
    let crew = Crew::new(Progress::new(&curve, &store, (walks, each), summary.points), arguments.segments);
    let found = workers[0].look()?;
    let found = if found.is_some() { found } else { crew.run(workers, &engines)? };
    found.map_or(Ok(()), |k| say_logarithm(&curve, &k))
}

/// A worker of this process: where it has stopped, or a new one.
fn worker(store: &Store, engine: &Engine, arguments: &SolveArguments, at: u32) -> Result<Worker, EcdlpError> {
    let number = arguments.walks.worker + at * OTHER;
    let sizes = match store.done(number)? {
        Some(done) => done.sizes,
        None => sizes(&store.curve, &store.setting, engine, &arguments.walks, arguments.workers)?,
    };
    Worker::new(store.clone(), number, sizes, Duration::from_secs(arguments.every))
}

fn say_logarithm(curve: &Curve, k: &BigUint) -> Result<(), EcdlpError> {
    super::print(&format!("Q = k P on {}, verified: k = {k:#x}\n", curve.name))
}

/// A time in its largest unit.
pub(super) fn time(seconds: f64) -> String {
    let units = [(31_557_600.0, "years"), (86400.0, "days"), (3600.0, "h"), (60.0, "min")];
    let fits = units.into_iter().find(|(unit, _)| seconds >= 2.0 * unit);
    let (unit, name) = fits.unwrap_or((1.0, "s"));
    format!("{:.1} {name}", seconds / unit)
}
