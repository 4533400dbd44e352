//! `limbforge tune`: measure how products are computed fastest on this GPU, and remember it.

mod cases;
mod measure;
mod report;
mod stored;

use clap::{Args, ValueEnum};
use limbforge_gpu::{DeviceKey, TunedTime, Tuning};
use limbforge_kernels_gen::{Measurement, Planner};

use self::cases::{Case, Job, cases};
use self::measure::{GpuStopwatch, Time, compile_ahead, measure, progress};
use self::report::Report;
use crate::args::GpuArgument;
use crate::args::LimbArgument;
use crate::args::Widths;

use crate::error::CliError;
use crate::output::Output;
use limbforge_cli::gpu::kernels::{Gpu, limb_kind};

/// Measure the candidates for products on this GPU, so that later the fastest one is taken.
///
/// Of each expression and width the candidates that may be the fastest are measured, each with the planned mapping and those that the
/// many-core model takes for the best, after every result was compared with the CPU backend. Each measurement is kept as soon as it is made, in `tuning.json` in the folder of the compile cache, for this GPU, driver
/// and version of limbforge; `eval`, `plan --backend`, `bench` and the library's `Engine` choose by it, also at widths between.
/// Exit status: 0, or 1 if there is no GPU, a result is wrong, or a choice is too slow for --check, or 2 for wrong usage.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: limbforge tune --ops mul,poly --bits 9..14,5000 --limb u64")]
pub(crate) struct TuneArguments {
    /// What is measured; several with commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "mul,sqr,mul-wide,mul-high,poly")]
    ops: Vec<Op>,

    /// Another expression of operands a to f; repeat for more
    #[arg(long, value_name = "EXPR")]
    expression: Vec<String>,

    /// Widths: I..J for 2^I to 2^J, or a number of bits; several with commas
    #[arg(long, value_name = "WIDTHS", default_value = "9..18")]
    bits: Widths,

    /// The limb; several with commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "u64")]
    limb: Vec<LimbArgument>,

    /// The GPU: gpu or gpu:I
    #[arg(long, value_name = "gpu|gpu:I", default_value = "gpu")]
    backend: GpuArgument,

    /// Also candidates that should take more than three times the fastest
    #[arg(long)]
    all: bool,

    /// Mappings of each candidate that is near the fastest, the planned one among them
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    mappings: u32,

    /// Keep nothing, but compare what plans choose now with the fastest: at most 1.05 times as long where the width was tuned, else 1.15
    #[arg(long, conflicts_with_all = ["show", "forget"])]
    check: bool,

    /// Bits of each operand's batch; there are at least 64 integers
    #[arg(long, value_name = "B", default_value_t = 1 << 32, value_parser = clap::value_parser!(u64).range(1..=1 << 38))]
    batch_bits: u64,

    /// Timed runs of each candidate
    #[arg(long, value_name = "R", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,

    /// Print what is kept, and measure nothing
    #[arg(long, conflicts_with = "forget")]
    show: bool,

    /// Remove all that is kept, also a damaged file, and measure nothing
    #[arg(long)]
    forget: bool,

    /// One JSON object: gpu, driver, limbforge, file, cases (expression, bits, limb, chosen, fastest, `fastest_mapping`, ratio, candidates)
    #[arg(long)]
    json: bool,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Op {
    /// The low product, a * b
    Mul,
    /// The square, a * a
    Sqr,
    /// The wide product, `mul_wide(a, b)`
    MulWide,
    /// The high product, mulhi(a, b)
    MulHigh,
    /// The polynomial (a*a + b)*(b*b + b) + a*b
    Poly,
}

pub(crate) fn run(arguments: &TuneArguments) -> Result<(), CliError> {
    let path = Tuning::usual_path()?;
    if arguments.forget || arguments.show {
        let text = if arguments.forget {
            stored::forget(&path, arguments.json)?
        } else {
            stored::show(&path, arguments.json)?
        };
        return print(&text);
    }
    // Before anything is measured: a file that cannot be written to, or an expression of other operands.
    Tuning::read(&path)?;
    let operands = cases::operands(arguments)?;
    let gpu = Gpu::open(arguments.backend)?;
    let key = DeviceKey::of(gpu.device.info());
    let shipped = Planner::new(gpu.device.info().arch.number());
    let planner = if arguments.check { &gpu.planner } else { &shipped };
    let cases = cases(arguments, &gpu.limits, planner)?;
    let mut stopwatch = GpuStopwatch::new(&gpu, arguments.batch_bits, arguments.repeats, operands);
    let mut record = |case: &Case, job: &Job, time: &Time| {
        if !arguments.check {
            Tuning::record(&path, &key, tuned(case, job, time))?;
        }
        Ok(())
    };
    let progress = progress(cases.iter().map(|case| case.jobs.len()).sum());
    compile_ahead(&gpu, &cases, &progress)?;
    let outcomes = measure(&cases, &mut stopwatch, &mut record, &progress)?;
    let path = (!arguments.check).then_some(&*path);
    let report = Report { key: &key, path, cases: &cases, outcomes: &outcomes };
    print(&if arguments.json { report.to_json() } else { report.to_string() })?;
    if arguments.check { report.check() } else { Ok(()) }
}

/// A measurement as it is kept.
fn tuned(case: &Case, job: &Job, time: &Time) -> TunedTime {
    let measurement = Measurement {
        expression: case.expression.clone(),
        bits: case.ty.bits(),
        limb: limb_kind(case.limb),
        product: job.spec.product,
        mapping: job.mapping,
        ms: time.ms,
    };
    TunedTime {
        measurement,
        instances: time.instances,
        repeats: time.repeats,
        date: jiff::Timestamp::now().strftime("%F").to_string(),
    }
}

fn print(text: &str) -> Result<(), CliError> {
    let mut output = Output::create(None)?;
    output.write(text.as_bytes())?;
    output.finish()
}

#[cfg(test)]
mod tests;
