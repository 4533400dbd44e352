//! The kernel of a block algorithm, with the limb, M, Q and IPB of its type.

use core::fmt::{Debug, Display};

use limbforge_algos::block::{BlockAlgorithm, BlockOperation, Blocked, MulNtt};
use limbforge_field::{DynField, TwoAdicField};
use limbforge_limb::{Base, IntType, Layout};

use crate::pipeline::{Program, Source, internal};
use crate::poly::{PolyNttSpec, residue_words};
use crate::spec::{InputSpec, KernelSpec, LimbKind, Limits, Mapping, SpecError, Target};
use crate::{kernel::Kernel, kernel::expression::render};

/// The kernels of a block algorithm.
///
/// ```
/// use limbforge_algos::block::MulClassical;
/// use limbforge_kernels_gen::{BlockKernel, Limits};
///
/// type Product = MulClassical<u64, 64, 4, 8>;
/// // 8 words of 32 bits to a thread, 16 threads to an instance, 8 instances to a block.
/// assert_eq!(Product::spec(&Limits::SM_90)?.mapping.to_string(), "8w.1r.16l.1p.8i");
/// let kernel = &Product::render(&Limits::SM_90)?[0];
/// assert_eq!((kernel.geometry.threads, kernel.geometry.instances), (128, 8));
/// # Ok::<(), limbforge_kernels_gen::SpecError>(())
/// ```
pub trait BlockKernel: BlockAlgorithm {
    /// The specification that identifies the kernels.
    type Spec: Clone + Debug + Display + PartialEq;

    /// The specification with exactly the limb, M, Q and IPB, or the prime, of the type.
    ///
    /// # Errors
    /// [`SpecError`] if the device lacks the resources, or no kernel has such wide integers.
    fn spec(limits: &Limits) -> Result<Self::Spec, SpecError>;

    /// The program that launches the kernels.
    ///
    /// # Errors
    /// As [`spec`](Self::spec).
    fn program(limits: &Limits) -> Result<Program, SpecError>;

    /// The program's kernels as CUDA C++.
    ///
    /// # Errors
    /// As [`spec`](Self::spec).
    fn render(limits: &Limits) -> Result<Vec<Kernel>, SpecError> {
        Self::program(limits)?.render(limits)
    }

    /// Converts an operand to the words of 32 bits that the kernels read.
    #[must_use]
    fn to_words(operand: &[Self::Limb]) -> Vec<u32>;

    /// Converts the words that the kernels write to results.
    #[must_use]
    fn from_words(results: &[u32]) -> Vec<Self::Limb>;
}

impl<O: BlockOperation, B: Base, const M: usize, const Q: usize, const IPB: usize> BlockKernel
    for Blocked<O, B, M, Q, IPB>
{
    type Spec = KernelSpec;

    fn spec(limits: &Limits) -> Result<KernelSpec, SpecError> {
        let (limb, ty) = (LimbKind::of::<B>(), operand_type::<Self>()?);
        let dag = Self::expression().to_dag();
        let mapping = Mapping::from_limbs_per_thread(&dag, ty, limb, Q as u32, IPB as u32)?;
        let (words, found) = (Q as u32 * limb.words(), mapping.run_words);
        if found != words {
            return Err(internal(&format!("{words} words to a thread became {found}")));
        }
        let layout = Layout::InstanceMajor;
        let inputs = dag.inputs().map(|name| InputSpec::integers(name, layout, false)).collect();
        let spec = KernelSpec::new(dag, ty, limb, inputs, layout, mapping, Target::Cuda)?;
        render(&spec, limits).map(|_| spec)
    }

    fn program(limits: &Limits) -> Result<Program, SpecError> {
        let spec = Self::spec(limits)?;
        let (words, result_words) = (spec.words().into(), spec.result_words().into());
        let mut program = Program::empty(vec![words, words]);
        let kernel = program.add_kernel(spec);
        program.launch(kernel, vec![Source::Input(0), Source::Input(1)], result_words);
        Ok(program.finished())
    }

    fn to_words(operand: &[B]) -> Vec<u32> {
        operand.iter().flat_map(|&limb| words_of(limb)).collect()
    }

    fn from_words(results: &[u32]) -> Vec<B> {
        results.chunks_exact(B::BITS as usize / 32).map(from_words).collect()
    }
}

/// The product of polynomials whose coefficients are the digits.
impl<F: TwoAdicField, B: Base, const M: usize> BlockKernel for MulNtt<F, B, M> {
    type Spec = PolyNttSpec;

    fn spec(limits: &Limits) -> Result<PolyNttSpec, SpecError> {
        const { Self::CHECKED };
        operand_type::<Self>()?;
        let field = DynField::new(F::MODULUS).map_err(|error| internal(&error.to_string()))?;
        let spec = PolyNttSpec::new(&field, Self::DIGITS as u32, Self::DIGITS as u32)?;
        spec.program(limits).map(|_| spec)
    }

    fn program(limits: &Limits) -> Result<Program, SpecError> {
        Self::spec(limits)?.program(limits)
    }

    fn to_words(operand: &[B]) -> Vec<u32> {
        let words = residue_words(F::MODULUS) as usize;
        let digits = Self::digits(operand);
        digits.into_iter().flat_map(|digit| words_of(digit).take(words)).collect()
    }

    fn from_words(results: &[u32]) -> Vec<B> {
        let words = residue_words(F::MODULUS) as usize;
        let products = results.chunks_exact((2 * Self::DIGITS - 1) * words);
        products.flat_map(|product| Self::release(product.chunks_exact(words).map(from_words))).collect()
    }
}

/// Unsigned integers of M limbs.
fn operand_type<A: BlockAlgorithm>() -> Result<IntType, SpecError> {
    let bits = A::LIMBS as u64 * u64::from(A::Limb::BITS);
    IntType::unsigned(bits).map_err(|error| internal(&error.to_string()))
}

/// Words of 32 bits of a limb, lowest first.
fn words_of<B: Base>(limb: B) -> impl Iterator<Item = u32> {
    (0..B::BITS as usize / 32).map(move |i| (limb >> (32 * i)).low_word() as u32)
}

/// The limb of words of 32 bits, lowest first.
fn from_words<B: Base>(words: &[u32]) -> B {
    let words = words.iter().enumerate();
    words.fold(B::ZERO, |limb, (i, &word)| limb | B::from_word(word.into()) << (32 * i))
}
