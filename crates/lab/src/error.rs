//! The errors of the program, each on one line, and its exit status.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use limbforge_cli::error::CliError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum LabError {
    #[error(transparent)]
    Shared(CliError),
    /// The arguments of a command contradict each other.
    #[error("{why} (see `limbforge-lab {command} --help`)")]
    Usage { command: &'static str, why: String },
    #[error("{what} run on GPUs only: expected --backend gpu, or another benchmark")]
    NeedsGpu { what: &'static str },
    /// A file that is not a report, or one that lacks something.
    #[error("{}: {why}", path.display())]
    Report { path: PathBuf, why: String },
    #[error("a power differs from the CPU's: {power}")]
    WrongPower { power: String },
    #[error("standard output: closed by its reader")]
    ReaderLeft,
}

impl LabError {
    /// The error of a report, by its reason.
    pub(crate) fn report(path: &Path) -> impl Fn(String) -> Self {
        |why| Self::Report { path: path.to_owned(), why }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Shared(error) => error.exit_code(),
            Self::Usage { .. } | Self::NeedsGpu { .. } => ExitCode::from(2),
            Self::Report { .. } | Self::WrongPower { .. } => ExitCode::FAILURE,
            Self::ReaderLeft => ExitCode::SUCCESS,
        }
    }
}

/// Wraps all errors of the shared library.
impl<E> From<E> for LabError
where
    CliError: From<E>,
{
    fn from(error: E) -> Self {
        Self::Shared(error.into())
    }
}
