//! The command line of `limbforge bench`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use limbforge::algos::transform::ntt::{Direction, Wrap};
use limbforge::limb::IntType;

use crate::args::GpuArgument;
use crate::args::LimbArgument;
use crate::report::paper_tables;

/// Measure kernels on a GPU, beside a plain vector addition.
///
/// Every result is compared with the CPU backend before it is timed. Times are medians of what the GPU's own events
/// say, of batches that lie in its memory. Exit status: 0, or 1 if there is no GPU or a result is wrong, or 2 for wrong
/// usage.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: limbforge bench add --bits 9..18,131 --limb u32,u64 --json --out add.json")]
pub(crate) struct BenchArguments {
    /// What is measured
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) what: What,

    /// The GPU: gpu or gpu:I
    #[arg(long, value_name = "gpu|gpu:I", default_value = "gpu")]
    pub(crate) backend: GpuArgument,

    /// For ntt: points of the transforms, 2^I to 2^J, or `3*I..J`: three times as many
    #[arg(long, value_name = "I..J", default_value = "10..16")]
    pub(crate) points: Powers,

    /// For ntt: the transforms; several with commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "forward")]
    pub(crate) kinds: Vec<Kind>,

    /// For ntt: the primes, with commas
    #[arg(
        long,
        value_name = "P",
        value_delimiter = ',',
        default_value = "270532609,998244353,2013265921,3221225473,1945555039024054273,4179340454199820289,18446744069414584321,18446742974197923841"
    )]
    pub(crate) primes: Vec<u64>,

    /// Widths: I..J for 2^I to 2^J, or a number of bits; several with commas
    #[arg(long, value_name = "WIDTHS", default_value = "9..18,131,1000,5000,100000")]
    pub(crate) bits: Widths,

    /// The limb; several with commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "u64")]
    pub(crate) limb: Vec<LimbArgument>,

    /// Bits of each operand's batch; there are at least 64 integers
    #[arg(long, value_name = "B", default_value_t = 1 << 32, value_parser = clap::value_parser!(u64).range(1..=1 << 38))]
    pub(crate) batch_bits: u64,

    /// Timed runs of each kernel
    #[arg(long, value_name = "R", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) repeats: u32,

    /// Also the time of each kernel by itself, in the order of the mapping, in JSON
    #[arg(long)]
    pub(crate) launches: bool,

    /// The version of the source, for the report [default: the environment variable `LIMBFORGE_COMMIT`]
    #[arg(long, value_name = "ID")]
    pub(crate) commit: Option<String>,

    /// Comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,

    /// One JSON object: date, commit, device, driver, nvrtc, `batch_bits`, repeats, rows
    #[arg(long)]
    pub(crate) json: bool,

    /// A page with charts and tables, beside the report; `limbforge report` makes one of several reports
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Where the report goes [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// One, six and ten fused additions, subtractions and both
    Add,
    /// Products and squares by all algorithms, and by the one that is chosen for the width
    Mul,
    /// The polynomial (a*a + b)*(b*b + b) + a*b, likewise
    Poly,
    /// That, a*b + c*d, a*b + c*d + e*f, and Horner's rule of degree 8, likewise
    Fused,
    /// The low, wide and high product, the square and a polynomial by columns
    MulClassical,
    /// The low, wide and high product, the square and a polynomial by transforms
    MulNtt,
    /// The low, wide and high product, the square and a polynomial on tensor cores
    MulTensor,
    /// Divisions with remainder: by divisors of half the width, of the whole width, of one limb, and by one of half the width for the batch
    Div,
    /// Sums, products and Montgomery products modulo a number, and quotients of dividends of twice the width: by a number of each
    /// instance, and by one for the batch
    Modular,
    /// Greatest common divisors
    Gcd,
    /// Integer square roots
    Isqrt,
    /// Inverses modulo odd numbers
    Modinv,
    /// Powers modulo odd numbers, no more of them than the GPU computes at once
    Powmod,
    /// Inverses modulo 2^N
    Modinv2k,
    /// Coefficients of greatest common divisors
    Xgcd,
    /// Jacobi symbols
    Jacobi,
    /// Tests of primality of odd numbers, no more of them than the GPU computes at once
    Primality,
    /// Tables 1 and 2 of Oancea and Watt in their layout: 2^11 to 2^18 bits
    PaperTables,
    /// Transforms over prime fields, in natural order
    Ntt,
    /// All of these
    All,
}

impl What {
    /// Whether it is measured at this width.
    pub(crate) fn takes(self, bits: u32) -> bool {
        self != Self::PaperTables || bits.is_power_of_two() && paper_tables::WIDTHS.contains(&bits.ilog2())
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
        let expected =
            || format!("`{text}`: expected I..J or I for 2^I points, from 4 to 24, or 3*I..J up to 3*22");
        let (odd, powers) = text.strip_prefix("3*").map_or((1, text), |powers| (3, powers));
        let (first, last) = powers.split_once("..").unwrap_or((powers, powers));
        let most = if odd == 3 { 22 } else { 24 };
        let number =
            |text: &str| text.parse::<u32>().ok().filter(|k| (4..=most).contains(k)).ok_or_else(expected);
        let (first, last) = (number(first)?, number(last)?);
        if first > last { Err(expected()) } else { Ok(Self((first..=last).map(|k| odd << k).collect())) }
    }
}

/// Widths in the order in which they are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Widths(pub(crate) Vec<IntType>);

impl FromStr for Widths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = |item: &str| {
            let most = IntType::MAX_BITS;
            format!(
                "`{item}`: expected I..J for 2^I to 2^J, up to 0..24, or a number of bits from 1 to {most}"
            )
        };
        let mut widths = vec![];
        for item in text.split(',').map(str::trim) {
            let number = |text: &str| text.parse::<u32>().map_err(|_| expected(item));
            let bits = match item.split_once("..") {
                Some((first, last)) => {
                    let (first, last) = (number(first)?, number(last)?);
                    if first > last || last > IntType::MAX_BITS.ilog2() {
                        return Err(expected(item));
                    }
                    (first..=last).map(|k| 1 << k).collect()
                }
                None => vec![number(item)?],
            };
            for bits in bits {
                let ty = IntType::unsigned(bits.into()).map_err(|_| expected(item))?;
                if !widths.contains(&ty) {
                    widths.push(ty);
                }
            }
        }
        Ok(Self(widths))
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
    fn the_papers_have_powers_of_two() {
        let taken = |what: What| [512, 2048, 5000, 1 << 18, 1 << 19].map(|bits| what.takes(bits));
        assert_eq!(taken(What::PaperTables), [false, true, false, true, false]);
        assert_eq!(taken(What::MulNtt), [true; 5]);
    }

    #[test]
    fn widths() {
        let bits = |text: &str| text.parse::<Widths>().map(|w| w.0.iter().map(|ty| ty.bits()).collect());
        assert_eq!(bits("9..11,131"), Ok(vec![512, 1024, 2048, 131]));
        assert_eq!(bits("512, 9..9"), Ok(vec![512]));
        for wrong in ["", "9..", "..9", "11..9", "9..25", "0", "16777217", "a", "9..10,", "-1"] {
            assert!(bits(wrong).is_err(), "{wrong}");
        }
    }
}
