//! Resident batches in memory of others, and in the hands of others.
#![allow(unsafe_code, reason = "callers vouch for foreign memory")]

use std::any::Any;
use std::sync::Arc;

use limbforge_gpu::RawMemory;
use limbforge_gpu::cudarc::driver::{CudaSlice, CudaStream};
use limbforge_limb::{Base, IntType, Layout};

use super::gpu::{Content, GpuBatch, Gpus};
use super::resident::Memory;
use super::{DeviceBatch, Engine, EngineError};

/// Memory of others (with the feature `gpu`).
impl<B: Base> DeviceBatch<B> {
    /// The batch in a slice of cudarc's, which is the instances' limbs in this layout; limbs beyond them are
    /// left alone. No instance has failed.
    ///
    /// What was started on the slice comes before what the engine starts on the batch; the slice is freed
    /// behind that. The batch lies in the slice. But if the width is no multiple of the limb's, it lies in a
    /// copy on the GPU, where bits above the width are cleared.
    ///
    /// ```no_run
    /// use limbforge::gpu::cudarc::driver::CudaContext;
    /// use limbforge::prelude::*;
    ///
    /// let engine = Engine::gpu(0)?;
    /// let stream = CudaContext::new(0)?.new_stream()?;
    /// let slice = stream.clone_htod(&[3_u64, 0, 4, 0])?; // or the result of a kernel
    /// let a = DeviceBatch::from_cuda_slice(&engine, slice, "u128".parse()?, Layout::InstanceMajor, 2)?;
    /// let square = engine.prepare::<u64>(&Expr::parse("a*a")?, a.ty(), &Placement::default())?;
    /// let squares = square.run(&[("a", &a)])?.into_cuda_slice()?;
    /// assert_eq!(stream.clone_dtoh(&squares)?, [9, 0, 16, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::NotOnGpu`] for an engine on the CPU; [`EngineError::Gpu`] with
    /// [`GpuError::Size`](limbforge_gpu::GpuError::Size) if the slice is too short, and with
    /// [`GpuError::Foreign`](limbforge_gpu::GpuError::Foreign) if it belongs to a GPU that the engine does
    /// not have, or to another context than the primary one, or begins at an address that is no multiple of
    /// 16.
    pub fn from_cuda_slice(
        engine: &Engine,
        slice: CudaSlice<B>,
        ty: IntType,
        layout: Layout,
        instances: usize,
    ) -> Result<Self, EngineError> {
        let content = Content { ty, layout, instances };
        let memory = Memory::Gpu(GpuBatch::adopt(gpus(engine)?, slice, content)?);
        Ok(Self { ty, layout, instances, memory })
    }

    /// The limbs as a slice of cudarc's: the one that the batch was made of, else the batch's own memory, in
    /// its [`stream`](Self::stream); a copy on the GPU if other batches share the memory or it has a keeper.
    /// What other streams do with the slice, through cudarc, comes after what was started on the batch.
    ///
    /// # Errors
    /// [`EngineError::NotOnGpu`], [`EngineError::Failed`] if an instance has no result (where that may be,
    /// this waits for what computes the batch), and [`EngineError::Gpu`].
    pub fn into_cuda_slice(self) -> Result<CudaSlice<B>, EngineError> {
        if let Some(&first) = self.failed()?.first() {
            return Err(EngineError::Failed { first, count: self.failed()?.len() });
        }
        match self.memory {
            Memory::Gpu(gpu) => gpu.into_cuda_slice(),
            Memory::Cpu { .. } => Err(EngineError::NotOnGpu { what: "the batch" }),
        }
    }

