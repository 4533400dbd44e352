//! Arithmetic modulo a number, also in Montgomery form: sums, products, powers and inverses.

use limbforge_algos::op::class::{Modular, Montgomery};

use super::division::double_width;
use super::emitter::{Emitter, Held};
use super::gcd::cofactors;
use super::lane_words::LaneWords;
use super::row::{Lowering, numbers, partial_function, plain, wide_product};
use crate::template::Template;

/// Arithmetic modulo a number.
pub(super) const fn modular(op: Modular) -> Lowering {
    match op {
        Modular::AddMod | Modular::SubMod => {
            Lowering { templates: &[Template::Residues], ..plain(|e| residues(e, "")) }
        }
        Modular::MulMod => Lowering {
            templates: &[Template::Mulmod],
            slot: wide_product,
            lane_words: LaneWords::Products,
            ..plain(|e| residues(e, "slot, "))
        },
        // Four warps to a scheduler: powers then spill outside of their steps, but three warps take longer.
        // Operands lie behind all else (powmod.cuh).
        Modular::PowMod => Lowering {
            slot: numbers::<4>,
            lane_words: LaneWords::Powers,
            ..double_width(&[Template::Powmod], partial_function)
        },
        Modular::ModInv => cofactors(&[Template::Modinv], partial_function),
        // Both factors of a low product (montgomery.cuh).
        Modular::ModInv2k => {
            Lowering { slot: numbers::<2>, ..double_width(&[Template::Modinv2k], partial_function) }
        }
    }
}

/// Arithmetic in Montgomery form, which needs an odd modulus.
pub(super) const fn montgomery(op: Montgomery) -> Lowering {
    match op {
        Montgomery::ToMont | Montgomery::FromMont | Montgomery::MontMul | Montgomery::MontReduce => {
            double_width(&[Template::MontForm], |e| e.num_or_mark(&e.node().op.to_string()))
        }
    }
}

/// `addmod`, `submod` or `mulmod(a, b, m)`.
fn residues(e: &mut Emitter<'_>, slot: &str) -> Held {
    let (i, op) = (e.i, &e.node().op);
    let value = format!("residues<{}>({}, slot, exchange, at)", e.signed(), e.operands());
    e.line(format!("const Residues m{i} = {value};"));
    e.mark(&format!("m{i}.by_zero"));
    e.num(&format!("{op}(m{i}, {slot}exchange, at)"))
}
