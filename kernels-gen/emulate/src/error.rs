//! What can go wrong between a kernel's text and its result.

use std::io;
use std::path::PathBuf;

use crate::schedule::Schedule;

/// Why a kernel could not be compiled or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum EmulateError {
    /// No compiler on this machine.
    #[error(
        "no C++ compiler found: tried {tried}; install g++ (Debian: `apt install g++`), or set CXX to a C++17 compiler"
    )]
    NoCompiler {
        /// The commands that were tried.
        tried: String,
    },
    /// The compiler refused the kernel or the emulator's own code.
    #[error("`{command}` does not compile kernel `{entry}`:\n{output}")]
    Compile {
        /// The kernel's entry point, or `harness`.
        entry: String,
        /// The compiler.
        command: String,
        /// What the compiler said; lines are those of `source`.
        output: String,
        /// The kernel's source.
        source_text: String,
    },
    /// An entry point that is no name.
    #[error("kernel `{entry}`: expected an entry point that is a C identifier")]
    Entry {
        /// The entry point.
        entry: String,
    },
    /// A geometry or N that no GPU launches.
    #[error("kernel `{entry}`: {what} = {found}, expected {expected}")]
    Limit {
        /// The kernel's entry point.
        entry: String,
        /// The quantity.
        what: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        found: u64,
    },
    /// Not as many operands as the kernel has.
    #[error("kernel `{entry}` takes {expected} inputs, found {found}")]
    Inputs {
        /// The kernel's entry point.
        entry: String,
        /// Inputs of the kernel.
        expected: usize,
        /// Inputs of the call.
        found: usize,
    },
    /// Not as many results as the kernel has.
    #[error("kernel `{entry}` has {expected} results, found sizes of {found}")]
    Results {
        /// The kernel's entry point.
        entry: String,
        /// Results of the kernel.
        expected: usize,
        /// Results of the call.
        found: usize,
    },
    /// A file or process of the emulator.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The kernel did something that it must not do.
    #[error("kernel `{entry}`, schedule {schedule}: {fault}\n{report}")]
    Fault {
        /// The kernel's entry point.
        entry: String,
        /// The order in which its threads ran.
        schedule: Schedule,
        /// The kind of fault.
        fault: Fault,
        /// Where, and what the threads did.
        report: String,
    },
    /// A result that depends on the order of the threads.
    #[error(
        "kernel `{entry}` has a race: byte {byte} of its result under schedule {second} is not that under schedule \
         {first}; look for a missing barrier"
    )]
    Race {
        /// The kernel's entry point.
        entry: String,
        /// One order.
        first: Schedule,
        /// An order with another result.
        second: Schedule,
        /// The first byte that differs.
        byte: usize,
    },
}

/// What a kernel must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Threads wait at different barriers or collectives, or for threads that have exited.
    #[error("deadlock or divergence")]
    Divergence,
    /// An access beyond a buffer or shared memory, or a write to an input.
    #[error("forbidden memory access")]
    Memory,
    /// A collective called in a way that CUDA leaves undefined, a trap, or an assumption that does not hold.
    #[error("misuse of an intrinsic")]
    Misuse,
    /// The time limit passed.
    #[error("out of time")]
    Time,
    /// Undefined behaviour of the language, such as a division by zero or a shift by the width of the type.
    #[error("undefined behaviour")]
    Undefined,
    /// The program ended in a way that the emulator did not foresee.
    #[error("the program crashed")]
    Crash,
}

impl Fault {
    /// The fault that an exit code of the harness means.
    pub(crate) const fn of_exit_code(code: Option<i32>) -> Self {
        match code {
            Some(83) => Self::Divergence,
            Some(84) => Self::Memory,
            Some(85) => Self::Misuse,
            Some(86) => Self::Time,
            Some(87) => Self::Undefined,
            _ => Self::Crash,
        }
    }
}
