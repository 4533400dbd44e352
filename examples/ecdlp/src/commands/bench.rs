//! `ecdlp bench`.

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
    let walks = Walks::new(&curve, &setting, sizes, arguments.walks.worker)?;
    let start = Instant::now();
    let mut at = walks.starts(&engine, 0)?;
    eprintln!("{} walks start after {:.2} s", sizes.walks(), start.elapsed().as_secs_f64());
    let (mut steps, mut rows) = (0, 0);
    // The first run compiles the kernel.
    at = walks.advance(&engine, &at, (0, 0), 1)?.0;
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < arguments.seconds {
        let (next, found) = walks.advance(&engine, &at, (0, steps), sizes.rounds)?;
        (at, rows) = (next, rows + found.len());
        steps += sizes.segment(&setting);
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
        rows as f64 / seconds,
        expected / rate
    ))
}
