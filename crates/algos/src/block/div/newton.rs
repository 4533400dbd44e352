//! Newton's step, which both inverses are made of.

use limbforge_limb::Base;

use super::numbers::{by_limbs, combined, negatives, powers, upper_limbs, zeros};
use crate::block::add::{Borrow, Carry};
use crate::block::bits::select;
use crate::block::mul_classical;
use crate::block::shift::shift_right_signed;
use crate::block::{Block, Registers};

/// `w B^m + floor(w floor((B^e - V w) / B^dropped) / B^(e - m - dropped))` with e of each instance: Newton's
/// step for a cut divisor V, which is where the two inverses meet.
///
/// The power difference must be below `B^W / 2` in magnitude; it is taken mod `B^W` and read as two's
/// complement, so that its sign makes no difference to the text.
pub(super) fn newton_step<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    block: &Block<W, Q, IPB>,
    cut: &[[B; Q]],
    w: &[[B; Q]],
    e: &[usize],
    m: usize,
    dropped: usize,
) -> Registers<B, Q> {
    let product = mul_classical::low(block, cut, Some(w));
    let difference = combined::<Borrow, B, W, Q, IPB>(block, &powers(block, e), &product);
    let difference = shift_right_signed(block, &difference, dropped as u32 * B::BITS);

    let [low, high] = mul_classical::wide(block, w, Some(&difference));
    // The product took a negative difference for one that is B^W larger.
    let too_large = select(block, &negatives(block, &difference), w, &zeros::<B, W, Q, IPB>());
    let high = combined::<Borrow, B, W, Q, IPB>(block, &high, &too_large);
    let unit: Vec<usize> = e.iter().map(|e| e - m - dropped).collect();
    let correction = upper_limbs(block, [&low, &high], &unit);
    let w = by_limbs(block, w, m as isize);
    combined::<Carry, B, W, Q, IPB>(block, &w, &correction)
}
