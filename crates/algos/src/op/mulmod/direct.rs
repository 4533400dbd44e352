//! Eight neighbouring products of unsigned numbers, from their operands to their results without copies.

use limbforge_limb::Base;
use limbforge_limb::slice::bits::bit_len;

use super::super::eight::{gather, operands, results, scatter};
use super::super::instances::Instances;
use super::super::memory::Memory;
use super::{LEAST_BITS, ModularProducts};
use crate::vector::{Path, WIDTH};

/// Computes the products from `first` on. Returns false, and does nothing, unless all of them can run in
/// vectors.
pub(super) fn eight<B: Base>(
    path: Path,
    instances: &mut Instances<'_, B>,
    first: usize,
    group: &mut ModularProducts,
    memory: &mut Memory<B>,
) -> bool {
    if instances.ty.is_signed() || instances.len() - first < WIDTH {
        return false;
    }
    let [a_room, b_room, m_room, room] = &mut memory.words;
    let [a, b, m] = operands::<B, 3>(instances, first);
    let (a, b, m) = (gather(a, a_room), gather(b, b_room), gather(m, m_room));
    if m.iter().any(|m| bit_len(m) < LEAST_BITS) {
        return false;
    }
    let mut out = results(instances, first);
    scatter(&mut out, room, |residues| group.arithmetic.multiply(path, residues, a, b, m));
    true
}
