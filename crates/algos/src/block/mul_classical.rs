//! The classical product with the balanced partition of Oancea and Watt (section 3, figures 4 to 7).
//!
//! Column k of `a * b` is the sum of all `a[i] * b[k - i]`: k + 1 terms below M, 2M - 1 - k above. In the low
//! product thread t computes columns from the first half of the number and as many mirrored ones from the
//! second half, so all threads add up the same number of terms. In the wide product it also computes the same
//! columns shifted by M, whose terms complete those of the low ones to M each.
//!
//! Q is the number of limbs per thread as everywhere in this crate: a chunk has `Q / 2` columns (the paper's
//! Q). For odd Q the lower chunk has one column more than its mirror, and threads differ by at most M terms.
//!
//! | phase | of a block |
//! | --- | --- |
//! | 1 | operands from registers to shared memory |
//! | 2 | every thread convolves its chunks ([`convolution`]) and packs each to width + 2 limbs |
//! | 3 | it publishes them as two numbers, low parts L and high parts H ([`publish`]) |
//! | 4 | `L + H` by the block addition of [`add::ballot`](crate::block::add::ballot) |
//!
//! Padding to `T * Q` limbs makes the partition even; the columns past M that it adds are dropped.

use limbforge_limb::Base;

use crate::block::{Block, LengthError, Registers, for_each_block, map_batch};

pub mod convolution;
pub mod publish;

pub use convolution::chunks;

/// The part of the product that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Columns below the padded length.
    Low,
    /// All columns.
    Wide,
}

impl Part {
    /// Padded lengths that the part has.
    const fn strides(self) -> usize {
        match self {
            Self::Low => 1,
            Self::Wide => 2,
        }
    }
}

/// `a * b mod B^M` for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn mul_low<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<Vec<B>, LengthError> {
    let product =
        map_batch::<B, (), 2, M, Q, IPB>(n, [a, b], |block, [a, b]| (low(block, &a, Some(&b)), Vec::new()))?;
    Ok(product.0)
}

/// `floor(a * b / B^M)` for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn mul_high<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<Vec<B>, LengthError> {
    let product =
        map_batch::<B, (), 2, M, Q, IPB>(n, [a, b], |block, [a, b]| (high(block, &a, Some(&b)), Vec::new()))?;
    Ok(product.0)
}

/// `a * b`, n * 2M limbs, for each of `n` instances of M limbs.
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn mul_wide<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<Vec<B>, LengthError> {
    wide_batch::<B, M, Q, IPB>(n, a, Some(b))
}

/// `a * a mod B^M` for each of `n` instances of M limbs, with half the limb products.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn square_low<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
) -> Result<Vec<B>, LengthError> {
    let square = map_batch::<B, (), 1, M, Q, IPB>(n, [a], |block, [a]| (low(block, &a, None), Vec::new()))?;
    Ok(square.0)
}

/// `a * a`, n * 2M limbs, for each of `n` instances of M limbs, with half the limb products.
///
/// # Errors
/// [`LengthError`] if the operand is not `n * M` limbs.
pub fn square_wide<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
) -> Result<Vec<B>, LengthError> {
    wide_batch::<B, M, Q, IPB>(n, a, None)
}

/// The low product in registers; without `b`, the square.
#[must_use]
pub fn low<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: Option<&[[B; Q]]>,
) -> Registers<B, Q> {
    let mut product = block.gather(&product(block, a, b, Part::Low), 1, 0);
    block.clear_padding(&mut product);
    product
}

/// The high product in registers; without `b`, that of the square. All columns are computed: the low ones
/// decide what is carried.
#[must_use]
pub fn high<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: Option<&[[B; Q]]>,
) -> Registers<B, Q> {
    let [_, high] = wide(block, a, b);
    high
}

/// The product in registers, its lower M limbs and its upper ones; without `b`, the square.
#[must_use]
pub fn wide<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: Option<&[[B; Q]]>,
) -> [Registers<B, Q>; 2] {
    let product = product(block, a, b, Part::Wide);
    // The limbs from 2M on are zero, so the upper part's padding is.
    let [mut low, high] = [0, M].map(|offset| block.gather(&product, 2, offset));
    block.clear_padding(&mut low);
    [low, high]
}

fn wide_batch<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: Option<&[B]>,
) -> Result<Vec<B>, LengthError> {
    LengthError::check(n, M, a.len())?;
    b.map_or(Ok(()), |b| LengthError::check(n, M, b.len()))?;
    let mut out = Vec::new();
    for_each_block::<M, Q, IPB, _>(n, |block| {
        let a = block.load(a)?;
        let b = b.map(|b| block.load(b)).transpose()?;
        let shared = product(block, &a, b.as_deref(), Part::Wide);
        out.resize((block.first_instance() + block.instances()) * 2 * M, B::ZERO);
        block.store_shared(&mut out, 2 * M, &shared, 2 * Block::<M, Q, IPB>::STRIDE);
        Ok(())
    })?;
    Ok(out)
}

/// The product in shared memory, one or two padded lengths per instance; without `b`, the square.
fn product<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    block: &Block<M, Q, IPB>,
    a: &[[B; Q]],
    b: Option<&[[B; Q]]>,
    part: Part,
) -> Vec<B> {
    let (a_shared, b_shared) = (block.scatter(a), b.map(|b| block.scatter(b)));
    // Barrier.
    let stride = Block::<M, Q, IPB>::STRIDE;
    let packed = block.lanes().phase(|thread| {
        if !thread.active {
            return Vec::new();
        }
        let number = thread.instance * stride..(thread.instance + 1) * stride;
        let (a, b) = (&a_shared[number.clone()], b_shared.as_ref().map(|b| &b[number]));
        chunks::<Q>(thread.rank, stride, part.strides())
            .map(|chunk| convolution::chunk(a, b, chunk))
            .collect()
    });
    // Barrier: the operands in shared memory are no longer needed.
    let numbers = publish::publish(block, &packed, part.strides());
    // Barrier.
    publish::sum(block, &numbers, part.strides())
}
