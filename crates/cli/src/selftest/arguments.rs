//! The command line of `limbforge selftest`.

use std::num::NonZeroUsize;

use clap::Args;

use crate::args::GpuArgument;

/// Run every family of kernels on a GPU and compare each result with the CPU backend.
///
/// Every limb, width, mapping and layout, over operands that are likely to break arithmetic. Exit status: 0 if all
/// are equal, 1 if any differs or there is no GPU, 2 for wrong usage.
#[derive(Args, Clone, Debug)]
pub(crate) struct SelftestArguments {
    /// The GPU: gpu or gpu:I
    #[arg(long, value_name = "gpu|gpu:I", default_value = "gpu")]
    pub(crate) backend: GpuArgument,

    /// Every family, but few widths and tiny batches: for tools that slow the GPU down
    #[arg(long)]
    pub(crate) small: bool,

    /// Only kernels whose family and specification (as in `mul u64 u4096 planned`) have this text in them; repeat for all of several
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,

    /// At least so many instances for each kernel of an expression, all different: with --filter
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) instances: u64,

    /// Threads that compile kernels and launch them, as many as the CPU runs unless given: 1 for tools that lose track of launches
    /// from several, as compute-sanitizer's racecheck may
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Seconds that one kernel or program may take, with its compilation: then the test ends and names it
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(crate) timeout: u64,

    /// A line on standard error for each kernel or program when it is done
    #[arg(long)]
    pub(crate) verbose: bool,

    /// One JSON object: device, driver, nvrtc, rows, failures, passed, failed
    #[arg(long)]
    pub(crate) json: bool,
}
