//! The command line of `limbforge-lab bench`.

use std::{path::PathBuf, str::FromStr};

use clap::{Args, ValueEnum};
use limbforge::algos::transform::ntt::{Direction, Wrap};
use limbforge_cli::args::{GpuArgument, LimbArgument, Widths, parse_range};
use limbforge_kernels_gen::Product;

use super::what::What;
use crate::operations::Benchmark;

const PRIMES: &str = "270532609,998244353,2013265921,3221225473,1945555039024054273,4179340454199820289,\
                      18446744069414584321,18446742974197923841";

/// Measure kernels on a GPU, beside a plain vector addition, or the CPU backend.
///
/// On a GPU every result is compared with the CPU backend before it is timed, on the CPU results are compared
/// with num-bigint. Times are medians: of the GPU's own events for batches in its memory, or of the CPU's
/// clock. A row is printed as soon as it is measured. Exit status: 0, or 1 for a missing GPU or a wrong
/// result, or 2 for wrong usage.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  limbforge-lab bench add --bits 9..18,131 --limb u32,u64 --json --out add.json
  limbforge-lab bench lcm --bits 9..12 --backend cpu")]
pub(crate) struct BenchArguments {
    /// add, mul, poly, fused, mul-classical, mul-ntt, mul-tensor, div, modular, xgcd, primality,
    /// paper-tables, ntt, programs, loops, all, or an operation of `limbforge functions`, as gcd
    ///
    /// add: one, six and ten fused additions, subtractions and both. mul: products and squares by all
    /// algorithms, and by the one that is chosen for the width. poly: (a*a + b)*(b*b + b) + a*b, likewise.
    /// fused: that, a*b + c*d, a*b + c*d + e*f, and Horner's rule of degree 8. mul-classical, mul-ntt,
    /// mul-tensor: products, squares and poly by one algorithm. div: quotient and remainder by divisors of
    /// half the width, the whole width, one limb, and by one divisor for the batch. modular: sums, products,
    /// Montgomery products and quotients of double-width dividends, by a modulus of each instance and by one
    /// for the batch. xgcd: Bezout coefficients. primality: tests of odd numbers. paper-tables: Tables 1 and
    /// 2 of Oancea and Watt in their layout. ntt: transforms over prime fields. programs: at 512, 640, 768 and
    /// 1024 bits, stage 1 of ECM at B1 = 100000, from a slice of it, base-2 tests by a modulus of each instance,
    /// and powers by the sample modexp.lf and by powmod. loops: programs whose instances make different numbers
    /// of rounds, in --batch-bits / 4096 instances, with and without compaction. powmod and primality
    /// take no more integers than are computed at once.
    #[arg(value_name = "WHAT")]
    pub(crate) what: What,

    /// gpu, gpu:I or cpu
    #[arg(long, value_name = "WHERE", default_value = "gpu")]
    pub(crate) backend: Where,

    /// For ntt: points of the transforms, 2^I to 2^J, or `3*I..J`: three times as many
    #[arg(long, value_name = "I..J", default_value = "10..16")]
    pub(crate) points: Powers,

    /// For ntt: the transforms; several with commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "forward")]
    pub(crate) kinds: Vec<Kind>,

    /// For ntt: the primes, with commas [default: four of 32 bits and four of 64 bits]
    #[arg(long, value_name = "P", value_delimiter = ',', hide_default_value = true, default_value = PRIMES)]
    pub(crate) primes: Vec<u64>,

    /// Widths: I..J for 2^I to 2^J, or a number of bits; several with commas
    #[arg(long, value_name = "WIDTHS", default_value = "9..18,131,1000,5000,100000")]
    pub(crate) bits: Widths,

    /// The product of operations of expressions in place of the planned one, as rns for powers and tests of primality
    #[arg(long, value_name = "classical|ntt|tensor|rns|rns-warps|fold", value_parser = product)]
    pub(crate) product: Option<Product>,

    /// The operand of expressions that is one for the whole batch, as c, the modulus of powmod
    #[arg(long, value_name = "a|b|c|d", value_parser = ["a", "b", "c", "d"], hide_possible_values = true)]
    pub(crate) shared: Option<String>,

    /// The limb; several with commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "u64")]
    pub(crate) limb: Vec<LimbArgument>,

