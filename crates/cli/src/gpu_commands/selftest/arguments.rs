//! The command line of `limbforge selftest`.

use std::{num::NonZeroUsize, str::FromStr, thread};

use clap::Args;
use limbforge_gpu::Arch;

use crate::args::GpuArgument;

/// Run every family of kernels on a GPU and compare each result with the CPU backend.
///
/// Every limb, width, mapping and layout, over operands that are likely to break arithmetic, and random
/// expressions of all operations. Exit status: 0 if all are equal, 1 if any differs, is refused without a
/// documented limit, or does not compile, or if there is no GPU, 2 for wrong usage.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Without a GPU: limbforge selftest --compile sm_90 --random 2000 --seed 7
One of them:   limbforge selftest --random 2000 --seed 7 --filter 'random 7/123 '")]
pub(crate) struct SelftestArguments {
    /// The GPU: gpu or gpu:I
    #[arg(long, value_name = "gpu|gpu:I", default_value = "gpu")]
    pub(crate) backend: GpuArgument,

    /// Every family, but few widths and tiny batches: for tools that slow the GPU down
    #[arg(long)]
    pub(crate) small: bool,

    /// Only kernels whose family and specification (as in `mul u64 u4096 planned`) have this text in them;
    /// repeat for all of several
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,

    /// Only each N-th of them, from the I-th on, to share them among several GPUs: 1/4, 2/4, 3/4 and 4/4 are all
    #[arg(long, value_name = "I/N")]
    pub(crate) part: Option<Part>,

    /// At least so many instances for each kernel of an expression, all different: with --filter; of a random
    /// expression 600 unless given
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) instances: u64,

    /// Random expressions of all operations, over random types, limbs, layouts and broadcast operands
    /// [default: 200; with --small 20]
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<u64>,

    /// The seed of the random expressions: the same seed draws the same ones, on every machine
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Only compile the kernels of the random expressions for this architecture: needs nvrtc and no GPU
    #[arg(long, value_name = "ARCH", conflicts_with_all = ["backend", "instances", "timeout"])]
    pub(crate) compile: Option<Arch>,

    /// Threads that compile kernels and launch them, as many as the CPU runs unless given: 1 for tools that
    /// lose track of launches from several, as compute-sanitizer's racecheck may
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Seconds that one kernel or program may take, with its compilation: then the test ends and names it
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(crate) timeout: u64,

    /// A line on standard error for each kernel or program when it is done
    #[arg(long)]
    pub(crate) verbose: bool,

    /// One JSON object: device, driver, nvrtc, rows, failures, passed, failed; with --compile arch, nvrtc,
    /// seed, expressions, compiled, kernels, refused, failures
    #[arg(long)]
    pub(crate) json: bool,
}

impl SelftestArguments {
    /// Threads that take one case after the other.
    pub(super) fn threads(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}

/// One of N equal parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    index: usize,
    of: NonZeroUsize,
}

impl Part {
    /// Whether it has the case of this number, from 0.
    pub(super) fn has(self, case: usize) -> bool {
        case % self.of == self.index
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected I/N with I from 1 to N, such as 1/4; found {text}");
        let (index, of) = text.split_once('/').ok_or_else(expected)?;
        let (index, of) = (index.parse::<NonZeroUsize>(), of.parse::<NonZeroUsize>());
        let (Ok(index), Ok(of)) = (index, of) else { return Err(expected()) };
        if index > of { Err(expected()) } else { Ok(Self { index: index.get() - 1, of }) }
    }
}

/// How much is run of each case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Tiny batches only.
    pub(super) small: bool,
    /// Instances of an expression's kernel, at least.
    pub(super) instances: u64,
    /// Threads of one case, for instances beyond the usual ones.
    pub(super) threads: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_cases_once() {
        let parts: Vec<Part> = (1..=4).map(|i| format!("{i}/4").parse().unwrap()).collect();
        assert!((0..100).all(|case| parts.iter().filter(|part| part.has(case)).count() == 1));
        for wrong in ["", "4", "0/4", "5/4", "1/0", "a/b", "1/4/4"] {
            assert!(wrong.parse::<Part>().unwrap_err().ends_with(&format!("found {wrong}")), "{wrong}");
        }
    }
}
