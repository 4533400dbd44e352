//! Products and squares: eight at a time in vectors where that is faster, else one by one.

mod neighbours;

use core::array::from_fn;

use limbforge_limb::slice::mul::{Factors, rows::batch, rows::batch::Kind, rows::batch::Numbers};
use limbforge_limb::slice::words::{unpack, words_for};
use limbforge_limb::slice::{shift, sub};
use limbforge_limb::{Base, IntType};

use super::class::Product;
use super::eight::{gather, operands, results, scatter};
use super::instances::{Instances, Operand};
use super::memory::{Memory, is_negative, sized};
use crate::vector::{Eight, Kept, Path, WIDTH, path_of_products};
use neighbours::neighbours;

pub(super) fn products<B: Base>(op: Product, mut instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let first = neighbours(op, &mut instances, memory);
    let instances = instances.from(first);
    match path_of_products(kept(op), instances.ty.bits()) {
        Some((path, fewest)) if instances.len() >= fewest => in_vectors(path, fewest, op, instances, memory),
        _ => one_by_one(op, instances, memory),
    }
}

/// The part of the product, for the choice of the path.
pub(crate) const fn kept(op: Product) -> Kept {
    match op {
        Product::Mul => Kept::Low,
        Product::Sqr => Kept::LowOfSquare,
        Product::MulHigh => Kept::High,
        Product::MulWide => Kept::Wide,
        Product::SqrWide => Kept::WideOfSquare,
    }
}

fn one_by_one<B: Base>(op: Product, mut instances: Instances<'_, B>, memory: &mut Memory<B>) {
    if short(op, &mut instances) {
        return;
    }
    let (ty, product) = (instances.ty, &mut memory.scratch.product);
    match op {
        Product::Mul => instances.each(|out, [a, b]| product.low(out, Factors::Pair(a, b))),
        Product::Sqr => instances.each(|out, [a]| product.low(out, Factors::Square(a))),
        Product::MulHigh => instances.each(|out, [a, b]| high(memory, ty, out, a, b)),
        Product::MulWide => instances.each(|out, [a, b]| wide(memory, ty, out, a, b, Factors::Pair(a, b))),
        Product::SqrWide => instances.each(|out, [a]| wide(memory, ty, out, a, a, Factors::Square(a))),
    }
}

/// Computes all products of short numbers of machine words at once: to choose the algorithm for each would
/// take as long. Returns false and computes none where there is no kernel.
fn short<B: Base>(op: Product, instances: &mut Instances<'_, B>) -> bool {
    let limbs = instances.ty.limbs::<B>();
    let (kind, second) = match op {
        Product::Mul => (Kind::Low, 1),
        Product::Sqr => (Kind::LowSquare, 0),
        Product::MulWide => (Kind::Wide, 1),
        Product::SqrWide => (Kind::Square, 0),
        Product::MulHigh => return false,
    };
    // Wide products of signed numbers are corrected; those of 2N bits may have fewer limbs than two factors.
    let is_low = kind.result_limbs(limbs) == limbs;
    if !is_low && (instances.ty.is_signed() || instances.out_m != 2 * limbs) {
        return false;
    }
    let [a, b] = [0, second].map(|i| {
        let Operand { limbs, stride } = instances.operands[i];
        B::as_words(&limbs[instances.first * stride..]).map(|limbs| Numbers { limbs, step: stride })
    });
    let (Some(a), Some(b), Some(out)) = (a, b, B::as_words_mut(instances.out)) else { return false };
    batch::products(kind, limbs, out, a, b)
}

/// Computes eight instances at a time; the last ones one by one if they are fewer than `fewest`.
fn in_vectors<B: Base>(
    path: Path,
    fewest: usize,
    op: Product,
    mut instances: Instances<'_, B>,
    memory: &mut Memory<B>,
) {
    let (mut first, count) = (0, instances.len());
    while count - first >= fewest {
        match op {
            Product::Mul | Product::MulHigh | Product::MulWide => {
                let [a, b] = operands(&instances, first);
                eight(path, op, instances.ty, results(&mut instances, first), [a, b], memory);
            }
            Product::Sqr | Product::SqrWide => {
                let [a] = operands(&instances, first);
                eight(path, op, instances.ty, results(&mut instances, first), [a, a], memory);
            }
        }
        first = count.min(first + WIDTH);
    }
    one_by_one(op, instances.from(first), memory);
}

