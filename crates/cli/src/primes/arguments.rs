//! The command line of `limbforge primes`.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};

use super::number::Number;
use crate::args::parse_bits;

/// Explore primes k*2^n + 1 for exact products by number-theoretic transforms.
#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(crate) struct PrimesArguments {
    #[command(subcommand)]
    pub(crate) command: PrimesCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PrimesCommand {
    Search(SearchArguments),
    Check(CheckArguments),
    Plan(PlanArguments),
    Plot(PlotArguments),
}

/// List all primes k*2^n + 1, k odd, of a range of bits, in ascending order.
///
/// Every one is proved prime. Exit status: 0, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge primes search --bits 60..62 --min-adicity 52")]
pub(crate) struct SearchArguments {
    /// Bit lengths of the primes: I..J (both included), or one, from 2 to 64
    #[arg(long, value_name = "I..J")]
    pub(crate) bits: BitRange,

    /// The least n, 1 to 63: transforms of 2^n points exist
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    pub(crate) min_adicity: u32,

    /// Stop after so many primes
    #[arg(long, value_name = "K")]
    pub(crate) count: Option<NonZero<u64>>,

    /// Only say how many there are of each adicity
    #[arg(long)]
    pub(crate) total: bool,

    /// One JSON object: bits, `min_adicity`, primes (p, k, n of each), found; with --total `by_adicity` (n, primes of
    /// each) in place of primes
    #[arg(long)]
    pub(crate) json: bool,
}

/// Say whether a number is prime, and what it is good for: factors of p - 1, adicity, root, generator with its proof,
/// reductions; of a composite number its factors.
///
/// Exit status: 0, also for composite numbers, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "Examples: limbforge primes check 3221225473, limbforge primes check '29*2^57 + 1'")]
pub(crate) struct CheckArguments {
    /// A number from 2 to 2^64 - 1: decimal, hexadecimal after 0x, or as in 3*2^30+1
    #[arg(value_name = "P")]
    pub(crate) number: Number,

    /// One JSON object: number, prime, factors (of a composite), and of an odd prime k, n, `factors_of_units` (prime,
    /// exponent of each), root (g, a), generator (g, smaller: a and q of each), reductions
    #[arg(long)]
    pub(crate) json: bool,
}

/// Compare sets of primes for a product of two integers: digit width, transform length, estimated cost, cheapest first;
/// for the sets that cannot compute it exactly the reason.
///
/// Full and low products take the same transforms. The cost is estimated in cycles of a GPU's busiest pipe. Exit status: 0,
/// or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge primes plan --bits 131072")]
pub(crate) struct PlanArguments {
    /// Width of both operands in bits, 1 to 16777216
    #[arg(long, value_name = "N", value_parser = parse_bits)]
    pub(crate) bits: u64,

    /// Products that are added before they are transformed back
    #[arg(long, value_name = "T", default_value = "1")]
    pub(crate) terms: NonZero<u64>,

    /// One JSON object: bits, terms, sets (set, primes, product, `digit_bits`, digits, `largest_coefficient`, points,
    /// butterflies, cycles, refused)
    #[arg(long)]
    pub(crate) json: bool,
}

/// Draw the widest exact digits against the length of the transform, for each set of primes, as SVG.
#[derive(Args, Debug)]
pub(crate) struct PlotArguments {
    /// Where the picture goes; the file appears when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// I..J within 2..64, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitRange(pub(crate) RangeInclusive<u32>);

impl FromStr for BitRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected I..J or one number, within 2..64, as in 60..62";
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        match (first.trim().parse(), last.trim().parse()) {
            (Ok(first), Ok(last)) if 2 <= first && first <= last && last <= 64 => Ok(Self(first..=last)),
            _ => Err(expected),
        }
    }
}
