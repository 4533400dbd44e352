//! Operations of a division on a block's numbers, besides sums, comparisons and products.

use limbforge_limb::Base;

use crate::block::add::{CarryRule, scan};
use crate::block::bits::{count, select};
use crate::block::shift::{by, each_limb};
use crate::block::{Block, Registers};

/// Limbs without zeros at the top, of each instance's number.
pub(super) fn lengths<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    a: &[[B; Q]],
) -> Vec<usize> {
    count::bit_lengths(block, a).into_iter().map(|bits| bits.div_ceil(B::BITS) as usize).collect()
}

/// 0 in every instance.
pub(super) fn zeros<B: Base, const W: usize, const Q: usize, const IPB: usize>() -> Registers<B, Q> {
    vec![[B::ZERO; Q]; Block::<W, Q, IPB>::LANES]
}

/// `B^exponents[i] mod B^W` in instance i.
pub(super) fn powers<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    exponents: &[usize],
) -> Registers<B, Q> {
    each_limb(block, |thread, i| if i == exponents[thread.instance] { B::ONE } else { B::ZERO })
}

/// 1 in the instances where `condition` holds, 0 in the others.
pub(super) fn ones_where<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    condition: &[bool],
) -> Registers<B, Q> {
    select(block, condition, &powers(block, &vec![0; condition.len()]), &zeros::<B, W, Q, IPB>())
}

/// `a + b` or `a - b`, mod `B^W`, by the scan.
pub(super) fn combined<R: CarryRule, B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    a: &[[B; Q]],
    b: &[[B; Q]],
) -> Registers<B, Q> {
    scan::combine::<R, B, W, Q, IPB>(block, a, b).0
}

/// Whether each instance's number is negative, read as two's complement: its highest bit.
pub(super) fn negatives<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    a: &[[B; Q]],
) -> Vec<bool> {
    count::bit_lengths(block, a).into_iter().map(|bits| bits == W as u32 * B::BITS).collect()
}

/// `floor(a B^limbs[i])` in instance i.
pub(super) fn shifted<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    a: &[[B; Q]],
    limbs: impl IntoIterator<Item = isize>,
) -> Registers<B, Q> {
    let bits: Vec<i64> = limbs.into_iter().map(|limbs| limbs as i64 * i64::from(B::BITS)).collect();
    by::shift_each(block, a, &bits, false)
}

/// `floor(a B^limbs)` in every instance.
pub(super) fn by_limbs<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    a: &[[B; Q]],
    limbs: isize,
) -> Registers<B, Q> {
    shifted(block, a, vec![limbs; block.instances()])
}

/// `floor((low + high B^W) / B^limbs[i]) mod B^W` in instance i, two's complement of 2W limbs.
pub(super) fn upper_limbs<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    [low, high]: [&[[B; Q]]; 2],
    limbs: &[usize],
) -> Registers<B, Q> {
    let negative = negatives(block, high);
    let shared = [low, high].map(|part| block.scatter(part));
    // Barrier.
    each_limb(block, |thread, i| {
        let at = limbs[thread.instance] + i;
        let fill = if negative[thread.instance] { B::HIGHEST } else { B::ZERO };
        let number = thread.instance * Block::<W, Q, IPB>::STRIDE;
        shared.get(at / W).map_or(fill, |part| part[number + at % W])
    })
}

/// A number of a few limbs that one thread of each instance computes from the number's limbs.
pub(super) fn by_one_thread<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    a: &[[B; Q]],
    compute: impl Fn(usize, &[B]) -> Vec<B>,
) -> Registers<B, Q> {
    let shared = block.scatter(a);
    // Barrier. Phase: the first thread of each instance reads the number, and writes the result to shared
    // memory.
    let number = |instance: usize| &shared[instance * Block::<W, Q, IPB>::STRIDE..][..W];
    let results: Vec<Vec<B>> =
        (0..block.instances()).map(|instance| compute(instance, number(instance))).collect();
    // Barrier.
    each_limb(block, |thread, i| results[thread.instance].get(i).copied().unwrap_or(B::ZERO))
}
