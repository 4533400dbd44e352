//! Block algorithms on a GPU.

use limbforge_algos::block::{BlockOperation, Blocked, LengthError, MulNtt};
use limbforge_field::TwoAdicField;
use limbforge_gpu::{
    Arch, Compiler, Device, DeviceBuffer, Footprint, GpuError, Image, LoadedProgram, Target,
};
use limbforge_kernels_gen::{BlockKernel, Limits, SpecError};
use limbforge_limb::Base;

/// Why the kernels of a block algorithm have no results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError {
    /// An operand is not N instances of M limbs.
    #[error(transparent)]
    Length(#[from] LengthError),
    /// The device has no room for the block.
    #[error("no kernel: {0}")]
    Spec(#[from] SpecError),
    /// The device, its driver or its compiler failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// The kernels of a block algorithm, compiled and run.
///
/// ```no_run
/// use limbforge::RunBlock;
/// use limbforge::algos::block::{BlockAlgorithm, MulClassical};
/// use limbforge::gpu::{Compiler, Device};
///
/// type Product = MulClassical<u64, 64, 4, 8>;
/// let (device, compiler) = (Device::open(0)?, Compiler::from_environment()?);
/// let (a, b) = (vec![3; 64 * 1000], vec![5; 64 * 1000]);
/// assert_eq!(Product::on_gpu(&device, &compiler, &a, &b)?, Product::on_cpu(&a, &b)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RunBlock: BlockKernel {
    /// The results for N instances, as [`on_cpu`](limbforge_algos::block::BlockAlgorithm::on_cpu) gives them.
    ///
    /// # Errors
    /// [`BlockError`] if an operand is not N instances of M limbs, the device has no room for the block, or it fails.
    fn on_gpu(
        device: &Device,
        compiler: &Compiler,
        a: &[Self::Limb],
        b: &[Self::Limb],
    ) -> Result<Vec<Self::Limb>, BlockError>;

    /// The machine code of the kernels, each compiled for an architecture with these limits; no GPU is needed.
    ///
    /// # Errors
    /// [`BlockError`] if the limits leave no room for the block, or nvrtc does not know the architecture.
    fn compile(compiler: &Compiler, arch: Arch, limits: &Limits) -> Result<Vec<Vec<u8>>, BlockError> {
        let compiled = Self::render(limits)?.into_iter().map(|kernel| {
            let compiled =
                compiler.compile(&kernel.source, Target::Cubin(arch), &[]).map_err(GpuError::from)?;
            Ok(match &*compiled.image {
                Image::Cubin(code) => code.clone(),
                Image::Ptx(text) => text.clone().into_bytes(),
            })
        });
        compiled.collect()
    }
}

impl<O: BlockOperation, B: Base, const M: usize, const Q: usize, const IPB: usize> RunBlock
    for Blocked<O, B, M, Q, IPB>
{
    fn on_gpu(device: &Device, compiler: &Compiler, a: &[B], b: &[B]) -> Result<Vec<B>, BlockError> {
        let n = instances::<Self>(a, b)?;
        let (limits, words) = (device.info().limits(), n as usize * O::RESULT * M * B::BITS as usize / 32);
        let footprint = Footprint::of(&Self::spec(&limits)?);
        let kernels = Self::render(&limits)?;
        let program = LoadedProgram::from(device.load(compiler, &kernels[0], &footprint)?);
        let scratch = device.scratch(&program, n)?;
        let results = with_buffers::<Self>(device, [a, b], words, |inputs, output| {
            device.run_program(&program, inputs, &scratch, output, n)
        })?;
        let mut limbs = Self::from_words(&results);
        // Instances without a result, as quotients by 0, are 0.
        for instance in device.marked(&scratch, n)? {
            limbs[instance as usize * O::RESULT * M..][..O::RESULT * M].fill(B::ZERO);
        }
        Ok(limbs)
    }
}

impl<F: TwoAdicField, B: Base, const M: usize> RunBlock for MulNtt<F, B, M> {
    fn on_gpu(device: &Device, compiler: &Compiler, a: &[B], b: &[B]) -> Result<Vec<B>, BlockError> {
        let n = instances::<Self>(a, b)?;
        let limits = device.info().limits();
        let program = Self::spec(&limits)?.program(&limits)?;
        let loaded = device.load_poly(compiler, &program)?;
        let scratch = device.poly_scratch(&loaded, n)?;
        let words = (n * program.result_words) as usize;
        let results = with_buffers::<Self>(device, [a, b], words, |inputs, output| {
            device.run_poly(&loaded, inputs, &scratch, output, n)
        })?;
        Ok(Self::from_words(&results))
    }
}

/// N, of two operands of N M limbs.
fn instances<A: BlockKernel>(a: &[A::Limb], b: &[A::Limb]) -> Result<u64, LengthError> {
    let n = a.len() / A::LIMBS;
    LengthError::check(n, A::LIMBS, a.len())?;
    LengthError::check(n, A::LIMBS, b.len())?;
    Ok(n as u64)
}

/// The words of a result that `run` leaves on the device, for operands that it finds there.
fn with_buffers<A: BlockKernel>(
    device: &Device,
    operands: [&[A::Limb]; 2],
    words: usize,
    run: impl FnOnce(&[&DeviceBuffer], &mut DeviceBuffer) -> Result<(), GpuError>,
) -> Result<Vec<u32>, GpuError> {
    let [a, b] = operands.map(A::to_words);
    let (a, b) = (device.upload(&a)?, device.upload(&b)?);
    let mut output = device.alloc(4 * words as u64)?;
    run(&[&a, &b], &mut output)?;
    let mut results = vec![0; words];
    output.copy_to(&mut results)?;
    Ok(results)
}
