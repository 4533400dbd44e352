//! The device that is planned for.

use limbforge_gpu::{Arch, GpuError, devices};
use limbforge_kernels_gen::{Limits, Planner};

use crate::args::GpuArgument;
use crate::error::CliError;
use limbforge_cli::gpu::kernels::{multiprocessor, planner};

pub(super) struct Place {
    pub(super) arch: Arch,
    /// The GPU's name, if it is one of this machine.
    pub(super) gpu: Option<String>,
    pub(super) limits: Limits,
    pub(super) planner: Planner,
}

impl Place {
    /// The GPU of this machine if one is named, else any GPU of the architecture.
    pub(super) fn of(arch: Arch, backend: Option<GpuArgument>) -> Result<Self, CliError> {
        let Some(GpuArgument(ordinal)) = backend else {
            let limits = multiprocessor("plan", "--arch", arch)?.limits;
            return Ok(Self { arch, gpu: None, limits, planner: Planner::new(arch.number()) });
        };
        let mut devices = devices()?;
        if ordinal >= devices.len() {
            return Err(GpuError::Ordinal { asked: ordinal, found: devices.len() }.into());
        }
        let info = devices.swap_remove(ordinal);
        let (limits, planner) = (info.limits(), planner(&info));
        Ok(Self { arch: info.arch, limits, gpu: Some(info.name), planner })
    }

    pub(super) fn name(&self) -> String {
        self.gpu.as_ref().map_or_else(|| self.arch.to_string(), |gpu| format!("{gpu}, {}", self.arch))
    }
}
