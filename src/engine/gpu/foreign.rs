//! Batches in memory of a GPU that others have allocated, and memory that is given to others.
#![allow(unsafe_code, reason = "callers vouch for foreign memory")]

use std::any::Any;
use std::sync::Arc;

use limbforge_algos::expr::Expr;
use limbforge_gpu::cudarc::driver::{CudaSlice, CudaStream};
use limbforge_gpu::{DeviceBuffer, GpuError, RawMemory};
use limbforge_kernels_gen::{InputSpec, LimbKind, Product, ProgramSpec, Target};
use limbforge_limb::{Base, IntType, Layout};

use super::pinned::bytes_of;
use super::resident::GpuBatch;
use super::set::Gpus;
use crate::engine::error::EngineError;

/// Type, layout and number of the integers that lie in foreign memory.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Content {
    pub(in crate::engine) ty: IntType,
    pub(in crate::engine) layout: Layout,
    pub(in crate::engine) instances: usize,
}

impl GpuBatch {
    /// A batch in a slice of cudarc's.
    pub(in crate::engine) fn adopt<B: Base>(
        gpus: &Arc<Gpus>,
        slice: CudaSlice<B>,
        content: Content,
    ) -> Result<Self, EngineError> {
        let place = gpus.place(|i| gpus.member(i).device.has(&slice));
        content.check::<B>("the CudaSlice", slice.num_bytes() as u64)?;
        let buffer = gpus.member(place).device.adopt(slice)?;
        content.batch::<B>(gpus, place, buffer)
    }

    /// A batch in memory that is freed when the keeper is dropped.
    ///
    /// # Safety
    /// That of [`Device::adopt_raw`](limbforge_gpu::Device::adopt_raw).
    pub(in crate::engine) unsafe fn adopt_raw<B: Base>(
        gpus: &Arc<Gpus>,
        memory: RawMemory,
        keeper: Arc<dyn Any + Send + Sync>,
        content: Content,
    ) -> Result<Self, EngineError> {
        let place = gpus.place(|i| gpus.member(i).device.info().ordinal == memory.ordinal);
        content.check::<B>("the memory", memory.bytes)?;
        // SAFETY: the caller vouches for it.
        let buffer = unsafe { gpus.member(place).device.adopt_raw(memory, keeper) }?;
        content.batch::<B>(gpus, place, buffer)
    }

    /// The limbs as a slice of cudarc's; a copy if they are shared.
    pub(in crate::engine) fn into_cuda_slice<B: Base>(self) -> Result<CudaSlice<B>, EngineError> {
        let buffer = match Arc::try_unwrap(self.limbs) {
            Ok(buffer) => buffer,
            Err(shared) => shared.try_clone()?,
        };
        Ok(buffer.into_cuda_slice()?)
    }

    pub(in crate::engine) fn as_raw(&self) -> RawMemory {
        self.limbs.as_raw()
    }

    pub(in crate::engine) fn stream(&self) -> &Arc<CudaStream> {
        self.gpu().device.stream()
    }
}

impl Gpus {
    /// The first member that fits of those that are left, or the first of them.
    fn place(&self, fits: impl Fn(usize) -> bool) -> usize {
        let present = self.present();
        present.iter().copied().find(|&i| fits(i)).unwrap_or(present[0])
    }
}

impl Content {
    fn check<B: Base>(&self, what: &str, found: u64) -> Result<(), EngineError> {
        match bytes_of::<B>(self.ty, self.instances)? as u64 {
            expected if expected <= found => Ok(()),
            expected => Err(GpuError::Size { what: what.to_owned(), expected, found }.into()),
        }
    }

    /// The batch in a buffer; in a copy if instances may have bits above the width, which are cleared there.
    fn batch<B: Base>(
        &self,
        gpus: &Arc<Gpus>,
        place: usize,
        buffer: DeviceBuffer,
    ) -> Result<GpuBatch, EngineError> {
        let all = IntType::limbs::<B>(self.ty) * B::BITS as usize;
        let unused = all - self.ty.bits() as usize;
        let limbs = match (unused, self.instances) {
            (0, _) | (_, 0) => buffer,
            _ => self.cleared::<B>(gpus, place, &buffer, (all, unused))?,
        };
        Ok(GpuBatch { gpus: gpus.clone(), member: place, limbs: Arc::new(limbs), marks: None })
    }

    fn cleared<B: Base>(
        &self,
        gpus: &Gpus,
        place: usize,
        buffer: &DeviceBuffer,
        (all, unused): (usize, usize),
    ) -> Result<DeviceBuffer, EngineError> {
        let (gpu, instances) = (gpus.member(place), self.instances as u64);
        let program = gpu.program(&ProgramSpec {
            dag: without_top_bits(unused).to_dag(),
            ty: IntType::unsigned(all as u64)
                .map_err(|why| EngineError::Internal { what: why.to_string() })?,
            limb: LimbKind::of_any::<B>()?,
            inputs: vec![InputSpec::integers("a", self.layout, false)],
            output: self.layout,
            product: Product::Auto,
            target: Target::Cuda,
        })?;
        let mut cleared = gpu.device.alloc(program.footprint().outputs[0].saturating_mul(instances))?;
        let scratch = gpu.device.scratch(&program, instances)?;
        gpu.device.run_program(&program, &[buffer], &scratch, &mut cleared, instances)?;
        Ok(cleared)
    }
}

/// The integers without so many of their highest bits.
fn without_top_bits(count: usize) -> Expr {
    let count = || Expr::literal(count);
    (Expr::input("a") << count()) >> count()
}

#[cfg(test)]
mod tests {
    use limbforge_limb::Batch;

    use super::*;
    use crate::Engine;

    #[test]
    fn bits_above_the_width_are_cleared() {
        for unused in [1, 7, 31, 63] {
            let ones = Batch::from_limbs(
                IntType::unsigned(192).unwrap(),
                Layout::InstanceMajor,
                vec![5, 0, u64::MAX, u64::MAX, u64::MAX, u64::MAX],
            );
            let found = Engine::cpu().eval(&without_top_bits(unused), &[("a", &ones.unwrap())]).unwrap();
            let top = u64::MAX >> unused;
            assert_eq!(found.limbs(), [5, 0, top, u64::MAX, u64::MAX, top]);
        }
    }
}
