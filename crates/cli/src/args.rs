//! The command line.

#[cfg(feature = "gpu")]
mod codegen;
mod device;
mod usage;

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use limbforge::algos::expr::FUNCTIONS;
use limbforge::limb::IntType;
use limbforge::limb::io::NumberFormat;
use limbforge::{Engine, EngineError};

#[cfg(feature = "gpu")]
pub(crate) use self::codegen::{CodegenArguments, Emit, ProductArgument};
pub(crate) use self::device::GpuArgument;
pub(crate) use self::usage::report;
#[cfg(feature = "gpu")]
use crate::bench::BenchArguments;
use crate::completions::CompletionsArguments;
use crate::man::ManArguments;
#[cfg(feature = "gpu")]
use crate::model::ModelArguments;
#[cfg(feature = "gpu")]
use crate::plan::PlanArguments;
use crate::poly::PolyArguments;
use crate::primes::PrimesArguments;
#[cfg(feature = "gpu")]
use crate::report::ReportArguments;
#[cfg(feature = "gpu")]
use crate::selftest::SelftestArguments;
#[cfg(feature = "gpu")]
use crate::tune::TuneArguments;

/// Exact arithmetic on millions of midsize integers, on CPUs and NVIDIA GPUs.
///
/// Without a command this help goes to standard error, and the exit status is 2, as for other wrong usage. Colours are left
/// out where the output is no terminal and where the environment variable `NO_COLOR` is set.
#[derive(Debug, Parser)]
#[command(
    name = "limbforge",
    bin_name = "limbforge",
    version,
    about,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Exit status: 0; 1 for bad input, a missing GPU or a wrong result, with one line `error: why`; 2 for wrong usage.

Examples:
  limbforge eval 'a*a + b' --bits 256 --in a=a.txt --in b=b.txt
  limbforge help eval"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// In the order of the help: what users need first, and what only our own measurements need last.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(about = "Evaluate an expression over files of integers, one integer per line")]
    Eval(EvalArguments),
    #[command(about = "Multiply or divide polynomials over the integers modulo a prime, or take gcds")]
    Poly(PolyArguments),
    #[command(about = "Test numbers for primality; find primes for number-theoretic transforms")]
    Primes(PrimesArguments),
    #[cfg(feature = "gpu")]
    #[command(about = "Show how an expression would be computed on a GPU, and why")]
    Plan(PlanArguments),
    #[cfg(feature = "gpu")]
    #[command(about = "Print the CUDA source, PTX, CUBIN or resource use of an expression's kernels")]
    Codegen(CodegenArguments),
    #[cfg(feature = "gpu")]
    #[command(about = "Report which GPU prerequisites were found, and what to install")]
    Doctor(DoctorArguments),
    #[cfg(feature = "gpu")]
    #[command(about = "Measure which algorithms are fastest on this GPU, for later runs")]
    Tune(TuneArguments),
    #[cfg(feature = "gpu")]
    #[command(about = "Check every family of kernels on a GPU against the CPU backend")]
    Selftest(SelftestArguments),
    Completions(CompletionsArguments),
    Man(ManArguments),
    #[cfg(feature = "gpu")]
    #[command(about = "Laboratory: measure kernels on a GPU, beside a plain vector addition")]
    Bench(BenchArguments),
    #[cfg(feature = "gpu")]
    #[command(about = "Laboratory: predict the cost of a program with the many-core machine model")]
    Model(ModelArguments),
    #[cfg(feature = "gpu")]
    #[command(about = "Laboratory: draw what `limbforge bench --json` has measured")]
    Report(ReportArguments),
}

/// Report which GPU prerequisites were found, where they were looked for, and what to install.
///
/// Exit status 0, whatever is missing: expressions can always be evaluated on the CPU.
#[cfg(feature = "gpu")]
#[derive(Args, Debug)]
pub(crate) struct DoctorArguments {
    /// One JSON object: ready, driver, devices, nvrtc, cache, tuning, advice
    #[arg(long)]
    pub(crate) json: bool,
}

/// Evaluate an expression over files of integers, one integer per line.
///
/// Results come in input order, exact modulo 2^N (2^2N for wide products). All files must have the same number of integers; a file of one
/// integer is used for every line. Files may be larger than memory. Exit status: 0, or 1 for bad input with one line
/// `error: FILE:LINE: why` and no output, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "\
Operators, loosest first: == != < <= > >=, |, ^, &, << >> by a number or a value, + -, * / %, unary - ~.
Functions: sqr(a), mulhi(a,b), min(a,b), max(a,b), select(condition,then,otherwise); and around the whole expression
mul_wide(a,b), sqr_wide(a), whose results have 2N bits.
Bits: shl(a,n), shr(a,n), rotl(a,n), rotr(a,n), popcount(a), clz(a), ctz(a), extract(a,start,length),
insert(a,b,start,length), mask(n), mask_high(n); numbers of bits may be values, and negative ones go the other way.
Divisions: a / b and a % b round towards 0, div_euclid(a,b) and rem_euclid(a,b) leave no negative remainder,
div_exact(a,b) leaves none, divisible(a,b) is 1 or 0; gcd(a,b), lcm(a,b), isqrt(a), modinv(a,m), powmod(a,e,m), xgcd_x(a,b) and
xgcd_y(a,b) with x a + y b = gcd(a,b), jacobi(a,n), root(a,k), isqrt_rem(a), is_square(a), is_perfect_power(a),
is_prime(n) (certain below 2^64, above a test that no composite is known to pass), is_strong_probable_prime(n,base).
Modulo m: addmod(a,b,m), submod(a,b,m), mulmod(a,b,m); modulo 2^N: modinv2k(a). Of N bits as unsigned numbers: div_wide(high,low,d) and
rem_wide(high,low,d) of high 2^N + low; Montgomery's form with R = 2^N, to_mont(a,m), from_mont(a,m), mont_mul(a,b,m),
mont_reduce(high,low,m).
A line whose divisor or modulus is 0 fails; divisible(a,0) is no division and has a result: 1 if a is 0, else 0.
Numbers are decimal, or hexadecimal after 0x. Write an expression that starts with - as (-a) or after --.

