//! The command line of `limbforge run`.

mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use limbforge::limb::io::NumberFormat;

pub(crate) use self::values::BitsArgument;
pub(super) use self::values::OutputArgument;
use self::values::{parse_output, parse_time};
use super::spec::{self, InputSpec};
use crate::args::BackendArgument;
use crate::eval::{Form, OnError, parse_size};

/// Run a program: loops, residues, functions, several results.
///
/// The program is a text file, whose inputs are files of integers, numbers or ranges. Instances are independent:
/// an input has one integer for each, or one for all. Results are exact. Ctrl-C ends the run after its slice and
/// writes the checkpoint, from which --resume goes on. Exit status: 0, or 1 for bad input or an instance that
/// fails, with one line `error: FILE:LINE:COLUMN: why`, or 2 for wrong usage. After an error there are no output
/// files.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "\
Example: limbforge run ecm.lf --bits 512 --format dec --in N=n.txt --in s=lcm:100000 --in sigma=1..5000 \
--out factor=f.txt
docs/programs.md has the language.",
    after_long_help = "\
Inputs: NAME=FILE is a file as `limbforge eval` reads it, also a column as in keys.parquet:p; NAME=@FILE is a file \
whatever its name. NAME=5, NAME=-0x1f are numbers. NAME=1..5000 are the integers from 1 to 5000. NAME=lcm:B is \
lcm(1, ..., B). NAME=prime:A is the first prime from A on, NAME=primes:A..B are the primes from A to B, and \
NAME=gaps:A..B is half the gap from each of them to the next, with zeros behind for an input that is an array.

Example: limbforge run vdf.lf --bits 2048 --in N=n.hex --in x=3 --in t=1000000000 --checkpoint vdf --out y=y.hex
         limbforge run --resume vdf --out y=y.hex"
)]
pub(crate) struct RunArguments {
    /// The program; - for standard input
    #[arg(value_name = "FILE.lf", required_unless_present = "resume", conflicts_with = "resume")]
    pub(super) program: Option<PathBuf>,

    /// An input: a file, a number, a range A..B, lcm:B, prime:A, primes:A..B or gaps:A..B
    ///
    /// Repeat it for more inputs. An input that is an array or a tuple of k takes k integers for each instance.
    #[arg(long = "in", value_name = "NAME=SPEC", value_parser = spec::parse, conflicts_with = "resume")]
    pub(super) inputs: Vec<InputSpec>,

    /// Width of inputs without a type in the program, 1 to 16777216, or of one input, as in s=4096
    ///
    /// NAME=u4096 and NAME=i4096 are types. Without this option columns have the type of their file, and numbers
    /// and ranges the multiple of 64 bits that they need, as lcm:B, prime, primes and gaps always have.
    #[arg(long, value_name = "N|NAME=N", conflicts_with = "resume")]
    pub(super) bits: Vec<BitsArgument>,

    /// Inputs without a type in the program are from -2^(N-1) to 2^(N-1) - 1
    #[arg(long, requires = "bits")]
    pub(super) signed: bool,

    /// The file of a result
    ///
    /// Repeat it for more results; without it and --out-table a table of all goes to standard output. Files
    /// appear when all are complete, and not after an error. They are compressed if the name ends in .gz or
    /// .zst. - is standard output. An array or tuple of k has k lines for each instance.
    #[arg(long = "out", value_name = "NAME=FILE", value_parser = parse_output)]
    pub(super) out: Vec<OutputArgument>,

    /// A file with all results of an instance on a line
    ///
    /// The first line has their names, which tabs separate, or commas if the name ends in .csv.
    #[arg(long, value_name = "FILE")]
    pub(super) out_table: Option<PathBuf>,

    /// A save file of GMP-ECM for its stage 2
    ///
    /// The program must be stage 1 of ECM on curves of `-param 3`, with inputs N and sigma and results X and Z.
    /// A line is written for each curve that has found no factor.
    #[arg(long, value_name = "FILE")]
    pub(super) save_ecm: Option<PathBuf>,

    /// B1 of the save file [default: B of --in s=lcm:B]
    #[arg(long, value_name = "B1", requires = "save_ecm")]
    pub(super) b1: Option<u64>,

    /// hex, dec or bin integers [default: hex]
    ///
    /// As in `limbforge eval`, for files of inputs and of results; tables have no bin.
    #[arg(long, value_name = "HOW")]
    pub(super) format: Option<NumberFormat>,

    /// Skip empty lines and # comments of inputs
    #[arg(long)]
    pub(super) lenient: bool,

    /// fail or mark instances that fail [default: fail]
    ///
    /// fail: exit status 1 and no results. mark: !MARK in place of each result of the instance; !DIV0, !EVEN,
    /// !NOINVERSE and others as in `limbforge eval`, !LIMIT, !REQUIRE and !INDEX.
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(super) on_error: OnError,

    /// auto, cpu, gpu, gpu:I or gpus
    ///
    /// A program runs on one GPU, of several on the first. What it refuses auto runs on the CPU, and says so.
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub(super) backend: BackendArgument,

    /// Most GPU memory to use, as in 512M or 8G
    ///
    /// More instances go through it in chunks [default: four fifths of the free memory]
    #[arg(long, value_name = "BYTES", value_parser = parse_size)]
    pub(super) device_memory: Option<u64>,

    /// A folder from which the run can be resumed
    ///
    /// It is written at the beginning, every --every, and when the run is interrupted.
    #[arg(long, value_name = "DIR")]
    pub(super) checkpoint: Option<PathBuf>,

    /// The time between checkpoints, as in 90s, 5m or 1h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub(super) every: Duration,

    /// Go on from a checkpoint, to which further ones go
    ///
    /// It has the program and its inputs. --checkpoint names another folder for further ones.
    #[arg(long, value_name = "DIR")]
    pub(super) resume: Option<PathBuf>,

    /// Milliseconds of a slice, after which the run can be interrupted
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pub(super) slice: u64,
}

impl RunArguments {
    pub(super) fn form(&self) -> Form {
        Form { format: self.format, is_lenient: self.lenient }
    }

    /// The folder of checkpoints, if there is one.
    pub(super) fn folder(&self) -> Option<&PathBuf> {
        self.checkpoint.as_ref().or(self.resume.as_ref())
    }
}
