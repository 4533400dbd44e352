//! The command line of `limbforge primes`.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use crate::args::LargeNumber;
use clap::{Args, Subcommand};

use crate::args::parse_bits;

/// Test numbers for primality, and explore primes k*2^n + 1 for exact products by number-theoretic
/// transforms.
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

/// Test a number for primality, and state what is proved.
///
/// Below 2^64 the answer is proved: a composite number is factored, and of an odd prime follow the factors of
/// p - 1, transforms, root, generator with its proof, and reductions. Above 2^64, "composite" is always
/// proved. "prime" is proved for 2^q - 1, by the test of Lucas and Lehmer, and for k*2^n + 1 with k < 2^n, by
/// Proth's theorem; any other "probable prime" passes the test of Baillie, Pomerance, Selfridge and Wagstaff,
/// as no composite number is known to.
///
/// Numbers may have 131072 bits; those of 10000 bits take seconds, and the time grows with the cube of the
/// bits. Exit status: 0, also for composite numbers, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  limbforge primes check 3221225473
  limbforge primes check '29*2^57 + 1'
  limbforge primes check 2^127-1
  limbforge primes check 10^100+267")]
pub(crate) struct CheckArguments {
    /// A number of at least 2, or an expression of + - * ^ ** and parentheses: decimal, or hexadecimal after
    /// 0x. Here ^ is a power, as is **; in expressions of `limbforge eval` it is the exclusive or
    #[arg(value_name = "P")]
    pub(crate) number: LargeNumber,

    /// Also why each number below the generator is none
    #[arg(long)]
    pub(crate) verbose: bool,

    /// One JSON object: number, prime, factors (of a composite), and of an odd prime k, n, `factors_of_units`
    /// (prime, exponent of each), root (g, a), generator (g, smaller: a and q of each), reductions. Above
    /// 2^64: number (a text), bits, prime, proved, test, and factor or null
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
