//! Batches that are computed from nothing where an engine computes.

use core::ops::Range;

use limbforge_algos::fill::{Fill, FillError};
use limbforge_limb::num_bigint::BigInt;
use limbforge_limb::{Base, BatchError, IntType, Layout};

use super::gpu::GpuBatch;
use super::resident::Memory;
use super::{DeviceBatch, Engine, EngineError};

impl Engine {
    /// N zeros where this engine computes.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let zeros = Engine::auto().zeros::<u64>("u256".parse()?, Layout::InstanceMajor, 3)?;
    /// assert_eq!(zeros.download()?.to_u64s()?, [0, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`fill`](Self::fill).
    pub fn zeros<B: Base>(
        &self,
        ty: IntType,
        layout: Layout,
        instances: usize,
    ) -> Result<DeviceBatch<B>, EngineError> {
        self.fill(&Fill::ZERO, ty, layout, 0..instances as u64)
    }

    /// N times one integer where this engine computes.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let ones = Engine::auto().constant::<u32>("i131".parse()?, Layout::Interleaved, 3, -1)?;
    /// assert_eq!(ones.download()?.to_bigints()[2], (-1).into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`fill`](Self::fill).
    pub fn constant<B: Base>(
        &self,
        ty: IntType,
        layout: Layout,
        instances: usize,
        value: impl Into<BigInt>,
    ) -> Result<DeviceBatch<B>, EngineError> {
        self.fill(&Fill::Constant(value.into()), ty, layout, 0..instances as u64)
    }

    /// The integers `start + i * step` modulo `2^bits`, i from 0 to N - 1, where this engine computes: the
    /// candidates of a search, for example. `start` is of the type, `step` is any integer.
    ///
    /// ```
    /// use limbforge::prelude::*;
    ///
    /// let (engine, ty) = (Engine::auto(), "u128".parse()?);
    /// let odd = engine.counter::<u64>(ty, Layout::InstanceMajor, 50, 1, 2)?; // 1, 3, ... 99
    /// let is_prime = engine.prepare::<u64>(&Expr::parse("is_prime(n)")?, ty, &Placement::default())?;
    /// let found = is_prime.run(&[("n", &odd)])?.download()?;
    /// assert_eq!(found.to_u64s()?.iter().sum::<u64>(), 24);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`fill`](Self::fill).
    pub fn counter<B: Base>(
        &self,
        ty: IntType,
        layout: Layout,
        instances: usize,
        start: impl Into<BigInt>,
        step: impl Into<BigInt>,
    ) -> Result<DeviceBatch<B>, EngineError> {
        self.fill(&Fill::counter(start, step), ty, layout, 0..instances as u64)
    }

    /// N uniform random integers where this engine computes: unsigned ones below `2^bits`, signed ones from
    /// all of their type. A seed gives the same integers on every device, in every limb and layout, by
    /// [Philox4x32-10](Fill::Random).
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let (engine, ty) = (Engine::auto(), "u1000".parse()?);
    /// let here = engine.random::<u64>(ty, Layout::InstanceMajor, 1000, 42)?.download()?;
    /// let there = Engine::cpu().random::<u32>(ty, Layout::Interleaved, 1000, 42)?.download()?;
    /// assert_eq!(here.to_biguints(), there.to_biguints());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`fill`](Self::fill).
    pub fn random<B: Base>(
        &self,
        ty: IntType,
        layout: Layout,
        instances: usize,
        seed: u64,
    ) -> Result<DeviceBatch<B>, EngineError> {
        self.fill(&Fill::random(seed), ty, layout, 0..instances as u64)
    }

    /// The integers of a [`Fill`] with these numbers, computed where this engine computes, on its first GPU;
    /// like evaluations they are not waited for. Parts of a batch are equal to the whole, so that a large one
    /// is computed part by part.
    ///
    /// ```
    /// use limbforge::prelude::*;
    ///
    /// let (engine, ty) = (Engine::auto(), "u300".parse()?);
    /// let fill = Fill::Random { seed: 42, stream: 1 };
    /// let all = engine.fill::<u64>(&fill, ty, Layout::InstanceMajor, 0..1000)?.download()?;
    /// let part = engine.fill::<u64>(&fill, ty, Layout::InstanceMajor, 400..600)?.download()?;
    /// assert_eq!(part, all.slice(400..600));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Fill`] for a constant or a start that does not fit the type, or a batch that is too
    /// large to be addressed; [`EngineError::Gpu`] if the GPU has too little memory, or fails.
    pub fn fill<B: Base>(
        &self,
        fill: &Fill,
        ty: IntType,
        layout: Layout,
        numbers: Range<u64>,
    ) -> Result<DeviceBatch<B>, EngineError> {
        self.fill_at(0, fill, ty, layout, numbers)
    }

    /// Parts of the integers of a [`Fill`] on all GPUs, as many neighbouring integers on each, as
    /// [`scatter`](Self::scatter) places those of a batch; a single part of an engine with one GPU, or the
    /// CPU.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let (engine, ty) = (Engine::auto(), "u64".parse()?);
    /// let parts = engine.scatter_fill::<u64>(&Fill::counter(7, 1), ty, Layout::InstanceMajor, 0..1000)?;
    /// assert_eq!(DeviceBatch::gather(&parts)?.to_u64s()?[999], 1006);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`fill`](Self::fill).
    pub fn scatter_fill<B: Base>(
        &self,
        fill: &Fill,
        ty: IntType,
        layout: Layout,
        numbers: Range<u64>,
    ) -> Result<Vec<DeviceBatch<B>>, EngineError> {
        let parts = self.backend.gpu().map_or(1, |gpus| gpus.present().len()) as u64;
        let count = numbers.end.saturating_sub(numbers.start);
        let at = |part: u64| numbers.start + count / parts * part + (count % parts).min(part);
        (0..parts).map(|part| self.fill_at(part as usize, fill, ty, layout, at(part)..at(part + 1))).collect()
    }

    fn fill_at<B: Base>(
        &self,
        place: usize,
        fill: &Fill,
        ty: IntType,
        layout: Layout,
        numbers: Range<u64>,
    ) -> Result<DeviceBatch<B>, EngineError> {
        fill.check(ty)?;
        let instances = usize::try_from(numbers.end.saturating_sub(numbers.start)).unwrap_or(usize::MAX);
        let limbs_per_instance = ty.limbs::<B>();
        if instances.checked_mul(limbs_per_instance * B::BYTES).is_none() {
            return Err(FillError::from(BatchError::TooLarge { instances, limbs_per_instance }).into());
        }
        self.backend.run(
            &mut (),
            |gpus, ()| {
                let memory =
                    Memory::Gpu(GpuBatch::filled::<B>(gpus, place, fill, (ty, layout), numbers.clone())?);
                Ok(DeviceBatch { ty, layout, instances, memory })
            },
            // What a GPU refuses lies beside all else that is resident.
            |()| self.upload_to(place, &fill.batch(ty, layout, numbers.clone())?),
        )
    }
}
