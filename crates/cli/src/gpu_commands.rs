//! Commands that need kernels: there are none without the feature `gpu`.

mod codegen;
mod doctor;
mod plan;
mod selftest;
mod tune;
mod warm;

use clap::Subcommand;

use crate::error::CliError;

#[derive(Debug, Subcommand)]
pub(crate) enum GpuCommand {
    #[command(about = "Show how an expression would be computed on a GPU, and why")]
    Plan(plan::PlanArguments),
    #[command(about = "Print the CUDA source, PTX, CUBIN or resource use of an expression's kernels")]
    Codegen(codegen::CodegenArguments),
    #[command(about = "Report which GPU prerequisites were found, and what to install")]
    Doctor(doctor::DoctorArguments),
    #[command(about = "Measure which algorithms are fastest on this GPU, for later runs")]
    Tune(tune::TuneArguments),
    #[command(about = "Compile the kernels of expressions, for later runs")]
    Warm(warm::WarmArguments),
    #[command(about = "Check every family of kernels on a GPU against the CPU backend")]
    Selftest(selftest::SelftestArguments),
}

impl GpuCommand {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match self {
            Self::Plan(arguments) => plan::run(arguments),
            Self::Codegen(arguments) => codegen::run(arguments),
            Self::Doctor(arguments) => doctor::run(arguments),
            Self::Tune(arguments) => tune::run(arguments),
            Self::Warm(arguments) => warm::run(arguments),
            Self::Selftest(arguments) => selftest::run(arguments),
        }
    }
}