    /// The batch in memory of a GPU that somebody else has allocated, of which PyTorch's or CuPy's arrays are
    /// made: `__cuda_array_interface__` and DLPack have the fields of [`RawMemory`]. No instance has failed.
    ///
    /// `keeper` keeps the memory allocated. It is dropped with the last clone of the batch, after a wait for
    /// what was started on the GPU. The engine waits for `memory.stream` before it reads the memory. If the
    /// width is no multiple of the limb's, the batch lies in a copy, where bits above the width are cleared.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    /// use limbforge::gpu::RawMemory;
    /// use limbforge::prelude::*;
    ///
    /// # fn example(array: Array) -> Result<(), Box<dyn std::error::Error>> {
    /// let engine = Engine::gpu(0)?;
    /// let array = Arc::new(array); // 1000 integers of 256 bits
    /// let (pointer, stream) = (array.pointer, Some(array.stream));
    /// let memory = RawMemory { ordinal: 0, pointer, bytes: 32_000, stream };
    /// // SAFETY: nobody writes to the array while the batch lives, and `array` frees it when it is dropped.
    /// let a = unsafe {
    ///     DeviceBatch::<u64>::from_raw(&engine, memory, array, "u256".parse()?, Layout::InstanceMajor, 1000)
    /// }?;
    /// # Ok(())
    /// # }
    /// # struct Array { pointer: u64, stream: usize }
    /// ```
    ///
    /// # Safety
    /// All bytes of the memory must be allocated on its GPU while `keeper` lives, for the primary context,
    /// and be written by nobody while the batch lives. The stream must be one of this context.
    ///
    /// # Errors
    /// As [`from_cuda_slice`](Self::from_cuda_slice), and
    /// [`GpuError::Foreign`](limbforge_gpu::GpuError::Foreign) for memory of the machine.
    pub unsafe fn from_raw(
        engine: &Engine,
        memory: RawMemory,
        keeper: Arc<dyn Any + Send + Sync>,
        ty: IntType,
        layout: Layout,
        instances: usize,
    ) -> Result<Self, EngineError> {
        let content = Content { ty, layout, instances };
        // SAFETY: the caller vouches for the memory.
        let batch = unsafe { GpuBatch::adopt_raw::<B>(gpus(engine)?, memory, keeper, content) };
        Ok(Self { ty, layout, instances, memory: Memory::Gpu(batch?) })
    }

    /// Where the limbs lie, for the kernels of others to read: they are there when the work so far of
    /// [`stream`](Self::stream), which is named here, is done. Limbs of instances without a result are not
    /// defined.
    ///
    /// Keep the batch until the reading is done, or make its stream wait for yours before you drop it.
    ///
    /// ```no_run
    /// use limbforge::gpu::cudarc::driver::CudaContext;
    /// use limbforge::prelude::*;
    ///
    /// let engine = Engine::gpu(0)?;
    /// let a: Batch<u64> = [3_u8, 4].into_iter().map(U256::from).collect();
    /// let batch = engine.upload(&a)?;
    /// let yours = CudaContext::new(0)?.new_stream()?;
    /// yours.join(batch.stream()?)?; // yours begins when the batch is there
    /// let pointer = batch.as_raw()?.pointer;
    /// // ... start kernels in `yours` that read 64 bytes at `pointer` ...
    /// batch.stream()?.join(&yours)?; // the memory is freed when they are done
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::NotOnGpu`].
    pub fn as_raw(&self) -> Result<RawMemory, EngineError> {
        Ok(self.on_gpu()?.as_raw())
    }

    /// The stream in which the batch is computed and freed, as is everything resident on its GPU by the same
    /// engine: one piece of work after the other. Events order it and the streams of others:
    ///
    /// ```no_run
    /// use limbforge::gpu::cudarc::driver::CudaStream;
    /// use limbforge::prelude::*;
    ///
    /// # fn example(batch: &DeviceBatch<u64>, yours: &CudaStream) -> Result<(), Box<dyn std::error::Error>> {
    /// let computed = batch.stream()?.record_event(None)?; // all that was started so far
    /// yours.wait(&computed)?;
    /// let read = yours.record_event(None)?;
    /// batch.stream()?.wait(&read)?; // what is started from now on comes after `read`
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`EngineError::NotOnGpu`].
    pub fn stream(&self) -> Result<&Arc<CudaStream>, EngineError> {
        Ok(self.on_gpu()?.stream())
    }

    fn on_gpu(&self) -> Result<&GpuBatch, EngineError> {
        self.gpu().ok_or(EngineError::NotOnGpu { what: "the batch" })
    }
}

fn gpus(engine: &Engine) -> Result<&Arc<Gpus>, EngineError> {
    engine.backend.gpu().ok_or(EngineError::NotOnGpu { what: "the engine" })
}
