//! The command line of `limbforge eval`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use limbforge::{algos::expr::operation, limb::io::NumberFormat};

use crate::args::{BackendArgument, LimbArgument, parse_bits};

/// Evaluate an expression over files of integers, one integer per line.
///
/// Results come in input order, exact modulo 2^N (2^2N for wide products). All files must have the same
/// number of integers; a file of one integer is used for every line. Files may be larger than memory. Exit
/// status: 0, or 1 for bad input with one line `error: FILE:LINE: why`, or 2 for wrong usage. After an error
/// there is no output file, and standard output has the results before it.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "\
Example: limbforge eval 'a**2 + b' --bits 64 --in a=a.txt --in b=b.txt
`limbforge functions` lists the operators and functions; --help has more.",
    after_long_help = "\
Operators, loosest first: == != < <= > >=, |, ^, &, << >>, + -, * / %, unary - ~, ** with a number on its right. ^ is \
exclusive or. Shifts take no sum or product on their right without parentheses, and need them in sums: (a << 1) + b. \
Numbers are decimal, or hexadecimal after 0x, and must fit the type; amounts of shifts, rotations and fields may be any.

`limbforge functions` lists all operators and functions with their failures and an example, `limbforge functions gcd` \
explains one. An expression may begin with -; one that looks like an option, as --ab, goes after --.

Example: limbforge eval '(a*a + b)*(b*b + b) + a*b' --bits 4096 --in a=a.txt --in b=b.txt --out poly.txt"
)]
pub(crate) struct EvalArguments {
    /// The expression, as in '(a*a + b) * 3 - (b << 7)'
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,

    /// Width of all integers in bits, 1 to 16777216
    #[arg(long, value_name = "N", value_parser = parse_bits)]
    pub(crate) bits: u64,

    /// The file of a variable, - for standard input
    ///
    /// Repeat it for more variables. gzip and zstd are known by .gz and .zst or the first bytes.
    #[arg(long = "in", value_name = "NAME=FILE", value_parser = parse_input)]
    pub(crate) inputs: Vec<InputArgument>,

    /// Output file [default: standard output]
    ///
    /// The file appears when it is complete, and not after an error. It is compressed if its name ends in .gz
    /// or .zst. Standard output, a pipe or a device gets results as soon as they are known: an exit status
    /// that is not 0 says that they are not complete.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// auto, cpu, gpu, gpu:I or gpus
    ///
    /// auto uses all GPUs if one exists. Without one, or if they refuse the expression, the CPU computes,
    /// and a line on standard error reports this. gpu is the first GPU, gpus are all of them.
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub(crate) backend: BackendArgument,

    /// Most GPU memory to use, as in 512M or 8G
    ///
    /// Larger batches are streamed in chunks [default: four fifths of the free memory]
    #[arg(long, value_name = "BYTES", value_parser = parse_size)]
    pub(crate) device_memory: Option<u64>,

    /// u32, u64 or u128 limbs [default: u64]
    ///
    /// Results do not depend on the limb.
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, hide_default_value = true)]
    pub(crate) limb: LimbArgument,

    /// hex, dec or bin integers [default: hex]
    ///
    /// hex: one per line, with or without 0x; dec: one per line; bin: little-endian records of N/8 bytes,
    /// rounded up.
    #[arg(long, value_name = "HOW", default_value_t, hide_default_value = true)]
    pub(crate) format: NumberFormat,

    /// Integers are from -2^(N-1) to 2^(N-1) - 1
    ///
    /// They are in two's complement, uN without this and iN with it.
    #[arg(long)]
    pub(crate) signed: bool,

    /// Skip empty lines and # comments
    ///
    /// A comment goes from a # to the end of its line. Without this option both are errors. Binary files have
    /// neither.
    #[arg(long)]
    pub(crate) lenient: bool,

    /// fail or mark lines without result [default: fail]
    ///
    /// How to handle a line that is not an integer of N bits, and one whose expression has no result. fail:
    /// stop with exit status 1. mark: write !MARK as its result and go on. !SYNTAX: the line is
    /// not an integer. !RANGE: it is not an integer of the type. !DIV0, !INEXACT, !OVERFLOW, !NOINVERSE,
    /// !EVEN, !NEGATIVE, !DEGREE: the expression has no result; `limbforge functions` has the conditions.
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(crate) on_error: OnError,
}

/// A variable and its file.
#[derive(Clone, Debug)]
pub(crate) struct InputArgument {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    /// Stop with exit status 1, no output
    #[default]
    Fail,
    /// Mark the line in the output and go on
    Mark,
}

fn parse_size(text: &str) -> Result<u64, &'static str> {
    let mut units = [("K", 10), ("M", 20), ("G", 30)].into_iter();
    let (digits, shift) =
        units.find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift))).unwrap_or((text, 0));
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    let expected = "expected a number of bytes, or one of K, M, G (powers of 1024), as in 512M";
    bytes.filter(|&bytes| bytes > 0).ok_or(expected)
}

fn parse_input(text: &str) -> Result<InputArgument, String> {
    let (name, path) = text.split_once('=').ok_or("expected NAME=FILE, as in a=numbers.txt")?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err("expected a name of letters, digits and _ before the =, as in a=numbers.txt".to_owned());
    }
    if operation(name).is_some() {
        return Err(format!("`{name}` is a function: expected another name"));
    }
    if path.is_empty() {
        return Err("expected a file after the =, as in a=numbers.txt".to_owned());
    }
    Ok(InputArgument { name: name.to_owned(), path: path.into() })
}
