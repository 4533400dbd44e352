//! Products of short unsigned numbers modulo an operand: a product and a division without memory, two
//! instances at a time.

use core::array::from_fn;

use limbforge_limb::slice::div::short::{div_rem, div_rem_pair};
use limbforge_limb::slice::mul::fixed::wide;
use limbforge_limb::{Base, IntType};

use super::super::eight::rows;
use super::super::instances::Instances;
use super::super::memory::Memory;
use super::super::modular::product;

/// Limbs of the longest numbers, all of whose moduli are short.
const MOST: usize = limbforge_limb::slice::div::short::MOST;

/// Whether products of this type are short.
pub(super) fn are_short<B: Base>(ty: IntType) -> bool {
    !ty.is_signed() && ty.limbs::<B>() <= MOST && B::as_words(&[]).is_some()
}

/// Computes products that [are short](are_short).
pub(super) fn products<B: Base>(mut instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let (count, m) = (instances.len(), instances.out_m);
    let mut room = [[B::ZERO; 2 * MOST]; 2];
    let mut next = 0;
    while next < count {
        let is_done = next + 1 < count && {
            let pair = [next, next + 1].map(|i| instances.operands::<3>(i));
            for (room, [a, b, _]) in room.iter_mut().zip(pair) {
                wide(&mut room[..2 * m], a, b);
            }
            let [out, second, ..] = rows(&mut instances.out[next * m..][..2 * m], m);
            let none = from_fn(|_| &mut [][..]);
            let dividends = room.each_ref().map(|room| &room[..2 * m]);
            div_rem_pair(none, [out, second], dividends, pair.map(|[_, _, modulus]| modulus))
        };
        if !is_done {
            one(&mut instances, next, &mut room[0], memory);
        }
        next += if is_done { 2 } else { 1 };
    }
}

/// A product alone; the modulus may be 0.
fn one<B: Base>(
    instances: &mut Instances<'_, B>,
    instance: usize,
    room: &mut [B; 2 * MOST],
    memory: &mut Memory<B>,
) {
    let (ty, m) = (instances.ty, instances.out_m);
    instances.try_one(instance, |out, operands: [&[B]; 3]| {
        let [a, b, modulus] = operands;
        wide(&mut room[..2 * m], a, b);
        if div_rem(&mut [], out, &room[..2 * m], modulus) {
            return Ok(());
        }
        product(memory, ty, out, operands)
    });
}
