//! The specification of a kernel of transforms.

use core::fmt;

use super::plan::ProductPlan;
use crate::spec::{InputSpec, LimbKind, Residues, SkipMask, Target, unless_text};

/// Everything that identifies a kernel that transforms, multiplies, and transforms back, modulo each prime.
///
/// Its result is one buffer: for each [`Destination::Residues`], words `[prime][instance][out_digits]` below
/// p, with `out_digits` rounded up to a multiple of 4; then for a [`Destination::Spectrum`] words
/// `[prime][instance][points]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MulNttSpec {
    /// W: words of 32 bits of an instance of the operands.
    pub words: u32,
    /// The limb of the operands.
    pub limb: LimbKind,
    /// Integers and spectra, in the order of the kernel's parameters.
    pub inputs: Vec<NttInput>,
    /// The steps, one after the other.
    pub steps: Vec<NttStep>,
    /// The transforms.
    pub plan: ProductPlan,
    /// Instances that it may skip.
    pub unless: Option<SkipMask>,
    /// The compiler of the source.
    pub target: Target,
}

/// A parameter of a kernel of transforms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NttInput {
    /// A batch of integers.
    Integers(InputSpec),
    /// The [`Destination::Spectrum`] of a kernel with the same transforms.
    Spectrum {
        /// Whether one instance serves all.
        broadcast: bool,
        /// Words per instance before it in the buffer: the residues of that kernel.
        first: u64,
    },
}

/// Transforms of one or two integers, then products of their spectra.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NttStep {
    /// The inputs that are transformed, one or two.
    pub operands: Vec<usize>,
    /// The products of their spectra. Only the last step has residues.
    pub results: Vec<Pointwise>,
}

/// One multiplication point by point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pointwise {
    /// The operand of the step, 0 or 1.
    pub left: usize,
    /// The other factor.
    pub right: Factor,
    /// The summands.
    pub addends: Vec<Addend>,
    /// The use of the result.
    pub to: Destination,
}

/// A factor of a pointwise product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// The operand of the step, 0 or 1.
    Operand(usize),
    /// An input's spectrum.
    Spectrum(usize),
    /// None: the spectrum itself, reduced.
    One,
}

/// A summand of a pointwise product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addend {
    /// The sum of the steps before.
    Sum,
    /// An input's spectrum.
    Spectrum(usize),
}

/// The use of a pointwise product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// Added to the sum of later steps.
    Sum,
    /// Transformed back and stored as residues. At most two of a kernel.
    Residues,
    /// Stored as it is. At most one of a kernel.
    Spectrum,
}

impl MulNttSpec {
    /// The number of pointwise products with this use.
    fn count(&self, to: Destination) -> usize {
        self.steps.iter().flat_map(|step| &step.results).filter(|product| product.to == to).count()
    }

    /// Results that are stored as residues.
    pub(crate) fn residues(&self) -> usize {
        self.count(Destination::Residues)
    }

    /// Words of the residues for each instance.
    #[must_use]
    pub fn residue_words(&self) -> u64 {
        (self.residues() * Residues::plane(self.plan.out_digits) as usize * self.plan.primes.primes().len())
            as u64
    }

    /// Words of the result for each instance.
    #[must_use]
    pub fn out_words(&self) -> u64 {
        let points = self.plan.points() as usize * self.plan.primes.primes().len();
        self.residue_words() + (self.count(Destination::Spectrum) * points) as u64
    }

    /// Arrays of shared memory of an instance: of the operands or results, and of the sum.
    pub(crate) fn arrays(&self) -> u32 {
        let operands = self.steps.iter().map(|step| step.operands.len()).max().unwrap_or(1);
        // The sum's array comes after both operands'.
        if self.count(Destination::Sum) > 0 { 3 } else { operands.max(self.residues()) as u32 }
    }
}

impl fmt::Display for MulNttSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = &self.plan;
        write!(f, "mul_ntt words={} limb={}", self.words, self.limb)?;
        for input in &self.inputs {
            match input {
                NttInput::Integers(input) => write!(f, " in={input}")?,
                NttInput::Spectrum { broadcast, first } => {
                    write!(f, " in=spectrum@{first}{}", if *broadcast { ":broadcast" } else { "" })?;
                }
            }
        }
        for step in &self.steps {
            write!(f, " step={:?}", step.operands)?;
            for Pointwise { left, right, addends, to } in &step.results {
                write!(f, " {left}*{right:?}+{addends:?}->{to:?}")?;
            }
        }
        let (digits, out_digits, blocks, chunk) = (plan.digits, plan.out_digits, plan.blocks, plan.chunk);
        write!(f, " plan={plan} digits={digits}->{out_digits} primes={:?}", plan.primes.primes())?;
        write!(f, " blocks={blocks} chunk={chunk}")?;
        f.write_str(&unless_text(self.unless))?;
        write!(f, " target={}", self.target)
    }
}