Example: limbforge eval '(a*a + b)*(b*b + b) + a*b' --bits 4096 --in a=a.txt --in b=b.txt --out poly.txt")]
pub(crate) struct EvalArguments {
    /// The expression, as in '(a*a + b) * 3 - (b << 7)'
    #[arg(value_name = "EXPR")]
    pub(crate) expression: String,

    /// Width of all integers in bits, 1 to 16777216
    #[arg(long, value_name = "N", value_parser = parse_bits)]
    pub(crate) bits: u64,

    /// The file of a variable, `-` for standard input; repeat for more. gzip and zstd are known by .gz and .zst or the first bytes
    #[arg(long = "in", value_name = "NAME=FILE", value_parser = parse_input)]
    pub(crate) inputs: Vec<InputArgument>,

    /// Where results go, compressed for .gz and .zst; the file appears when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// What evaluates: auto (a GPU if there is one, and the CPU without one or for what it refuses, which a line on standard
    /// error then says), cpu, gpu (the first), or gpu:I
    #[arg(long, value_name = "auto|cpu|gpu|gpu:I", default_value = "auto")]
    pub(crate) backend: BackendArgument,

    /// Most memory to take on the GPU, as in 512M or 8G; larger batches go through it in chunks [default: four fifths
    /// of what is free]
    #[arg(long, value_name = "BYTES", value_parser = parse_size)]
    pub(crate) device_memory: Option<u64>,

    /// The limb that integers are made of; the results do not depend on it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) limb: LimbArgument,

    /// How integers are written: hex (one per line, with or without 0x), dec (one per line), bin (little-endian
    /// records of N/8 bytes, rounded up)
    #[arg(long, value_name = "hex|dec|bin", default_value_t)]
    pub(crate) format: NumberFormat,

    /// Integers are two's complement: from -2^(N-1) to 2^(N-1) - 1
    #[arg(long)]
    pub(crate) signed: bool,

    /// Skip empty lines, and text from a # to the end of its line, in text files; without it they are errors
    #[arg(long)]
    pub(crate) lenient: bool,

    /// What a line does that is no integer of N bits or has no result: fail (exit 1) or mark (its result line is !SYNTAX or
    /// !RANGE; !DIV0 for a division by zero or a modulus of 0, !INEXACT for an exact division that leaves a remainder, !OVERFLOW for a
    /// wide one with a long quotient, !NOINVERSE for a common divisor with the modulus, !EVEN for an even number or modulus where it must be
    /// odd, !NEGATIVE for a negative exponent or an even root of a negative number, !DEGREE for a root whose degree is not positive)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_error: OnError,
}

/// A variable and its file.
#[derive(Clone, Debug)]
pub(crate) struct InputArgument {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// What evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BackendArgument {
    /// The fastest that there is.
    Auto,
    /// All cores of this machine.
    Cpu,
    /// The GPU of this number.
    Gpu(usize),
}

impl BackendArgument {
    pub(crate) fn engine(self) -> Result<Engine, EngineError> {
        match self {
            Self::Auto => Ok(Engine::auto()),
            Self::Cpu => Ok(Engine::cpu()),
            Self::Gpu(ordinal) => Engine::gpu(ordinal),
        }
    }
}

impl FromStr for BackendArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            _ => match text.parse() {
                Ok(GpuArgument(ordinal)) => Ok(Self::Gpu(ordinal)),
                Err(_) => Err("expected auto, cpu, gpu or gpu:I, as in gpu:1".to_owned()),
            },
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LimbArgument {
    U32,
    #[default]
    U64,
    U128,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    /// Stop with exit status 1, no output
    #[default]
    Fail,
    /// Mark the line in the output and go on
    Mark,
}

pub(crate) fn parse_bits(text: &str) -> Result<u64, String> {
    let expected = || format!("expected a number from 1 to {}", IntType::MAX_BITS);
    let bits = text.parse().map_err(|_| expected())?;
    IntType::unsigned(bits).map(|_| bits).map_err(|_| expected())
}

fn parse_size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) if text.ends_with('K') => (digits, 10),
        Some(digits) if text.ends_with('M') => (digits, 20),
        Some(digits) => (digits, 30),
        None => (text, 0),
    };
    let expected = || "expected a number of bytes, or one of K, M, G (powers of 1024), as in 512M".to_owned();
    let number: u64 = digits.parse().map_err(|_| expected())?;
    number.checked_mul(1 << shift).filter(|&bytes| bytes > 0).ok_or_else(expected)
}

fn parse_input(text: &str) -> Result<InputArgument, String> {
    let (name, path) = text.split_once('=').ok_or("expected NAME=FILE, as in a=numbers.txt")?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err("expected a name of letters, digits and _ before the =, as in a=numbers.txt".to_owned());
    }
    if FUNCTIONS.iter().any(|(function, ..)| *function == name) {
        return Err(format!("`{name}` is a function: expected another name"));
    }
    if path.is_empty() {
        return Err("expected a file after the =, as in a=numbers.txt".to_owned());
    }
    Ok(InputArgument { name: name.to_owned(), path: path.into() })
}
