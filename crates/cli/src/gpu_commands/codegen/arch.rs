//! The architecture that kernels are for.

use limbforge_cli::gpu::kernels;
use limbforge_gpu::Arch;
use limbforge_kernels_gen::Multiprocessor;

use super::arguments::CodegenArguments;
use crate::error::CliError;

/// The architecture of everything but reports, unless another is asked for.
pub(super) const DEFAULT_ARCH: Arch = Arch::new(9, 0);

/// The one architecture that is asked for.
pub(super) fn arch(arguments: &CodegenArguments) -> Result<Arch, CliError> {
    match arguments.archs.as_slice() {
        [] => Ok(DEFAULT_ARCH),
        [arch] => Ok(*arch),
        _ => Err(wrong_usage("several `--arch` need --emit report: expected one".to_owned())),
    }
}

pub(super) fn multiprocessor(arch: Arch) -> Result<Multiprocessor, CliError> {
    kernels::multiprocessor("codegen", "--arch", arch)
}

pub(super) fn wrong_usage(why: String) -> CliError {
    CliError::Usage { command: "codegen", why }
}
