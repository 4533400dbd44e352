//! Block algorithms on a GPU.

use limbforge_algos::block::LengthError;
use limbforge_gpu::{Arch, Compiler, Device, GpuError, Image, Target};
use limbforge_kernels_gen::{BlockKernel, Limits, SpecError};
use limbforge_limb::num_traits::ConstZero as _;

/// An error of a block algorithm's kernels.
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
    /// [`BlockError`] if an operand is not N instances of M limbs, the device has no room for the block, or
    /// it fails.
    fn on_gpu(
        device: &Device,
        compiler: &Compiler,
        a: &[Self::Limb],
        b: &[Self::Limb],
    ) -> Result<Vec<Self::Limb>, BlockError> {
        let n = a.len() / Self::LIMBS;
        LengthError::check(n, Self::LIMBS, a.len())?;
        LengthError::check(n, Self::LIMBS, b.len())?;
        if n == 0 {
            return Ok(vec![]);
        }
        let (limits, instances) = (device.info().limits(), n as u64);
        let program = Self::program(&limits)?;
        let mut results = vec![0_u32; n * program.result_words[0] as usize];
        let program = device.load_program(compiler, &program, &program.render(&limits)?)?;
        let scratch = device.scratch(&program, instances)?;
        let (a, b) = (device.upload(&Self::to_words(a))?, device.upload(&Self::to_words(b))?);
        let mut output = device.alloc(size_of_val(&*results) as u64)?;
        device.run_program(&program, &[&a, &b], &scratch, &mut output, instances)?;
        output.copy_to(&mut results)?;
        let mut limbs = Self::from_words(&results);
        // Instances without a result, as quotients by 0, are 0.
        for instance in device.marked(&scratch, instances)? {
            limbs[instance as usize * Self::RESULT_LIMBS..][..Self::RESULT_LIMBS].fill(Self::Limb::ZERO);
        }
        Ok(limbs)
    }

    /// The machine code of the kernels, each compiled for an architecture with these limits; no GPU is
    /// needed.
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

impl<A: BlockKernel> RunBlock for A {}
