//! The command line of `limbforge-lab model`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use limbforge::algos::model::machine::Figures;
use limbforge::algos::model::{Application, Machine};
use limbforge_cli::args::{GpuArgument, parse_number};
use limbforge_field::DynField;
use limbforge_gpu::Device;

use crate::error::LabError;

/// Predict, by the many-core machine model, what each value of a program parameter s costs: work W, span S,
/// overhead O, thread blocks N, longest path L, slowest block C and the bound (N/P + L) C of the time.
///
/// s is: coefficients of a thread (mul), division steps of a kernel (divrem, gcd), bits of a digit (sort).
/// Without --device the machine is an H200 with a latency of 600 cycles and operations of 24 cycles, which
/// are assumptions. With --device the programs also run, are compared with the CPU and timed. Exit status: 0,
/// or 1 for a missing device or a wrong result, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples: limbforge-lab model, limbforge-lab model gcd -n 10000 -m 9000 --svg gcd.svg"
)]
pub(crate) struct ModelArguments {
    /// The application [default: all four]
    #[arg(value_enum)]
    pub(super) application: Option<ApplicationArgument>,

    /// Terms of the longer polynomial, or keys that are sorted [default: 10000, and 2^27 keys]
    #[arg(short)]
    n: Option<u64>,

    /// Terms of the shorter polynomial [default: 9000, but at most n]
    #[arg(short)]
    m: Option<u64>,

    /// Bits of the keys, 1 to 64
    #[arg(long, value_name = "N", default_value = "32")]
    bits: u64,

    /// Threads of a block, unless s determines them
    #[arg(long, value_name = "N", default_value = "256")]
    pub(super) threads: u64,

    /// Parameters, separated by commas; all must fit the machine [default: the powers of two that do]
    #[arg(long, value_name = "S,...", value_delimiter = ',')]
    pub(super) s: Vec<u64>,

    /// Instead, all rows of the paper's Tables 1 (products, s = 2, 4, 8, 16) and 2 (greatest common divisors,
    /// all s), with its times, and after them a division and a sort
    #[arg(long, conflicts_with_all = ["application", "n", "m", "s", "bits", "svg"])]
    pub(super) paper_tables: bool,

    #[command(flatten)]
    pub(super) machine: MachineArguments,

    /// Also draw the predicted times as SVG; the file appears when it is complete
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// One JSON object: machine, applications (application, sizes, best by Theorem 1, `best_refined`,
    /// parameters: s, threads, `local_words`, work, span, overhead, blocks, path, widest, `slowest_block`,
    /// `predicted_ms`, `refined_ms`, and with --device `measured_ms`; `paper_ms`, `transforms_ms`, fitted,
    /// `fitted_refinement`); with --device also date, commit, device, driver, nvrtc
    #[arg(long)]
    pub(super) json: bool,

    /// The version of the source, for the report [default: the environment variable `LIMBFORGE_COMMIT`]
    #[arg(long, value_name = "ID")]
    pub(super) commit: Option<String>,

    /// Output file of the table or the JSON [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ApplicationArgument {
    /// The plain product of polynomials
    Mul,
    /// The division of polynomials
    Divrem,
    /// The greatest common divisor of polynomials
    Gcd,
    /// Radix sort
    Sort,
}

impl ModelArguments {
    pub(super) fn application(&self, chosen: ApplicationArgument) -> Application {
        let n = self.n.unwrap_or(10_000);
        let m = self.m.unwrap_or(9000.min(n));
        match chosen {
            ApplicationArgument::Mul => Application::Multiplication { n, m },
            ApplicationArgument::Divrem => Application::Division { n, m },
            ApplicationArgument::Gcd => Application::Gcd { n, m },
            ApplicationArgument::Sort => {
                Application::RadixSort { n: self.n.unwrap_or(1 << 27), bits: self.bits }
            }
        }
    }
}

/// The machine; other figures are those of the device, or of an H200.
#[derive(Args, Debug)]
pub(super) struct MachineArguments {
    /// The GPU that provides the figures and runs the programs, as in gpu:0
    #[arg(long, value_name = "gpu|gpu:I")]
    pub(super) device: Option<GpuArgument>,

    /// The prime of the polynomials that are measured
    #[arg(long, value_name = "P", default_value = "2013265921", value_parser = parse_number)]
    prime: u64,

    /// U: local operations that moving a word between local and global memory takes, above 1
    #[arg(long, value_name = "U")]
    transfer: Option<f64>,

    /// Z: words of the local memory of a multiprocessor
    #[arg(long, value_name = "Z")]
    local_words: Option<u64>,

    /// P: multiprocessors
    #[arg(long, value_name = "P")]
    multiprocessors: Option<u32>,

    /// Bytes of a machine word [default: those of a residue modulo the prime]
    #[arg(long, value_name = "4|8", value_parser = PossibleValuesParser::new(["4", "8"]).try_map(|text| text.parse::<u64>()))]
    word_bytes: Option<u64>,

    /// Cycles of a local operation
    #[arg(long, value_name = "N")]
    operation_cycles: Option<f64>,

    /// Clock in MHz
    #[arg(long, value_name = "MHZ")]
    clock: Option<f64>,
}

impl MachineArguments {
    pub(super) fn field(&self) -> Result<DynField, LabError> {
        DynField::new(self.prime).map_err(|error| refused(format!("--prime: {error}")))
    }

    /// The machine of the device, or of an H200, with the given figures.
    pub(super) fn machine(&self, device: Option<&Device>) -> Result<Machine, LabError> {
        let known = device.map(Device::info).map_or(Figures::H200, |info| Figures {
            shared_bytes: info.shared_per_block,
            multiprocessors: info.multiprocessors,
            clock_hz: 1e3 * f64::from(info.clock_khz),
            ..Figures::H200
        });
        let word_bytes = self.word_bytes.unwrap_or(if self.prime >> 32 == 0 { 4 } else { 8 });
        let operation_cycles = self.operation_cycles.unwrap_or(known.operation_cycles);
        let shared_bytes = self.local_words.map(|words| words.saturating_mul(word_bytes));
        let latency_cycles = self.transfer.map(|transfer| transfer * operation_cycles);
        let figures = Figures {
            word_bytes,
            operation_cycles,
            shared_bytes: shared_bytes.unwrap_or(known.shared_bytes),
            multiprocessors: self.multiprocessors.unwrap_or(known.multiprocessors),
            clock_hz: self.clock.map_or(known.clock_hz, |mhz| 1e6 * mhz),
            latency_cycles: latency_cycles.unwrap_or(known.latency_cycles),
            ..known
        };
        Machine::from_figures(figures).map_err(|error| refused(error.to_string()))
    }
}

pub(super) fn refused(why: String) -> LabError {
    LabError::Usage { command: "model", why }
}
