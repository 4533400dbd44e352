//! The digits, points, primes and passes of a product by transforms: data, no CUDA.

use core::fmt;

use serde::Serialize;

use super::bounds::Reductions;
use super::interpolation::Interpolation;
use crate::invariant::broken_invariant;
use crate::spec::{Limits, PrimeSet, ProductForm, SpecError};

/// The transforms of a product of integers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct ProductPlan {
    /// n: digits of 64 bits of an operand.
    pub digits: u32,
    /// Coefficients that are kept: n, or 2n; as many as points if they are cyclic.
    pub out_digits: u32,
    /// Whether coefficients wrap around: operands have up to as many digits as there are points, else half.
    pub cyclic: bool,
    /// Points of a thread in the outer, middle and inner pass of a whole transform.
    pub radices: [u32; 3],
    /// Rows of the outer pass that are computed, of `radices[0]`.
    pub rows: u32,
    /// The primes.
    #[serde(skip)]
    pub primes: PrimeSet,
    /// The stages before which residues are reduced.
    pub reductions: Reductions,
    /// Threads of a transform.
    pub threads: u32,
    /// IPB: transforms of a block.
    pub instances: u32,
    /// Blocks of a multiprocessor for which the compiler is asked to save registers.
    #[serde(skip)]
    pub blocks: u32,
    /// Groups of IPB instances that are computed prime by prime.
    pub chunk: u32,
}

/// Points of a thread in the outer, middle and inner pass, by the number of points.
const RADICES: [[u32; 3]; 12] = [
    [4, 1, 4],
    [8, 1, 4],
    [8, 1, 8],
    [16, 1, 8],
    [16, 1, 16],
    [32, 1, 16],
    [32, 2, 16],
    [32, 4, 16],
    [32, 8, 16],
    [32, 16, 16],
    [32, 32, 16],
    [32, 32, 32],
];

/// Threads of a transform at most: with more, too few registers are left to each.
const MAX_THREADS: u32 = 512;

/// Threads of a block at least.
const MIN_BLOCK: u32 = 64;

/// Registers of a thread in blocks of up to 128 threads, and in larger ones, where more warps hide the longer
/// barriers.
const REGISTERS: [u32; 2] = [96, 80];

/// Bytes of two operands that are read prime by prime: they should stay in the second-level cache, but blocks
/// of different primes, which have code of their own, should seldom run side by side.
const CHUNK_BYTES: u32 = 8 << 20;

/// The shortest transforms of at least so many points, and their rows: always more than half.
fn shape(points: u32) -> Option<([u32; 3], u32)> {
    let radices @ [outer, middle, inner] = *RADICES.iter().find(|radices| order(radices) >= points)?;
    Some((radices, points.div_ceil(middle * inner).max(outer / 2 + 1)))
}

fn order(radices: &[u32; 3]) -> u32 {
    radices.iter().product()
}

impl ProductPlan {
    /// Points that a pass computes for operands of `words` words, on average, with those of idle threads in
    /// the last round: a product's time is proportional to them. `None` if no transform of one block is long
    /// enough.
    pub(crate) fn computed_points(words: u32) -> Option<u32> {
        let ([_, middle, inner], rows) = shape(2 * words.div_ceil(2))?;
        let threads = (middle * inner).min(MAX_THREADS);
        let of_rounds = |tasks: u32, radix: u32| tasks.next_multiple_of(threads) * radix;
        let outer_and_inner = rows * middle * inner + of_rounds(rows * middle, inner);
        let of_middle = if middle > 1 { of_rounds(rows * inner, middle) } else { 0 };
        Some((outer_and_inner + of_middle) / if middle > 1 { 3 } else { 2 })
    }

