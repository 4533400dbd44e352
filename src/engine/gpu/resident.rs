//! Integers that stay in a GPU's memory.

use std::sync::Arc;

use limbforge_algos::expr::{Expr, NodeId};
use limbforge_gpu::DeviceBuffer;
use limbforge_kernels_gen::ProgramSpec;
use limbforge_limb::Base;

use super::set::Gpus;
use super::{Gpu, Loaded};
use crate::engine::error::EngineError;

/// The limbs of a batch in the memory of one GPU, and which of its instances have no result.
#[derive(Clone, Debug)]
pub(in crate::engine) struct GpuBatch {
    pub(super) gpus: Arc<Gpus>,
    pub(super) member: usize,
    pub(super) limbs: Arc<DeviceBuffer>,
    /// A word of 32 bits for each instance that is not 0 if it has no result; None if all have one.
    pub(super) marks: Option<Arc<DeviceBuffer>>,
}

impl GpuBatch {
    /// A copy of limbs in the memory of the member of this number, of those that are left.
    pub(in crate::engine) fn upload<B: Base>(
        gpus: &Arc<Gpus>,
        place: usize,
        limbs: &[B],
    ) -> Result<Self, EngineError> {
        let present = gpus.present();
        let member = present[place % present.len()];
        let limbs = Arc::new(gpus.member(member).device.upload(bytemuck::cast_slice::<B, u8>(limbs))?);
        Ok(Self { gpus: gpus.clone(), member, limbs, marks: None })
    }

    /// A copy of limbs beside this batch, of instances of which these have no result.
    pub(in crate::engine) fn upload_beside<B: Base>(
        &self,
        limbs: &[B],
        instances: usize,
        failed: &[usize],
    ) -> Result<Self, EngineError> {
        let device = &self.gpu().device;
        let mut marks = vec![0_u32; instances];
        failed.iter().for_each(|&instance| marks[instance] = 1);
        let marks = if failed.is_empty() { None } else { Some(Arc::new(device.upload(&marks)?)) };
        let limbs = Arc::new(device.upload(bytemuck::cast_slice::<B, u8>(limbs))?);
        Ok(Self { gpus: self.gpus.clone(), member: self.member, limbs, marks })
    }

    /// Copies the limbs out, after everything that was started before.
    pub(in crate::engine) fn download<B: Base>(&self, limbs: &mut [B]) -> Result<(), EngineError> {
        Ok(self.limbs.copy_to(bytemuck::cast_slice_mut::<B, u8>(limbs))?)
    }

    /// The instances of N that have no result, after everything that was started before.
    pub(in crate::engine) fn failed(&self, instances: usize) -> Result<Vec<usize>, EngineError> {
        let Some(buffer) = &self.marks else { return Ok(vec![]) };
        let mut marks = vec![0_u32; instances];
        buffer.copy_to(&mut marks)?;
        Ok((0..instances).filter(|&instance| marks[instance] != 0).collect())
    }

    /// Waits for everything that was started on its GPU.
    pub(in crate::engine) fn wait(&self) -> Result<(), EngineError> {
        Ok(self.gpu().device.synchronize()?)
    }

    pub(in crate::engine) const fn gpus(&self) -> &Arc<Gpus> {
        &self.gpus
    }

    pub(in crate::engine) fn device_name(&self) -> String {
        let info = self.gpu().device.info();
        format!("GPU {} ({})", info.ordinal, info.name)
    }

    /// Whether another batch is in the same memory.
    pub(in crate::engine) fn is_beside(&self, other: &Self) -> bool {
        self.gpus.is_same(&other.gpus) && self.member == other.member
    }

    pub(super) fn gpu(&self) -> &Gpu {
        self.gpus.member(self.member)
    }
}

impl Gpus {
    /// The names of all members, or of the one that another set has opened, too.
    pub(in crate::engine) fn named_as(&self, batch: &GpuBatch) -> String {
        let ordinal = |gpu: &Gpu| gpu.device.info().ordinal;
        let is_here = |&i: &usize| ordinal(self.member(i)) == ordinal(batch.gpu());
        match self.present().iter().any(is_here) {
            true => batch.device_name(),
            false => self.name().to_owned(),
        }
    }
}