    /// Bits of each operand's batch, which has at least 64 integers [default: 2^32, on the CPU 2^24]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u64).range(1..=1 << 38))]
    batch_bits: Option<u64>,

    /// Timed runs of each kernel [default: 20, on the CPU 5]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: Option<u32>,

    /// Also time each kernel alone, in the order of the mapping, in JSON
    #[arg(long)]
    pub(crate) launches: bool,

    /// The version of the source, for the report [default: the environment variable `LIMBFORGE_COMMIT`]
    #[arg(long, value_name = "ID")]
    pub(crate) commit: Option<String>,

    /// Comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,

    /// One JSON object: date, commit, device, driver, nvrtc, `batch_bits`, repeats, rows; of the CPU also
    /// threads
    #[arg(long)]
    pub(crate) json: bool,

    /// A page with charts and tables, beside the report; `limbforge-lab report` makes one of several reports
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Output file, which appears when it is complete [default: standard output, row by row]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// A product that is no choice of the planner.
fn product(text: &str) -> Result<Product, String> {
    let all =
        [Product::Classical, Product::Ntt, Product::Tensor, Product::Rns, Product::RnsWarps, Product::Fold];
    let found = all.into_iter().find(|product| product.to_string() == text);
    found.ok_or_else(|| "expected classical, ntt, tensor, rns, rns-warps or fold".to_owned())
}

impl BenchArguments {
    /// The benchmarks in the order of measuring.
    pub(crate) fn benchmarks(&self) -> Vec<Benchmark> {
        let of_product = |one: Benchmark| match self.product {
            Some(product) if one.product == Product::Auto => one.by(product),
            _ => one,
        };
        let with_shared = |one: Benchmark| match &self.shared {
            Some(operand) => one.with_shared(operand),
            None => one,
        };
        self.what.benchmarks().into_iter().map(of_product).map(with_shared).collect()
    }

    pub(crate) fn batch_bits(&self) -> u64 {
        self.batch_bits.unwrap_or(if self.backend == Where::Cpu { 1 << 24 } else { 1 << 32 })
    }

    pub(crate) fn repeats(&self) -> u32 {
        self.repeats.unwrap_or(if self.backend == Where::Cpu { 5 } else { 20 })
    }
}

/// The backend that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Cpu,
    Gpu(GpuArgument),
}

impl FromStr for Where {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "cpu" {
            return Ok(Self::Cpu);
        }
        text.parse().map(Self::Gpu).map_err(|_| "expected gpu, gpu:I, as in gpu:1, or cpu")
    }
}

/// Wrap and direction of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Forward, modulo x^n - 1
    Forward,
    /// Its inverse
    Inverse,
    /// Forward, modulo x^n + 1
    Negacyclic,
    /// Its inverse
    NegacyclicInverse,
}

impl Kind {
    pub(crate) const fn wrap(self) -> Wrap {
        if matches!(self, Self::Forward | Self::Inverse) { Wrap::Cyclic } else { Wrap::Negacyclic }
    }

    pub(crate) const fn direction(self) -> Direction {
        if matches!(self, Self::Forward | Self::Negacyclic) { Direction::Forward } else { Direction::Inverse }
    }
}

/// Numbers of points: powers of two, or three times as many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Powers(pub(crate) Vec<u32>);

impl FromStr for Powers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (odd, most, powers) = text.strip_prefix("3*").map_or((1, 24, text), |powers| (3, 22, powers));
        let expected =
            || format!("`{text}`: expected I..J or I for 2^I points, from 4 to 24, or 3*I..J up to 3*22");
        let powers = parse_range(powers, 4..=most).ok_or_else(expected)?;
        Ok(Self(powers.map(|k| odd << k).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers() {
        let points = |text: &str| text.parse::<Powers>().map(|powers| powers.0);
        assert_eq!(points("10..12"), Ok(vec![1024, 2048, 4096]));
        assert_eq!(points("4"), Ok(vec![16]));
        assert_eq!(points("3*4..5"), Ok(vec![48, 96]));
        for wrong in ["", "3", "25", "9..8", "4..25", "a", "4..", "..4", "3*", "3*23", "5*4", "3*4..3*5"] {
            assert!(points(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn backends() {
        assert_eq!("cpu".parse(), Ok(Where::Cpu));
        assert_eq!("gpu:2".parse(), Ok(Where::Gpu(GpuArgument(2))));
        assert!("auto".parse::<Where>().is_err());
    }
}
