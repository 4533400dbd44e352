//! The command line of `limbforge tune`.

use clap::{Args, ValueEnum};

use crate::args::{GpuArgument, LimbArgument, Widths};

/// Measure the candidates for products on this GPU, so that later the fastest one is taken.
///
/// The candidates that may be the fastest are measured for each expression and width: each with the planned
/// mapping and those that the many-core model ranks best, after every result was compared with the CPU
/// backend. Each measurement is kept as soon as it is made, in `tuning.json` in the folder of the compile
/// cache, for this GPU, driver and version of limbforge; `eval`, `plan --backend`, `bench` and the library's
/// `Engine` choose by it, also at widths between. Exit status: 0, or 1 if there is no GPU, a result is wrong,
/// or a choice is too slow for --check, or 2 for wrong usage.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: limbforge tune --ops mul,poly --bits 9..14,5000 --limb u64")]
pub(crate) struct TuneArguments {
    /// Measured operations, several with commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "mul,sqr,mul-wide,mul-high,poly")]
    pub(super) ops: Vec<Op>,

    /// Another expression of operands a to f; repeat for more
    #[arg(long, value_name = "EXPR")]
    pub(super) expression: Vec<String>,

    /// Widths: I..J for 2^I to 2^J, or a number of bits; several with commas
    #[arg(long, value_name = "WIDTHS", default_value = "9..18")]
    pub(super) bits: Widths,

    /// The limb; several with commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "u64")]
    pub(super) limb: Vec<LimbArgument>,

    /// The GPU: gpu or gpu:I
    #[arg(long, value_name = "gpu|gpu:I", default_value = "gpu")]
    pub(super) backend: GpuArgument,

    /// Also candidates that should take more than three times the fastest
    #[arg(long)]
    pub(super) all: bool,

    /// Mappings of each candidate that is near the fastest, the planned one among them
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) mappings: u32,

    /// Keep nothing, but compare what plans choose now with the fastest: at most 1.05 times as long where the
    /// width was tuned, else 1.15
    #[arg(long, conflicts_with_all = ["show", "forget"])]
    pub(super) check: bool,

    /// Bits of each operand's batch; there are at least 64 integers
    #[arg(long, value_name = "B", default_value_t = 1 << 32, value_parser = clap::value_parser!(u64).range(1..=1 << 38))]
    pub(super) batch_bits: u64,

    /// Timed runs of each candidate
    #[arg(long, value_name = "R", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) repeats: u32,

    /// Print what is kept, and measure nothing
    #[arg(long, conflicts_with = "forget")]
    pub(super) show: bool,

    /// Remove all that is kept, also a damaged file, and measure nothing
    #[arg(long)]
    pub(super) forget: bool,

    /// One JSON object: gpu, driver, limbforge, file, cases (expression, bits, limb, chosen, fastest,
    /// `fastest_mapping`, ratio, candidates)
    #[arg(long)]
    pub(super) json: bool,
}

/// A family of measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Op {
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
