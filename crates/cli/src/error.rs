//! Why the program stops, as one line for a person, and its exit status.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use limbforge::algos::cpu::EvalError;
use limbforge::algos::expr::ParseExprError;
use limbforge::limb::io::RecordError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The arguments contradict each other.
    #[error("{0} (see `limbforge eval --help`)")]
    Usage(String),
    /// The expression is none.
    #[error("expression:1: {0}")]
    Expression(#[from] ParseExprError),
    /// The expression and the files do not go together.
    #[error("expression:1: {0}")]
    Evaluation(#[from] EvalError),
    /// A line or record is wrong.
    #[error("{}:{number}: {source}", path.display())]
    Record { path: PathBuf, number: u64, source: RecordError },
    /// A file without integers.
    #[error("{}:1: expected an integer, found an empty file", path.display())]
    EmptyFile { path: PathBuf },
    /// A file that ends before another one.
    #[error(
        "{}:{number}: expected another integer, found the end of the file: {} goes on; files must have the same \
         number of integers, or one, which is used for all",
        path.display(),
        longer.display()
    )]
    Count { path: PathBuf, number: u64, longer: PathBuf },
    /// A file cannot be opened, read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    File { path: PathBuf, action: &'static str, source: io::Error },
}

impl CliError {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            _ => ExitCode::FAILURE,
        }
    }
}
