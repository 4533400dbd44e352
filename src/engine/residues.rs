//! Residues modulo a prime that stay where an engine computes.

mod compute;
mod poly;
mod transform;

use std::sync::Arc;

use limbforge_algos::transform::ntt::{NttError, NttPlan, Wrap};
use limbforge_field::{DynField, Word};

use super::gpu::GpuBatch;
use super::{Engine, EngineError};

/// Residues in `0..p` of a prime field where an engine computes: in the memory of its first GPU, or in the
/// machine's for an engine that computes on the CPU. Clones share them.
///
/// [Transforms](Engine::transform_residues), [products value by value](Engine::mul_residues) and [products of
/// polynomials](Engine::poly_mul_residues) are started one after the other and not waited for, so that chains
/// of them never leave the GPU.
///
/// ```
/// use limbforge::algos::transform::ntt::{Direction, NttPlan, Wrap};
/// use limbforge::field::DynField;
/// use limbforge::prelude::*;
///
/// // Products of two pairs of polynomials modulo x^16 - 1.
/// let (engine, field) = (Engine::auto(), DynField::new(998_244_353)?);
/// let plan = NttPlan::new(16, Wrap::Cyclic)?;
/// let (mut a, mut b) = ([0_u32; 32], [0_u32; 32]);
/// (a[0], a[1], b[3]) = (5, 7, 1); // (5 + 7 x) x^3
/// (a[16 + 15], b[16 + 2]) = (1, 9); // x^15 9 x^2
/// let forward = |values: &[u32]| {
///     engine.transform_residues(&plan, Direction::Forward, &engine.upload_residues(&field, values)?)
/// };
/// let product = engine.mul_residues(&forward(&a)?, &forward(&b)?)?;
/// let product: Vec<u32> =
///     engine.transform_residues(&plan, Direction::Inverse, &product)?.download()?;
/// assert_eq!((product[3], product[4], product[16 + 1]), (5, 7, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeviceResidues {
    field: DynField,
    count: usize,
    memory: Memory,
}

#[derive(Clone, Debug)]
enum Memory {
    Cpu(Arc<Vec<u64>>),
    /// Words of 32 bits for p below 2^32, else of 64.
    Gpu(GpuBatch),
}

impl Engine {
    /// Copies residues of a field to where this engine computes.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    /// let residues = Engine::auto().upload_residues(&DynField::new(97)?, &[5_u32, 96])?;
    /// assert_eq!((residues.count(), residues.download::<u64>()?), (2, vec![5, 96]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Ntt`] if p does not fit the words, or a value is p or more; [`EngineError::Gpu`] if the
    /// GPU has too little memory, or fails.
    pub fn upload_residues<W: Word>(
        &self,
        field: &DynField,
        values: &[W],
    ) -> Result<DeviceResidues, EngineError> {
        // One point each: any number of values.
        NttPlan::new(1, Wrap::Cyclic)?.check_residues(field, values)?;
        let memory = match self.backend.gpu() {
            None => Memory::Cpu(Arc::new(values.iter().map(|value| value.low_word()).collect())),
            Some(gpus) if is_narrow(field) => {
                Memory::Gpu(GpuBatch::upload(gpus, 0, &words::<W, u32>(values))?)
            }
            Some(gpus) => Memory::Gpu(GpuBatch::upload(gpus, 0, &words::<W, u64>(values))?),
        };
        Ok(DeviceResidues { field: *field, count: values.len(), memory })
    }
}

impl DeviceResidues {
    /// The field.
    #[must_use]
    pub const fn field(&self) -> &DynField {
        &self.field
    }

    /// The number of residues.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The residues in words of 32 or 64 bits, after a wait for what computes them.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    /// let residues = Engine::cpu().upload_residues(&DynField::new(97)?, &[5_u64, 96])?;
    /// assert_eq!(residues.download::<u32>()?, [5, 96]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Ntt`] if p does not fit the words; [`EngineError::Gpu`], also for a failure of what was
    /// started before.
    pub fn download<W: Word>(&self) -> Result<Vec<W>, EngineError> {
        let modulus = self.field.modulus();
        if modulus - 1 > W::HIGHEST.low_word() {
            return Err(NttError::WordTooNarrow { modulus, bits: W::BITS }.into());
        }
        match &self.memory {
            Memory::Cpu(values) => Ok(values.iter().map(|&value| W::from_word(value)).collect()),
            Memory::Gpu(batch) if is_narrow(&self.field) => self.downloaded::<u32, W>(batch),
            Memory::Gpu(batch) => self.downloaded::<u64, W>(batch),
        }
    }

    fn downloaded<F: Word, W: Word>(&self, batch: &GpuBatch) -> Result<Vec<W>, EngineError> {
        let mut values = vec![F::ZERO; self.count];
        batch.download(&mut values)?;
        Ok(words(&values))
    }

    /// Waits until the residues are computed.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] for a failure of what was started before.
    pub fn wait(&self) -> Result<(), EngineError> {
        match &self.memory {
            Memory::Cpu(_) => Ok(()),
            Memory::Gpu(batch) => batch.wait(),
        }
    }

    /// Where they lie: `CPU`, or a GPU with its number and name.
    #[must_use]
    pub fn device_name(&self) -> String {
        match &self.memory {
            Memory::Cpu(_) => "CPU".to_owned(),
            Memory::Gpu(batch) => batch.device_name(),
        }
    }
}

/// Whether residues are words of 32 bits on a GPU.
fn is_narrow(field: &DynField) -> bool {
    field.modulus() >> 32 == 0
}

/// Residues in other words.
fn words<F: Word, W: Word>(values: &[F]) -> Vec<W> {
    values.iter().map(|value| W::from_word(value.low_word())).collect()
}
