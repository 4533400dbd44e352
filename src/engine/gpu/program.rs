//! Kernels of programs, loaded on GPUs.

use std::sync::Arc;

use limbforge_algos::program::TypedProgram;
use limbforge_gpu::{Device, GpuError, LoadedTape};
use limbforge_kernels_gen::program::{TapeInput, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, SequenceSpec, Target};
use limbforge_limb::Layout;

use super::loops::LoadedLoop;
use super::{Gpu, Gpus};
use crate::engine::error::EngineError;

/// Lists take at most this part of the memory.
const LIST_SHARE: u64 = 4;

/// The kernel of a program on a GPU.
#[derive(Debug)]
pub(in crate::engine) struct GpuTape {
    pub(in crate::engine) device: Device,
    pub(in crate::engine) loaded: Arc<LoadedTape>,
    /// The launches of each stage's loop, where residue number systems compute it.
    pub(super) loops: Vec<Option<LoadedLoop>>,
    /// Bytes that its memory may take.
    allowance: u64,
}

impl Gpus {
    /// The kernel of a program over batches of 64-bit limbs, instance by instance, of which some are one for
    /// all, on every GPU that is left: at least one. With the launches of some stages' loops.
    pub(in crate::engine) fn tapes(
        &self,
        program: &TypedProgram,
        one_for_all: &[bool],
        loops: &[Option<SequenceSpec<'_>>],
    ) -> Result<Vec<GpuTape>, EngineError> {
        let (limb, layout) = (LimbKind::of::<u64>(), Layout::InstanceMajor);
        let inputs = one_for_all.iter().map(|&one_for_all| TapeInput { limb, layout, one_for_all }).collect();
        let spec = TapeSpec {
            program,
            inputs,
            limb,
            output: layout,
            instances: None,
            target: Target::Cuda,
            emission: None,
        };
        let loaded = self.load(|gpu| {
            let (device, loaded) = (gpu.device.clone(), gpu.tape(&spec)?);
            let of_stage = |of: &Option<SequenceSpec<'_>>| match of {
                Some(of) => gpu.residue_loop(of, self.prefers_residue_loops()),
                None => Ok(None),
            };
            let loops = loops.iter().map(of_stage).collect::<Result<_, _>>()?;
            Ok(GpuTape { loaded, loops, allowance: self.allowance(&device)?, device })
        })?;
        Ok(loaded.into_iter().map(|(_, tape)| tape).collect())
    }
}

impl Gpu {
    /// The loaded kernel of a specification. Places are those of the very text: its spaces and comments count.
    fn tape(&self, spec: &TapeSpec<'_>) -> Result<Arc<LoadedTape>, EngineError> {
        Self::kept(&self.tapes, &format!("{spec}\n{}", spec.program.text()), || {
            Ok(self.device.load_tape(&self.compiler, spec, render(spec, &self.limits)?)?)
        })
    }
}

impl GpuTape {
    /// Bytes that the rows of lists may take.
    pub(in crate::engine) fn list_allowance(&self) -> u64 {
        match self.loaded.tape().lists[..] {
            [] => 0,
            _ => self.allowance / LIST_SHARE,
        }
    }

    /// Instances of a chunk: all of a share in whole blocks, or as many whole blocks as the memory holds.
    pub(in crate::engine) fn chunk(&self, share: usize, instances: usize) -> Result<usize, EngineError> {
        let bytes = |instances: u64| self.loaded.memory_bytes(instances);
        let (shared, of_one) = (bytes(0), bytes(1) - bytes(0));
        let fitting =
            self.allowance.saturating_sub(shared).saturating_sub(self.list_allowance()) / of_one.max(1);
        if fitting == 0 {
            return Err(GpuError::Allowance { allowance: self.allowance, least: bytes(1) }.into());
        }
        let fitting = usize::try_from(fitting).unwrap_or(usize::MAX);
        let block = self.loaded.kernel().geometry().instances as usize;
        let wanted = share.next_multiple_of(block).clamp(1, instances.max(1));
        if fitting >= wanted {
            return Ok(wanted);
        }
        Ok(if fitting > block { fitting / block * block } else { fitting })
    }
}