/// Computes up to eight products.
fn eight<B: Base>(
    path: Path,
    op: Product,
    ty: IntType,
    mut outs: [&mut [B]; WIDTH],
    [a, b]: [[&[B]; WIDTH]; 2],
    memory: &mut Memory<B>,
) {
    let Memory { multiplier, words: [a_room, b_room, room, _], rooms, .. } = memory;
    let factors = match op {
        Product::Mul | Product::MulHigh | Product::MulWide => {
            Eight::Pairs(gather(a, a_room), gather(b, b_room))
        }
        Product::Sqr | Product::SqrWide => Eight::Squares(gather(a, a_room)),
    };
    if op == Product::MulHigh {
        let words = words_for::<B>(2 * outs[0].len());
        room.resize(WIDTH * words, 0);
        let mut wide = room.chunks_exact_mut(words);
        multiplier.run(path, from_fn(|_| wide.next().unwrap_or_default()), factors);
        for (lane, (out, wide)) in outs.into_iter().zip(room.chunks_exact(words)).enumerate() {
            let [limbs, shifted, _] = rooms.each_mut().map(|room| sized(room, 2 * out.len()));
            unpack(limbs, wide);
            finish_high(ty, out, limbs, shifted, a[lane], b[lane]);
        }
        return;
    }
    scatter(&mut outs, room, |results| multiplier.run(path, results, factors));
    if ty.is_signed() && matches!(op, Product::MulWide | Product::SqrWide) {
        for (lane, out) in outs.into_iter().enumerate() {
            finish_wide(ty, out, rooms, a[lane], b[lane]);
        }
    }
}

/// `floor(a * b / 2^N)`.
fn high<B: Base>(memory: &mut Memory<B>, ty: IntType, out: &mut [B], a: &[B], b: &[B]) {
    let Memory { scratch, rooms: [wide, shifted, _], .. } = memory;
    let [wide, shifted] = [wide, shifted].map(|room| sized(room, 2 * out.len()));
    scratch.product.wide(wide, Factors::Pair(a, b));
    finish_high(ty, out, wide, shifted, a, b);
}

/// The high half of the product of the operands as unsigned numbers. For two's complement, a sign bit counts
/// `-2^N` more than it does unsigned, so the other factor is taken off.
fn finish_high<B: Base>(ty: IntType, out: &mut [B], wide: &[B], shifted: &mut [B], a: &[B], b: &[B]) {
    if ty.bits() == out.len() as u32 * B::BITS {
        out.copy_from_slice(&wide[out.len()..]);
    } else {
        shift::shr(shifted, wide, ty.bits());
        out.copy_from_slice(&shifted[..out.len()]);
    }
    for other in after_signs(ty, a, b) {
        sub::sub_assign(out, other, false);
    }
}

/// `a * b` in the limbs of 2N bits.
fn wide<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    a: &[B],
    b: &[B],
    factors: Factors<'_, B>,
) {
    let Memory { scratch, rooms, .. } = memory;
    if out.len() == 2 * a.len() {
        scratch.product.wide(out, factors);
    } else {
        let wide = sized(&mut rooms[0], 2 * a.len());
        scratch.product.wide(wide, factors);
        // The product is below 2^(2N), so the limbs that do not fit are zero.
        out.copy_from_slice(&wide[..out.len()]);
    }
    finish_wide(ty, out, rooms, a, b);
}

/// Takes the other factor of a negative one off the product of unsigned numbers, from bit N on.
fn finish_wide<B: Base>(ty: IntType, out: &mut [B], rooms: &mut [Vec<B>; 3], a: &[B], b: &[B]) {
    for other in after_signs(ty, a, b) {
        let [extended, moved, _] = rooms.each_mut().map(|room| sized(room, out.len()));
        extended.fill(B::ZERO);
        extended[..other.len()].copy_from_slice(other);
        shift::shl(moved, extended, ty.bits());
        sub::sub_assign(out, moved, false);
    }
}

/// For each negative factor, the other one.
fn after_signs<'a, B: Base>(ty: IntType, a: &'a [B], b: &'a [B]) -> impl Iterator<Item = &'a [B]> {
    [(a, b), (b, a)].into_iter().filter(move |(sign, _)| is_negative(sign, ty)).map(|(_, other)| other)
}