impl Loaded {
    /// Starts the kernels on operands that lie in the memory of one GPU of this set, and returns at once: a
    /// batch for each root of the graph. Results of instances that have none are not defined.
    pub(in crate::engine) fn run_resident(
        &self,
        operands: &[&GpuBatch],
        instances: usize,
    ) -> Result<Vec<GpuBatch>, EngineError> {
        let instances = instances as u64;
        let (member, program) = self.program_of(operands.first().map(|batch| batch.member), instances)?;
        let (gpu, program) = (self.gpus().member(member), &*program);
        let mut scratch = gpu.device.scratch(program, instances)?;
        let mut earlier = vec![];
        for (batch, input) in operands.iter().zip(&self.spec().inputs) {
            if !input.broadcast {
                earlier.extend(&batch.marks);
            } else if !batch.failed(1)?.is_empty() {
                return Err(EngineError::FailedOperand { operand: input.name.clone() });
            }
        }
        let earlier = gpu.union(earlier.into_iter(), instances)?;
        let outputs = &program.footprint().outputs;
        if let Some(earlier) = &earlier
            && outputs.len() == 1
            && program.marks()
            && let Some(marks) = scratch.keep_marks()
        {
            gpu.or([earlier, earlier], marks, instances)?;
        }
        let alloc = |bytes: &u64| gpu.device.alloc(bytes.saturating_mul(instances));
        let mut limbs = outputs.iter().map(alloc).collect::<Result<Vec<_>, _>>()?;
        let inputs: Vec<&DeviceBuffer> = operands.iter().map(|batch| &*batch.limbs).collect();
        let mut written: Vec<&mut DeviceBuffer> = limbs.iter_mut().collect();
        gpu.device.run_program_to(program, &inputs, &scratch, &mut written, instances)?;
        let marks = scratch.into_marks().map(Arc::new);
        let marks = match &marks {
            Some(marks) if limbs.len() > 1 => self.marks_of_roots(gpu, marks, earlier.as_ref(), instances)?,
            _ => vec![marks.or(earlier); limbs.len()],
        };
        let batch =
            |(limbs, marks)| GpuBatch { gpus: self.gpus().clone(), member, limbs: Arc::new(limbs), marks };
        Ok(limbs.into_iter().zip(marks).map(batch).collect())
    }

    /// The marks of each result, from words with a bit for each of several results.
    fn marks_of_roots(
        &self,
        gpu: &Gpu,
        marks: &Arc<DeviceBuffer>,
        earlier: Option<&Arc<DeviceBuffer>>,
        instances: u64,
    ) -> Result<Vec<Option<Arc<DeviceBuffer>>>, EngineError> {
        let ProgramSpec { dag, ty, .. } = self.spec();
        let fails = |id: &NodeId| dag.nodes()[id.index()].op.may_fail(ty.is_signed());
        let failing: Vec<NodeId> = dag.ids().filter(fails).collect();
        let (marked, bits) =
            (Expr::input("a"), |root: usize| (Expr::input("a") >> root as u32) & Expr::literal(1));
        let of_root = |(place, &root): (usize, &NodeId)| {
            let needed = dag.needed_for(root);
            let of_own = failing.iter().filter(|id| needed[id.index()]).count();
            if of_own == 0 {
                return Ok(earlier.cloned());
            }
            // Where all that fails fails this result, it is lacking wherever any is.
            let own = if of_own == failing.len() { marked.clone() } else { bits(place) };
            let (words, all) = match earlier {
                Some(earlier) => (vec![&**marks, &**earlier], own | Expr::input("b")),
                None if of_own == failing.len() => return Ok(Some(marks.clone())),
                None => (vec![&**marks], own),
            };
            let mut of_root = gpu.device.alloc(4 * instances)?;
            gpu.of_words(&all, &words, &mut of_root, instances)?;
            Ok(Some(Arc::new(of_root)))
        };
        dag.roots().iter().enumerate().map(of_root).collect()
    }
}
