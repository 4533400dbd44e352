//! What identifies a kernel of transforms.

use core::fmt;

use super::plan::ProductPlan;
use crate::spec::{InputSpec, LimbKind, Residues, SkipMask, Target, unless_text};

/// A kernel that transforms integers modulo each prime, multiplies, and transforms back: everything that identifies it.
///
/// Its result is one buffer: for each [`Destination::Residues`] in order, planes `[prime][instance][out_digits]` of words
/// in [0, p), `out_digits` rounded up to a multiple of 4; then for a [`Destination::Spectrum`] the words `[prime][instance][points]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MulNttSpec {
    /// W: words of 32 bits of an instance of the operands.
    pub words: u32,
    /// The limb of the operands.
    pub limb: LimbKind,
    /// Integers and spectra, in the order of the kernel's parameters.
    pub inputs: Vec<NttInput>,
    /// What is done, one after the other.
    pub steps: Vec<NttStep>,
    /// The transforms.
    pub plan: ProductPlan,
    /// Instances that it may leave out.
    pub unless: Option<SkipMask>,
    /// What compiles the source.
    pub target: Target,
}

/// A parameter of a kernel of transforms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NttInput {
    /// A batch of integers.
    Integers(InputSpec),
    /// What a kernel with the same transforms has left as [`Destination::Spectrum`]; of one instance for all if
    /// `broadcast`.
    Spectrum {
        /// Whether there is one instance.
        broadcast: bool,
        /// Words per instance that lie before it in the buffer: the residues of the kernel that has left it.
        first: u64,
    },
}

/// One or two integers are transformed, then their spectra multiplied.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NttStep {
    /// The inputs that are transformed, one or two.
    pub operands: Vec<usize>,
    /// What is made of their spectra. Only the last step has residues.
    pub results: Vec<Pointwise>,
}

/// One multiplication point by point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pointwise {
    /// The operand of the step, 0 or 1.
    pub left: usize,
    /// What it is multiplied with.
    pub right: Factor,
    /// What is added.
    pub addends: Vec<Addend>,
    /// Where it goes.
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

/// What is added to a pointwise product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addend {
    /// The sum of the steps before.
    Sum,
    /// An input's spectrum.
    Spectrum(usize),
}

/// Where a pointwise product goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// Into the sum that a later step adds.
    Sum,
    /// Back through the inverse transform, and out as residues. At most two of a kernel.
    Residues,
    /// Out as it is. At most one of a kernel.
    Spectrum,
}

impl MulNttSpec {
    /// All pointwise products.
    pub(crate) fn pointwise(&self) -> impl Iterator<Item = &Pointwise> {
        self.steps.iter().flat_map(|step| &step.results)
    }

    /// Results that go out as residues.
    #[must_use]
    pub fn residues(&self) -> usize {
        self.pointwise().filter(|product| product.to == Destination::Residues).count()
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
        let spectra = self.pointwise().filter(|product| product.to == Destination::Spectrum).count();
        let points = self.plan.points() as usize * self.plan.primes.primes().len();
        self.residue_words() + (spectra * points) as u64
    }

    /// Arrays of shared memory of an instance: of the operands or results, and of the sum.
    pub(crate) fn arrays(&self) -> u32 {
        let operands = self.steps.iter().map(|step| step.operands.len()).max().unwrap_or(1);
        let sum = self.pointwise().any(|product| product.to == Destination::Sum);
        // The sum's array comes after both operands'.
        if sum { 3 } else { operands.max(self.residues()) as u32 }
    }
}

impl fmt::Display for MulNttSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = &self.plan;
        write!(f, "mul_ntt words={} limb=u{}", self.words, 32 * self.limb.words())?;
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
            for product in &step.results {
                let Pointwise { left, right, addends, to } = product;
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
