//! The errors of the program, each on one line, and its exit status.

use std::path::{Path, PathBuf};
use std::{io, process::ExitCode};

use limbforge::algos::expr::{ParseExprError, Report};
use limbforge::{EngineError, algos::cpu::EvalError};
#[cfg(feature = "gpu")]
use limbforge_gpu::{Arch, CacheWarning, GpuError, NvrtcError, TuningError, Version};
#[cfg(feature = "gpu")]
use limbforge_kernels_gen::SpecError;

#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The arguments of a command contradict each other.
    #[error("{why} (see `limbforge {command} --help`)")]
    Usage { command: &'static str, why: String },
    #[cfg(feature = "gpu")]
    #[error("no kernel: {0}")]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Engine(String),
    /// A number that is not the modulus of a field.
    #[error("{0}")]
    Field(String),
    #[cfg(feature = "gpu")]
    #[error("{}", nvrtc_line(.0))]
    Nvrtc(#[from] NvrtcError),
    #[cfg(feature = "gpu")]
    #[error(
        "nvrtc {version} does not report the resources of the kernel for {arch}: install another version of nvrtc"
    )]
    Usageless { version: Version, arch: Arch },
    /// An error in the expression of the command line; it has several lines.
    #[error("{0}")]
    InExpression(Box<Report>),
    /// An error in a program, or the failure of an instance, with the place in the text.
    #[error("{place}: {report}")]
    InProgram { place: String, report: Box<Report> },
    /// An error in an expression of our own.
    #[error("expression:1: {0}")]
    Expression(#[from] ParseExprError),
    /// An expression that does not fit the files.
    #[error("expression:1: {0}")]
    Evaluation(#[from] EvalError),
    /// A line or record that cannot be computed with, or is missing.
    #[error("{}:{number}: {why}", path.display())]
    Line { path: PathBuf, number: u64, why: String },
    /// An instance without result.
    #[error("{}{number}: {reason}", path.as_ref().map_or_else(|| "line ".to_owned(), |path| format!("{}:", path.display())))]
    Instance { path: Option<PathBuf>, number: u64, reason: String },
    #[cfg(feature = "gpu")]
    #[error("{}", gpu_line(.0))]
    Gpu(#[from] GpuError),
    /// Kernels and the CPU backend contradict each other.
    #[error("{0}")]
    Internal(String),
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Tuning(#[from] TuningError),
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Cache(#[from] CacheWarning),
    #[cfg(feature = "gpu")]
    #[error("there is no folder for compiled kernels: set LIMBFORGE_CACHE to one")]
    NoCacheFolder,
    #[error("no kernel of the selftest has `{filter}` in its name: expected a part, as in `mul u64 u4096`")]
    NoCases { filter: String },
    #[error("{case}: {source}")]
    SelftestStopped { case: String, source: Box<CliError> },
    #[error(
        "{case}: not done after {seconds} s; if it is only slow, give it more with --timeout, else please report this"
    )]
    SelftestTimeout { case: String, seconds: u64 },
    #[error("the results of {failed} of {of} kernels differ from the CPU backend; please report this")]
    Selftest { failed: usize, of: usize },
    #[error("{failed} of {of} random expressions have no kernels that compile; please report this")]
    Uncompiled { failed: usize, of: usize },
    #[error(
        "{spec}: instance {instance} differs from the CPU backend; nothing was timed, please report this"
    )]
    BenchDiffers { spec: String, instance: usize },
    #[error("{spec}: instance {instance} differs from num-bigint; nothing was timed, please report this")]
    CpuDiffers { spec: String, instance: usize },
    #[error(
        "in {slow} of {of} cases the planned algorithm is too slow: run `limbforge tune` for this GPU, and report it if that does not help"
    )]
    Slow { slow: usize, of: usize },
    #[error("no chart: {0}; please report this")]
    Chart(String),
    /// Nobody reads standard output, or another pipe with results, any more: the run ends in silence.
    #[error("the reader of the results has left")]
    ReaderLeft,
    /// A file whose columns or rows are not those that are expected.
    #[error("{}: {why}", path.display())]
    Columns { path: PathBuf, why: String },
    #[error("{}: cannot {action}: {source}", path.display())]
    File { path: PathBuf, action: &'static str, source: io::Error },
}

impl CliError {
    /// The error of a command's arguments, by its reason.
    pub fn usage(command: &'static str) -> impl Fn(String) -> Self {
        move |why| Self::Usage { command, why }
    }

    /// The error of an action on a file.
    pub fn file(path: &Path, action: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), action, source }
    }

    /// The error of a file that ends at a line while another goes on; a line holds `one`, a file `all`.
    pub fn ended(path: &Path, number: u64, longer: &Path, [one, all]: [&str; 2]) -> Self {
        let why = format!(
            "expected another {one}, found the end of the file: {} goes on; files must have the same number of {all}, or \
             one, which is used for all",
            longer.display()
        );
        Self::Line { path: path.to_owned(), number, why }
    }

    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage { .. } => ExitCode::from(2),
            #[cfg(feature = "gpu")]
            Self::Nvrtc(NvrtcError::Architecture { .. }) => ExitCode::from(2),
            _ => ExitCode::FAILURE,
        }
    }
}

#[cfg(feature = "gpu")]
fn gpu_line(error: &GpuError) -> String {
    match error {
        GpuError::Nvrtc(error) => nvrtc_line(error),
        _ => error.to_string(),
    }
}

/// The error of an engine, or the reason why it computes on the CPU, on one line.
pub fn engine_line(error: &EngineError) -> String {
    match error {
        #[cfg(feature = "gpu")]
        EngineError::Gpu(error) => gpu_line(error),
        _ => error.to_string(),
    }
}

/// The error of nvrtc on one line. A kernel that does not compile is our defect.
#[cfg(feature = "gpu")]
fn nvrtc_line(error: &NvrtcError) -> String {
    if let NvrtcError::Compile(error) = error {
        let log = error.log.lines().find(|line| line.contains("error")).unwrap_or(&error.log);
        return format!("nvrtc does not compile this kernel: {}; please report this", log.trim());
    }
    error.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Eval(error) => Self::Evaluation(error),
            #[cfg(feature = "gpu")]
            EngineError::Spec(error) => Self::Spec(error),
            #[cfg(feature = "gpu")]
            EngineError::Gpu(error) => Self::Gpu(*error),
            #[cfg(feature = "gpu")]
            error @ EngineError::Internal { .. } => Self::Internal(error.to_string()),
            error => Self::Engine(engine_line(&error)),
        }
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use std::error::Error;

    use limbforge_gpu::{Nvrtc, Target};
    use limbforge_needs::needs;

    use super::*;

    /// An error of nvrtc is the same line on each way here.
    #[needs(nvrtc)]
    #[test]
    fn nvrtc_says_one_thing() -> Result<(), Box<dyn Error>> {
        let nvrtc = Nvrtc::find(None)?;
        let target = Target::Cubin(Arch::new(9, 0));
        let error = || nvrtc.compile("no kernel", target, &[]).map(drop).expect_err("no C++");
        let line = CliError::from(error()).to_string();
        assert!(
            line.starts_with("nvrtc does not compile this kernel: ") && line.lines().count() == 1,
            "{line}"
        );
        assert_eq!(CliError::from(GpuError::Nvrtc(error())).to_string(), line);
        assert_eq!(CliError::from(EngineError::from(GpuError::Nvrtc(error()))).to_string(), line);
        Ok(())
    }
}
