//! `limbforge-lab bench`: times of kernels beside the memory floor, or of the CPU backend.

mod arguments;
mod cpu;
mod kernels;
mod ntt;
mod programs;
mod report;
mod row;
mod vector_add;
mod what;

use limbforge_cli::gpu::kernels::Gpu;

pub(crate) use self::arguments::BenchArguments;
use self::arguments::Where;
use self::report::Report;
use self::what::What;
use crate::{error::LabError, operations::Group, setting::Setting};

pub(crate) fn run(arguments: &BenchArguments) -> Result<(), LabError> {
    let commit = arguments.commit.as_deref();
    match arguments.backend {
        Where::Cpu => {
            cpu::refuse_kernels(&arguments.what)?;
            let mut report = Report::begin(arguments, Setting::of_cpu(commit))?;
            cpu::measure(arguments, &mut report)?;
            report.finish()
        }
        Where::Gpu(gpu) => {
            let gpu = Gpu::open(gpu)?;
            let mut report = Report::begin(arguments, Setting::of_gpu(commit, &gpu))?;
            if !matches!(arguments.what, What::Group(Group::Ntt | Group::Programs | Group::Loops)) {
                kernels::measure(arguments, &gpu, &mut report)?;
            }
            if matches!(arguments.what, What::Group(Group::Ntt | Group::All)) {
                ntt::measure(arguments, &gpu, &mut report)?;
            }
            if arguments.what == What::Group(Group::Programs) {
                programs::measure(arguments, &gpu, &mut report)?;
            }
            if arguments.what == What::Group(Group::Loops) {
                programs::measure_loops(arguments, &gpu, &mut report)?;
            }
            report.finish()
        }
    }
}
