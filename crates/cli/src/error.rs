//! Why the program stops, as one line for a person, and its exit status.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use limbforge::EngineError;
use limbforge::algos::cpu::EvalError;
use limbforge::algos::expr::{ParseExprError, Report};
use limbforge::limb::io::RecordError;
#[cfg(feature = "gpu")]
use limbforge_gpu::{Arch, GpuError, NvrtcError, TuningError, Version};
#[cfg(feature = "gpu")]
use limbforge_kernels_gen::SpecError;

#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The arguments of a command contradict each other.
    #[error("{why} (see `limbforge {command} --help`)")]
    Usage { command: &'static str, why: String },
    /// The specification has no kernel.
    #[cfg(feature = "gpu")]
    #[error("no kernel: {0}")]
    Spec(#[from] SpecError),
    /// An engine refuses what is asked of it.
    #[error("{0}")]
    Engine(String),
    /// A number that is no field's modulus.
    #[error("{0}")]
    Field(String),
    /// nvrtc is missing, or does not compile.
    #[cfg(feature = "gpu")]
    #[error("{}", nvrtc_line(.0))]
    Nvrtc(#[from] NvrtcError),
    /// ptxas does not say what a kernel takes.
    #[cfg(feature = "gpu")]
    #[error(
        "nvrtc {version} does not say what the kernel takes for {arch}: install another version of nvrtc"
    )]
    Usageless { version: Version, arch: Arch },
    /// The expression of the command line is none, or does not fit the type; on several lines.
    #[error("{0}")]
    InExpression(Box<Report>),
    /// An expression of our own is none.
    #[error("expression:1: {0}")]
    Expression(#[from] ParseExprError),
    /// The expression and the files do not go together.
    #[error("expression:1: {0}")]
    Evaluation(#[from] EvalError),
    /// A line or record is wrong.
    #[error("{}:{number}: {source}{hint}", path.display())]
    Record { path: PathBuf, number: u64, source: RecordError, hint: &'static str },
    /// An operation that has no result for an instance.
    #[error("{}{number}: {reason}", path.as_ref().map_or_else(|| "line ".to_owned(), |path| format!("{}:", path.display())))]
    Instance { path: Option<PathBuf>, number: u64, reason: String },
    /// A file without integers.
    #[error("{}:1: expected at least one integer, found none", path.display())]
    EmptyFile { path: PathBuf },
    /// A file that ends before another one.
    #[error(
        "{}:{number}: expected another integer, found the end of the file: {} goes on; files must have the same \
         number of integers, or one, which is used for all",
        path.display(),
        longer.display()
    )]
    Count { path: PathBuf, number: u64, longer: PathBuf },
    /// A line that is no polynomial, or one that cannot be computed with.
    #[error("{}:{number}: {why}", path.display())]
    Polynomial { path: PathBuf, number: u64, why: String },
    /// A file of polynomials that ends before another one.
    #[error(
        "{}:{number}: expected another polynomial, found the end of the file: {} goes on; files must have the same \
         number of lines, or one, which is used for all",
        path.display(),
        longer.display()
    )]
    PolynomialCount { path: PathBuf, number: u64, longer: PathBuf },
    /// A GPU is missing, or fails.
    #[cfg(feature = "gpu")]
    #[error("{}", gpu_line(.0))]
    Gpu(#[from] GpuError),
    /// Kernels and the CPU backend contradict each other.
    #[error("{0}")]
    Internal(String),
    /// The file of measurements cannot be used.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// The selftest has nothing to do.
    #[error("no kernel of the selftest has `{filter}` in its name: expected a part, as in `mul u64 u4096`")]
    NoCases { filter: String },
    /// The selftest could not go on.
    #[error("{case}: {source}")]
    SelftestStopped { case: String, source: Box<CliError> },
    /// A case of the selftest does not end.
    #[error(
        "{case}: not done after {seconds} s; if it is only slow, give it more with --timeout, else please report this"
    )]
    SelftestTimeout { case: String, seconds: u64 },
    /// Results of the GPU are not those of the CPU backend.
    #[error("{failed} of {of} kernels do not give the results of the CPU backend; please report this")]
    Selftest { failed: usize, of: usize },
    /// Random expressions have no kernels, or kernels that do not compile.
    #[error("{failed} of {of} random expressions have no kernels that compile; please report this")]
    Uncompiled { failed: usize, of: usize },
    /// A result that is to be timed is wrong.
    #[error(
        "{spec}: instance {instance} is not what the CPU backend computes; nothing was timed, please report this"
    )]
    BenchDiffers { spec: String, instance: usize },
    /// A result of the CPU backend that is to be timed is wrong.
    #[error(
        "{spec}: instance {instance} is not what num-bigint computes; nothing was timed, please report this"
    )]
    CpuDiffers { spec: String, instance: usize },
    /// Plans choose what is too slow.
    #[error(
        "in {slow} of {of} cases plans choose what is too slow: run `limbforge tune` for this GPU, and report it if that does not help"
    )]
    Slow { slow: usize, of: usize },
    /// A chart that cannot be drawn.
    #[error("no chart: {0}; please report this")]
    Chart(String),
    /// A file cannot be opened, read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    File { path: PathBuf, action: &'static str, source: io::Error },
}

impl CliError {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage { .. } => ExitCode::from(2),
            #[cfg(feature = "gpu")]
            Self::Nvrtc(NvrtcError::Architecture { .. }) => ExitCode::from(2),
            _ => ExitCode::FAILURE,
        }
    }
}

/// A GPU's failure on one line.
#[cfg(feature = "gpu")]
fn gpu_line(error: &GpuError) -> String {
    match error {
        GpuError::Nvrtc(error) => nvrtc_line(error),
        _ => error.to_string(),
    }
}

/// Why an engine computes nothing, or computes it on the CPU, on one line.
pub fn engine_line(error: &EngineError) -> String {
    match error {
        #[cfg(feature = "gpu")]
        EngineError::Gpu(error) => gpu_line(error),
        _ => error.to_string(),
    }
}

/// nvrtc's failure on one line. A kernel of ours that it refuses is a defect of ours.
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
            error => Self::Engine(error.to_string()),
        }
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use std::error::Error;

    use limbforge_gpu::{Nvrtc, Target};
    use limbforge_needs::needs;

    use super::*;

    /// However an error of nvrtc's comes here, it is the same line.
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
