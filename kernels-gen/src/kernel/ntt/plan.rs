//! The digits, points, primes and passes of a product by transforms: data, no CUDA.

mod launch;

use serde::Serialize;

use super::bounds::Reductions;
use super::interpolation::Interpolation;
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

/// log2 of the fewest and the most points of a transform of one block.
const LOG2_POINTS: [u32; 2] = [4, 15];

/// Points of a thread in the outer, middle and inner pass of 2^`log2` points.
fn radices(log2: u32) -> [u32; 3] {
    let (outer, inner) = (log2.div_ceil(2).min(5), if log2 < LOG2_POINTS[1] { (log2 / 2).min(4) } else { 5 });
    [1 << outer, 1 << (log2 - outer - inner), 1 << inner]
}

/// Threads of a transform at most: with more, too few registers are left to each.
const MAX_THREADS: u32 = 512;

/// Threads of a block at least.
const MIN_BLOCK: u32 = 64;

/// The shortest transforms of at least so many points, and their rows: always more than half.
fn shape(points: u32) -> Option<([u32; 3], u32)> {
    let log2 = points.next_power_of_two().ilog2().max(LOG2_POINTS[0]);
    let radices @ [outer, middle, inner] = (log2 <= LOG2_POINTS[1]).then(|| radices(log2))?;
    Some((radices, points.div_ceil(middle * inner).max(outer / 2 + 1)))
}

impl ProductPlan {
    /// The average points of a pass with idle threads, which determine a product's time.
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
    /// No coefficient wraps around in L >= 2n points. For [`ProductForm::Cyclic`], L >= n and they do.
    ///
    /// # Errors
    /// [`SpecError::Transform`] if no transform of one block is long enough, or no set of primes exact.
    pub fn new(words: u32, form: ProductForm, terms: u32) -> Result<Self, SpecError> {
        let digits = words.div_ceil(2);
        let cyclic = form == ProductForm::Cyclic;
        let points_to_digit = if cyclic { 1 } else { 2 };
        let limit = (1 << LOG2_POINTS[1]) / points_to_digit;
        let refused = SpecError::Transform { digits, terms, limit };
        let (radices, rows) = shape(points_to_digit * digits).ok_or(refused.clone())?;
        // Only a whole transform computes mod x^L - 1.
        let (rows, order) = (if cyclic { radices[0] } else { rows }, radices.iter().product());
        // A wrapped coefficient has up to as many products as there are digits, as any other.
        let primes = PrimeSet::for_sums(terms.into(), digits.into(), order).ok_or(refused)?;
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
            reductions: Reductions::prove(primes.largest(), radices, terms, cyclic)?,
            primes,
            threads,
            instances: (MIN_BLOCK / threads).max(1),
            blocks: 1,
            chunk: 1,
        };
        Ok(plan.with_launch_shape(words))
    }

    /// Whether operands of so many words fill the points of a cyclic transform.
    #[must_use]
    pub fn fills_cyclic(words: u32) -> bool {
        (LOG2_POINTS[0]..=LOG2_POINTS[1]).any(|log2| 2 << log2 == words)
    }

    /// Whether a block of an H100 or H200 holds two operands.
    pub(crate) const fn holds_pairs(&self) -> bool {
        2 * 4 * (self.array_words() as u64) <= Limits::SM_90.shared_bytes
    }

    /// L: the order of the transforms' roots, and their points if all rows are computed.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.radices.iter().product()
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
        let wanted = self.out_digits.div_ceil(middle * inner);
        Interpolation::new(
            self.primes.largest(),
            [outer, self.rows, wanted],
            self.reductions.before_interpolation,
        )
    }

    /// Words of shared memory of an operand (`ARRAY` of `templates/ntt_block.cuh`).
    pub(crate) const fn array_words(&self) -> u32 {
        let [_, middle, inner] = self.radices;
        (self.rows * (middle * inner + 1)).next_multiple_of(4)
    }
}