    /// The plan for operands of `words` words of 32 bits and sums of up to `terms` products.
    ///
    /// The cyclic product of L >= 2n points is the product itself: no coefficient wraps around. For
    /// [`ProductForm::Cyclic`], L >= n and they do.
    ///
    /// # Errors
    /// [`SpecError::Transform`] if no transform of one block is long enough, or no set of primes exact.
    pub fn new(words: u32, form: ProductForm, terms: u32) -> Result<Self, SpecError> {
        let digits = words.div_ceil(2);
        let cyclic = form == ProductForm::Cyclic;
        let points_to_digit = if cyclic { 1 } else { 2 };
        let limit = order(&RADICES[RADICES.len() - 1]) / points_to_digit;
        let refused = SpecError::Transform { digits, terms, limit };
        let (radices, rows) = shape(points_to_digit * digits).ok_or(refused.clone())?;
        // Only a whole transform computes mod x^L - 1.
        let (rows, order) = (if cyclic { radices[0] } else { rows }, order(&radices));
        // A wrapped coefficient has up to as many products as there are digits, as any other.
        let primes = PrimeSet::for_sums(terms.into(), digits.into(), order).ok_or(refused.clone())?;
        let largest = *primes.primes().last().ok_or(refused)?;
        let threads = (radices[1] * radices[2]).min(MAX_THREADS);
        let plan = Self {
            digits,
            out_digits: match form {
                ProductForm::Low => digits,
                ProductForm::Wide => 2 * digits,
                ProductForm::Cyclic => order,
            },
            cyclic,
            radices,
            rows,
            reductions: Reductions::prove(largest, radices, terms, cyclic)?,
            primes,
            threads,
            instances: (MIN_BLOCK / threads).max(1),
            blocks: 1,
            chunk: 1,
        };
        Ok(plan.with_launch_shape(words))
    }

    /// The same transforms by so many threads each, so many of them in a block. Errors with
    /// [`SpecError::Mapping`] unless the threads divide the points.
    pub(crate) fn with_threads(self, words: u32, threads: u32, instances: u32) -> Result<Self, SpecError> {
        let [_, middle, inner] = self.radices;
        let divides = threads.is_power_of_two() && threads <= middle * inner;
        let expected = "a power of two, at most the product of the two last radices";
        SpecError::require(divides, "threads of a transform", threads, expected)?;
        Ok(Self { threads, instances, ..self }.with_launch_shape(words))
    }

    /// The plan with the blocks and groups for its threads.
    fn with_launch_shape(self, words: u32) -> Self {
        let blocks = (65_536 / (self.threads * self.instances * self.registers())).clamp(1, 32);
        Self { blocks, chunk: (CHUNK_BYTES / (8 * words * self.instances)).max(1), ..self }
    }

    /// Registers of a thread.
    pub(crate) const fn registers(&self) -> u32 {
        REGISTERS[(self.threads * self.instances > 128) as usize]
    }

    /// The plan for a kernel with several results, which take more registers and more of the second-level
    /// cache.
    pub(crate) fn for_results(mut self, results: usize) -> Self {
        if results > 2 {
            self.blocks = (65_536 / (self.threads * self.instances * 128)).max(1);
        }
        if results > 1 {
            self.chunk = (self.chunk / 2).max(1);
        }
        self
    }

    /// Whether operands of so many words fill the points of a cyclic transform.
    #[must_use]
    pub fn fills_cyclic(words: u32) -> bool {
        RADICES.iter().any(|radices| 2 * order(radices) == words)
    }

    /// Whether a block of an H100 or H200 holds two operands.
    pub(crate) const fn holds_pairs(&self) -> bool {
        2 * 4 * (self.array_words() as u64) <= Limits::SM_90.shared_bytes
    }

    /// L: the order of the transforms' roots, and their points if all rows are computed.
    #[must_use]
    pub fn order(&self) -> u32 {
        order(&self.radices)
    }

    /// Points of the transforms.
    #[must_use]
    pub const fn points(&self) -> u32 {
        let [_, middle, inner] = self.radices;
        self.rows * middle * inner
    }

    /// The outer pass backward. Errors with [`SpecError::ResidueRange`] if a residue could leave 32 bits.
    pub(crate) fn interpolation(&self) -> Result<Interpolation, SpecError> {
        let [outer, middle, inner] = self.radices;
        let largest = self.primes.primes().last();
        let &largest = largest.unwrap_or_else(|| broken_invariant("a set of primes has one"));
        let wanted = self.out_digits.div_ceil(middle * inner);
        Interpolation::new(largest, [outer, self.rows, wanted], self.reductions.before_interpolation)
    }

    /// Words of shared memory of an operand (`ARRAY` of `templates/ntt_block.cuh`).
    pub(crate) const fn array_words(&self) -> u32 {
        let [_, middle, inner] = self.radices;
        (self.rows * (middle * inner + 1)).next_multiple_of(4)
    }
}

/// Points of the passes, primes, threads of a transform and transforms of a block.
impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [outer, middle, inner] = self.radices;
        let (primes, threads, instances) = (self.primes.primes().len(), self.threads, self.instances);
        if self.rows < outer {
            write!(f, "{}of", self.rows)?;
        }
        write!(f, "{outer}x{middle}x{inner}*{primes}/{threads}t*{instances}")
    }
}
