//! The arguments of the program.

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Discrete logarithms on elliptic curves over prime fields, by Pollard's rho with distinguished points.
#[derive(Debug, Parser)]
#[command(name = "ecdlp", version, about, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the logarithm of a curve's Q, or go on with it: the same command resumes
    Solve(SolveArguments),
    /// What a store holds
    Info {
        /// The store
        store: PathBuf,
    },
    /// Steps a second of walks on a curve
    Bench(BenchArguments),
    /// What a campaign takes: time, energy, rows, the cost of GPUs that fail
    Plan(PlanArguments),
    /// A campaign on this machine: workers that report at the rate of GPUs, die and come back, into one store
    Rehearse(RehearseArguments),
    /// Print a random curve of prime order, with two random points
    RandomCurve {
        /// The bits of its prime
        bits: u32,
        /// Another seed gives another curve [default: a random one]
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Distinguished points as lines: x, worker, epoch, walk, steps
    #[command(subcommand)]
    Points(PointsCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum PointsCommand {
    /// Print all points of a store
    Export {
        /// The store
        store: PathBuf,
    },
    /// Add points of other machines to a store, which may be in use; looks for the logarithm
    Import {
        /// The store
        store: PathBuf,
        /// Files of lines; `-` is standard input
        #[arg(required = true)]
        rows: Vec<PathBuf>,
    },
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Backend {
    /// All GPUs, or the CPU where there is none
    #[default]
    Auto,
    /// All cores
    Cpu,
    /// All GPUs
    Gpu,
}

/// How walks are made.
#[derive(Debug, Args)]
pub(crate) struct WalkArguments {
    /// The device
    #[arg(long, value_enum, default_value_t)]
    pub(crate) backend: Backend,
    /// The seed of a new store; all machines that work on one logarithm need the same
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// A point and its negative are two: sqrt(2) times as many steps, which are simpler
    #[arg(long)]
    pub(crate) no_negation: bool,
    /// One point of 2^D is distinguished [default: from the size of the group]
    #[arg(long, value_name = "D")]
    pub(crate) distinguished: Option<u32>,
    /// Points of an instance, which share an inversion [default: 8, and up to 32 where a GPU is full]
    #[arg(long, value_name = "K")]
    pub(crate) points: Option<u32>,
    /// Instances [default: from the device and the size of the group]
    #[arg(long, value_name = "N")]
    pub(crate) instances: Option<u32>,
    /// Rounds between two commits: of 48 steps, or of 1 with --no-negation [default: a twentieth of all]
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u32>,
    /// The number of this process among those that work on one logarithm
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..i64::from(super::solve::OTHER)))]
    pub(crate) worker: u32,
}

#[derive(Debug, Args)]
pub(crate) struct SolveArguments {
    /// The file of the curve
    pub(crate) curve: PathBuf,
    /// The store [default: the curve's file with the ending .store]
    #[arg(long)]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) walks: WalkArguments,
    /// Workers that share the device: two keep a GPU busy while one copies its walks and commits its points
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub(crate) workers: u32,
    /// Seconds between two commits of the walks' places: what is walked again after a crash. Points are committed more often
    #[arg(long, value_name = "SECONDS", default_value_t = ecdlp::solve::PLACES.as_secs())]
    pub(crate) every: u64,
    /// End after so many commits
    #[arg(long, value_name = "N")]
    pub(crate) segments: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// The file of the curve
    pub(crate) curve: PathBuf,
    /// The time of the measurement
    #[arg(long, default_value_t = 10.0)]
    pub(crate) seconds: f64,
    /// A new store: measures walks with their commits there, and prints JSON
    #[arg(long, conflicts_with = "seconds")]
    pub(crate) store: Option<PathBuf>,
    /// The commits that are measured with a store
    #[arg(long, value_name = "N", default_value_t = 2, requires = "store")]
    pub(crate) segments: u64,
    #[command(flatten)]
    pub(crate) walks: WalkArguments,
}

#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// The file of the curve
    pub(crate) curve: PathBuf,
    /// Steps of a GPU in a second, as `ecdlp bench` measures them
    #[arg(long)]
    pub(crate) rate: f64,
    /// The number of GPUs
    #[arg(long, default_value_t = 1)]
    pub(crate) gpus: u32,
    /// Power of a GPU with its share of the host
    #[arg(long, default_value_t = 1000.0)]
    pub(crate) watts: f64,
    /// Walks on a GPU
    #[arg(long, default_value_t = 4_194_304.0)]
    pub(crate) walks: f64,
    /// Seconds between two commits of a GPU
    #[arg(long, default_value_t = 30.0)]
    pub(crate) commit: f64,
    /// Days between two failures of a GPU
    #[arg(long, default_value_t = 30.0)]
    pub(crate) failure_days: f64,
    /// A point and its negative are two
    #[arg(long)]
    pub(crate) no_negation: bool,
    /// One point of 2^D is distinguished [default: from the size of the group]
    #[arg(long, value_name = "D")]
    pub(crate) distinguished: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct RehearseArguments {
    /// The file of the curve
    pub(crate) curve: PathBuf,
    /// A new store
    #[arg(long)]
    pub(crate) store: PathBuf,
    /// Steps of a GPU in a second
    #[arg(long)]
    pub(crate) rate: f64,
    /// The number of GPUs: workers
    #[arg(long, default_value_t = 1000)]
    pub(crate) gpus: u32,
    /// So many times as many rows
    #[arg(long, default_value_t = 10.0)]
    pub(crate) times: f64,
    /// The time of the rehearsal
    #[arg(long, default_value_t = 60.0)]
    pub(crate) seconds: f64,
    /// Seconds between two reports of a worker
    #[arg(long, default_value_t = 20.0)]
    pub(crate) every: f64,
    /// One point of 2^D is distinguished [default: from the size of the group]
    #[arg(long, value_name = "D")]
    pub(crate) distinguished: Option<u32>,
}

/// A random seed.
pub(crate) fn any_seed() -> u64 {
    RandomState::new().hash_one(0)
}
