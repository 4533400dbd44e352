//! `ecdlp bench`.

mod stored;

use std::time::Instant;

use ecdlp::error::EcdlpError;
use ecdlp::file;
use ecdlp::walks::Walks;

use super::arguments::BenchArguments;
use super::solve::{setting, sizes};

/// Runs in the time that is given: what a run takes beside its steps counts less in longer ones.
const LEAST_RUNS: f64 = 5.0;

pub(super) fn run(arguments: &BenchArguments) -> Result<(), EcdlpError> {
    let curve = file::read(&arguments.curve)?;
    let engine = super::engine(arguments.walks.backend)?;
    super::say_device(&engine);
    let setting = setting(&curve, &arguments.walks)?;
    let sizes = sizes(&curve, &setting, &engine, &arguments.walks, 1)?;
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
    // The first run compiles the kernel; then runs become longer, up to those of `solve`.
    let (mut rounds, mut steps) = (1, 0);
    let mut advance = |rounds: u32| -> Result<(usize, f64), EcdlpError> {
        let start = Instant::now();
        let (next, rows) = walks.advance(&engine, &at, (0, steps), rounds)?;
        at = next;
        steps += u64::from(rounds) * u64::from(setting.round());
        Ok((rows.len(), start.elapsed().as_secs_f64()))
    };
    advance(1)?;
    let mut once = advance(1)?.1;
    while once < arguments.seconds / LEAST_RUNS && rounds < sizes.rounds {
        rounds = (4 * rounds).min(sizes.rounds);
        once = advance(rounds)?.1;
    }
    let (mut runs, mut found, mut seconds) = (0_u64, 0, 0.0);
    while seconds < arguments.seconds {
        let (rows, time) = advance(rounds)?;
        (runs, found, seconds) = (runs + 1, found + rows, seconds + time);
    }
    if let Some(why) = engine.fallback().filter(|_| engine.device_name() != "CPU") {
        eprintln!("note: {why}");
    }
    let steps = runs * u64::from(rounds) * u64::from(setting.round());
    let rate = steps as f64 * sizes.walks() as f64 / seconds;
    let expected = setting.expected(&curve);
    super::print(&format!(
        "{:.3} M steps/s of {} walks in {seconds:.1} s, {runs} runs of {rounds} rounds, on {}, {:.0} points/s; \
         {expected:.3e} steps take {:.3e} s\n",
        rate / 1e6,
        sizes.walks(),
        engine.device_name(),
        found as f64 / seconds,
        expected / rate
    ))
}
