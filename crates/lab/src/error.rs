//! Why the program stops, as one line for a person, and its exit status.

use std::path::PathBuf;
use std::process::ExitCode;

use limbforge_cli::error::CliError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum LabError {
    #[error(transparent)]
    Shared(CliError),
    /// The arguments of a command contradict each other.
    #[error("{why} (see `limbforge-lab {command} --help`)")]
    Usage { command: &'static str, why: String },
    /// A benchmark that needs a GPU.
    #[error("{what} run on GPUs only: expected --backend gpu, or another benchmark")]
    NeedsGpu { what: String },
    /// A file that `limbforge-lab bench --json` has not written.
    #[error("{}: {why}", path.display())]
    Report { path: PathBuf, why: String },
    /// Nobody reads the rows any longer.
    #[error("standard output: closed by its reader")]
    ReaderLeft,
}

impl LabError {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Shared(error) => error.exit_code(),
            Self::Usage { .. } | Self::NeedsGpu { .. } => ExitCode::from(2),
            Self::Report { .. } => ExitCode::FAILURE,
            Self::ReaderLeft => ExitCode::SUCCESS,
        }
    }
}

/// Whatever the shared library fails with.
impl<E> From<E> for LabError
where
    CliError: From<E>,
{
    fn from(error: E) -> Self {
        Self::Shared(error.into())
    }
}
