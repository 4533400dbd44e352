//! `ecdlp bench`.

mod stored;

use std::time::Instant;

use ecdlp::error::EcdlpError;
use ecdlp::file;
use ecdlp::walks::Walks;

use super::arguments::BenchArguments;
use super::solve::{setting, sizes};

pub(super) fn run(arguments: &BenchArguments) -> Result<(), EcdlpError> {
    let curve = file::read(&arguments.curve)?;
    let engine = super::engine(arguments.walks.backend)?;
    super::say_device(&engine);
    let setting = setting(&curve, &arguments.walks)?;
    let sizes = sizes(&curve, &setting, &engine, &arguments.walks)?;
    if let Some(path) = &arguments.store {
        let segments = arguments.segments;
        return stored::run(
            path,
            &stored::Job { curve, setting, sizes, segments, engine },
            arguments.walks.worker,
        );
    }
    let walks = Walks::new(&curve, &setting, sizes, arguments.walks.worker)?;
    let start = Instant::now();
    let mut at = walks.starts(&engine, 0)?;
    eprintln!("{} walks start after {:.2} s", sizes.walks(), start.elapsed().as_secs_f64());
    // The first run compiles the kernel.
    at = walks.advance(&engine, &at, (0, 0), 1)?.0;
    let (mut steps, mut found, mut rounds, start) = (0, 0, 1, Instant::now());
    while start.elapsed().as_secs_f64() < arguments.seconds {
        let run = Instant::now();
        let (next, rows) = walks.advance(&engine, &at, (0, steps), rounds)?;
        (at, found) = (next, found + rows.len());
        steps += u64::from(rounds) * u64::from(setting.round());
        // Runs of about a second, but no longer than those of `solve`.
        if run.elapsed().as_secs_f64() < 0.5 && arguments.seconds > 1.0 {
            rounds = (2 * rounds).min(sizes.rounds);
        }
    }
    if let Some(why) = engine.fallback().filter(|_| engine.device_name() != "CPU") {
        eprintln!("note: {why}");
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = steps as f64 * sizes.walks() as f64 / seconds;
    let expected = setting.expected(&curve);
    super::print(&format!(
        "{:.3} M steps/s of {} walks in {seconds:.1} s on {}, {:.0} points/s; {expected:.3e} steps take {:.3e} s\n",
        rate / 1e6,
        sizes.walks(),
        engine.device_name(),
        found as f64 / seconds,
        expected / rate
    ))
}
