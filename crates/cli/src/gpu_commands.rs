//! Commands that need kernels: there are none without the feature `gpu`.

mod codegen;
mod doctor;
mod plan;
mod selftest;
mod tune;

use clap::Subcommand;

use self::codegen::CodegenArguments;
use self::doctor::DoctorArguments;
use self::plan::PlanArguments;
use self::selftest::SelftestArguments;
use self::tune::TuneArguments;
use crate::error::CliError;

#[derive(Debug, Subcommand)]
pub(crate) enum GpuCommand {
    #[command(about = "Show how an expression would be computed on a GPU, and why")]
    Plan(PlanArguments),
    #[command(about = "Print the CUDA source, PTX, CUBIN or resource use of an expression's kernels")]
    Codegen(CodegenArguments),
    #[command(about = "Report which GPU prerequisites were found, and what to install")]
    Doctor(DoctorArguments),
    #[command(about = "Measure which algorithms are fastest on this GPU, for later runs")]
    Tune(TuneArguments),
    #[command(about = "Check every family of kernels on a GPU against the CPU backend")]
    Selftest(SelftestArguments),
}

impl GpuCommand {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match self {
            Self::Plan(arguments) => plan::run(arguments),
            Self::Codegen(arguments) => codegen::run(arguments),
            Self::Doctor(arguments) => doctor::run(arguments),
            Self::Tune(arguments) => tune::run(arguments),
            Self::Selftest(arguments) => selftest::run(arguments),
        }
    }
}
