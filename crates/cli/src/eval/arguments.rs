//! The command line of `limbforge eval`.

mod input;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use limbforge::limb::io::NumberFormat;

pub(crate) use self::input::InputArgument;
pub(super) use self::input::is_name;
use super::shard::Shard;
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

Example: limbforge eval '(a*a + b)*(b*b + b) + a*b' --bits 4096 --in a=a.txt --in b=b.txt --out poly.txt
         limbforge eval 'q = a / b; r = a % b' --bits 512 --in a=a.txt --in b=b.txt --out q=q.txt --out r=r.txt"
)]
pub(crate) struct EvalArguments {
    /// The expression, as in '(a*a + b) * 3 - (b << 7)'
    ///
    /// Or assignments, separated by ; or ends of lines, as in 's = a + b; q = s / b; r = s % b'. Names may be
    /// used in later assignments. Each result has an --out NAME=FILE; the others are intermediate values.
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,

    /// Width of all integers in bits, 1 to 16777216
    ///
    /// Columns of integers have a type, which is used without this option.
    #[arg(long, value_name = "N", value_parser = parse_bits)]
    pub(crate) bits: Option<u64>,

    /// The file of a variable, - for standard input
    ///
    /// Repeat it for more variables. gzip and zstd are known by .gz and .zst or the first bytes. Files of
    /// Parquet (.parquet), Arrow IPC (.arrow, .feather, .ipc, .arrows) and CSV (.csv) have columns, as in
    /// p=keys.parquet:p; p=keys.parquet is that of the variable's name.
    #[arg(long = "in", value_name = "NAME=FILE", value_parser = InputArgument::parse)]
    pub(crate) inputs: Vec<InputArgument>,

    /// Output file [default: standard output]
    ///
    /// The file appears when it is complete, and not after an error. It is compressed if its name ends in .gz
    /// or .zst. Standard output, a pipe or a device gets results as soon as they are known: an exit status
    /// that is not 0 says that they are not complete. r.parquet:r is the column r of a new file with columns;
    /// that of r.parquet is result.
    /// With assignments NAME=FILE is the file of the value of that name; repeat it for more results.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Vec<PathBuf>,

    /// Copy columns, all or P,Q, beside the results
    ///
    /// They are those of the first --in that has columns, row for row.
    #[arg(long, value_name = "LIST", num_args = 0..=1, value_delimiter = ',')]
    pub(crate) keep: Option<Vec<String>>,

    /// Evaluate the I-th of N equal parts, as in 3/8
    ///
    /// The results of all N parts after each other are those of a run without this option. The integers of
    /// each input are counted first: it must be a file, compressed or not.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,

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
    #[arg(long, value_name = "HOW")]
    pub(crate) format: Option<NumberFormat>,

    /// Integers are from -2^(N-1) to 2^(N-1) - 1
    ///
    /// They are in two's complement, uN without this and iN with it.
    #[arg(long, requires = "bits")]
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
    /// !EVEN, !NEGATIVE, !DEGREE: the expression has no result; `limbforge functions` has the conditions. The
    /// mark in a column is null.
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

impl EvalArguments {
    /// The format of text.
    pub(crate) fn format(&self) -> NumberFormat {
        self.format.unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    /// Stop with exit status 1, no output
    #[default]
    Fail,
    /// Mark the line in the output and go on
    Mark,
}

pub(crate) fn parse_size(text: &str) -> Result<u64, &'static str> {
    let mut units = [("K", 10), ("M", 20), ("G", 30)].into_iter();
    let (digits, shift) =
        units.find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift))).unwrap_or((text, 0));
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    let expected = "expected a number of bytes, or one of K, M, G (powers of 1024), as in 512M";
    bytes.filter(|&bytes| bytes > 0).ok_or(expected)
}
