//! `limbforge poly`: polynomials over a prime field, one per line of a file.

mod chunk;
mod file;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use limbforge::{Engine, EngineError, algos::poly::PolyRing};
use limbforge_field::DynField;

use self::chunk::Chunks;
use self::file::{PolyFile, Polynomial};
use crate::args::{BackendArgument, parse_number};
use crate::engine::{self, Fallback};
use crate::error::CliError;
use crate::input::refuse_shared;
use crate::output::Output;

/// Multiply or divide polynomials over the integers modulo a prime, or take their greatest common divisors.
///
/// A line of a file is a polynomial: its coefficients from low to high, separated by blanks, each a residue
/// in 0..P in decimal or, after 0x, in hexadecimal digits. 0 is the polynomial 0. Results come line by line;
/// all files must have the same number of lines, and a file of one line is used for all of them. Exit status:
/// 0, or 1 for bad input with one line `error: FILE:LINE: why`, or 2 for wrong usage. After an error there is no
/// output file; standard output may have results of lines before it.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge poly gcd --prime 998244353 --in a.txt --in b.txt --out g.txt")]
pub(crate) struct PolyArguments {
    /// The operation on the polynomials of each line
    #[arg(value_enum)]
    operation: Operation,

    /// The prime, from 3 to 2^64 - 1: decimal, hexadecimal after 0x, or as in 3*2^30+1
    #[arg(long, value_name = "P", value_parser = parse_number)]
    prime: u64,

    /// A file of polynomials, gzip and zstd too, or `-` for standard input; two for divrem, two or more for
    /// mul and gcd
    #[arg(long = "in", value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,

    /// The backend: auto (all GPUs if one exists), cpu, gpu, gpu:I or gpus
    #[arg(long, value_name = "auto|cpu|gpu|gpu:I|gpus", default_value = "auto")]
    backend: BackendArgument,

    /// Skip empty lines, and text from a # to the end of its line; without it they are errors
    #[arg(long)]
    lenient: bool,

    /// Output file, compressed for .gz and .zst; it appears when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Operation {
    /// The product
    Mul,
    /// A line with the quotient of the first by the second, and a line with the remainder
    Divrem,
    /// The greatest common divisor with the leading coefficient 1, or 0 where all are 0
    Gcd,
}

pub(crate) fn run(arguments: &PolyArguments) -> Result<(), CliError> {
    let usage = CliError::usage("poly");
    let field = DynField::new(arguments.prime).map_err(|error| usage(format!("--prime: {error}")))?;
    let found = arguments.inputs.len();
    if found < 2 || (arguments.operation == Operation::Divrem && found > 2) {
        let expected = if arguments.operation == Operation::Divrem { "2" } else { "2 or more" };
        return Err(usage(format!("{found} files; expected {expected}, each after its own --in")));
    }
    let written = |path: &PathBuf| format!("--in {}", path.display());
    refuse_shared(arguments.inputs.iter().map(|path| (written(path), path.as_path()))).map_err(usage)?;
    let engine = engine::open(arguments.backend)?;
    // Before anything is read: who cannot write need not wait for a pipe.
    let mut output = Output::create(arguments.out.as_deref())?;
    let inputs = arguments.inputs.iter().map(|path| PolyFile::open(path, field, arguments.lenient));
    let mut chunks = Chunks::new(inputs.collect::<Result<_, _>>()?);
    let ring = PolyRing::new(field);
    while let Some(chunk) = chunks.next()? {
        let texts =
            results(&engine, ring, arguments.operation, &chunk.columns).map_err(|error| match error {
                EngineError::Poly { pair, source } => chunks.divisor_error(&chunk, pair, source.to_string()),
                error => error.into(),
            })?;
        for text in texts {
            output.write(text.as_bytes())?;
        }
        output.flush()?;
    }
    output.finish()?;
    Fallback::default().say(&engine, |note| eprintln!("{note}"));
    Ok(())
}

/// The results of all lines of two files or more, two lines each for quotients with their remainders.
fn results(
    engine: &Engine,
    ring: PolyRing<DynField>,
    operation: Operation,
    columns: &[Vec<Polynomial>],
) -> Result<Vec<String>, EngineError> {
    let line = |a: &Polynomial| {
        let values: Vec<String> = ring.to_integers(a).iter().map(ToString::to_string).collect();
        if values.is_empty() { "0\n".to_owned() } else { values.join(" ") + "\n" }
    };
    let [first, others @ ..] = columns else { return Ok(vec![]) };
    if operation == Operation::Divrem {
        let results = others.iter().map(|divisors| engine.poly_div_rem(&ring, first, divisors));
        let results = results.collect::<Result<Vec<_>, _>>()?.concat();
        return Ok(results.iter().map(|(quotient, remainder)| line(quotient) + &line(remainder)).collect());
    }
    let mut results = first.clone();
    for column in others {
        results = match operation {
            Operation::Mul => engine.poly_mul(&ring, &results, column)?,
            _ => engine.poly_gcd(&ring, &results, column)?,
        };
    }
    Ok(results.iter().map(line).collect())
}
