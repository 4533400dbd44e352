//! Arithmetic modulo a number: sums, products, powers, inverses, and the Jacobi symbol.

use limbforge_algos::expr::DagNode;
use limbforge_algos::op::class::Modular;

use super::division::wide_registers;
use super::emitter::{Emitter, Held, partial_function};
use super::gcd::{cofactor_registers, cofactor_slot};
use super::row::{Lowering, numbers, plain, wide_product};
use crate::template::Template;

/// Arithmetic modulo a number.
pub(super) const fn modular(op: Modular) -> Lowering {
    match op {
        Modular::AddMod | Modular::SubMod => {
            Lowering { templates: &[Template::Residues], ..plain(|e, i, node| residues(e, i, node, "")) }
        }
        Modular::MulMod => Lowering {
            templates: &[Template::Mulmod],
            slot: wide_product,
            short_lanes: true,
            ..plain(|e, i, node| residues(e, i, node, "slot, "))
        },
        // Four warps to a scheduler where lanes have 16 words, although powers then spill some outside of their steps: three take longer
        // for the same than two or four do.
        Modular::PowMod => Lowering {
            templates: &[Template::Powmod],
            // Operands behind all else (powmod.cuh).
            slot: numbers::<4>,
            registers: Some(wide_registers),
            short_lanes: true,
            ..plain(partial_function)
        },
        Modular::ModInv => Lowering {
            templates: &[Template::Modinv],
            slot: cofactor_slot,
            registers: Some(cofactor_registers),
            short_lanes: true,
            ..plain(partial_function)
        },
        Modular::ModInv2k => Lowering {
            templates: &[Template::Modinv2k],
            // Both factors of a low product (montgomery.cuh).
            slot: numbers::<2>,
            registers: Some(wide_registers),
            short_lanes: true,
            ..plain(partial_function)
        },
    }
}

/// `addmod`, `submod` or `mulmod(a, b, m)`.
fn residues(e: &mut Emitter<'_>, i: usize, node: &DagNode, slot: &str) -> Held {
    let (operands, signed) = (e.all(node), e.signed());
    e.line(format!("const Residues m{i} = residues<{signed}>({operands}, slot, exchange, at);"));
    e.mark(&format!("m{i}.by_zero"));
    e.num(i, &format!("{}(m{i}, {slot}exchange, at)", node.op))
}
