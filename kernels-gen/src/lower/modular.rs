//! Arithmetic modulo a number: sums, products, powers, inverses, and the Jacobi symbol.

use limbforge_algos::expr::DagNode;

use super::division::wide_registers;
use super::emitter::{Emitter, Form};
use super::gcd::{cofactor_registers, cofactor_slot, divsteps_registers};
use super::row::{Lowering, numbers, plain, wide_product};
use crate::template::Template;

pub(super) const ADDMOD: Lowering =
    Lowering { templates: &[Template::Residues], ..plain(|e, i, node| residues(e, i, node, "")) };
pub(super) const MULMOD: Lowering = Lowering {
    templates: &[Template::Mulmod],
    slot: wide_product,
    short_lanes: true,
    ..plain(|e, i, node| residues(e, i, node, "slot, "))
};
/// Four warps to a scheduler where lanes have 16 words, although powers then spill some outside of their steps: three take longer for
/// the same than two or four do.
pub(super) const POWMOD: Lowering = Lowering {
    templates: &[Template::Powmod],
    // Operands behind all else (powmod.cuh).
    slot: numbers::<4>,
    registers: Some(wide_registers),
    short_lanes: true,
    ..plain(function)
};
pub(super) const MODINV: Lowering = Lowering {
    templates: &[Template::Modinv],
    slot: cofactor_slot,
    registers: Some(cofactor_registers),
    short_lanes: true,
    ..plain(function)
};
pub(super) const MODINV2K: Lowering = Lowering {
    templates: &[Template::Modinv2k],
    // Both factors of a low product (montgomery.cuh).
    slot: numbers::<2>,
    registers: Some(wide_registers),
    short_lanes: true,
    ..plain(function)
};
pub(super) const JACOBI: Lowering =
    Lowering { templates: &[Template::Jacobi], registers: Some(divsteps_registers), ..plain(function) };

/// A function some of whose operands have no result.
pub(super) fn function(e: &mut Emitter<'_>, i: usize, node: &DagNode) -> Form {
    let (operands, signed) = (e.all(node), e.signed());
    e.num_or_mark(i, &format!("{}<{signed}>", node.op), &operands)
}

/// `addmod`, `submod` or `mulmod(a, b, m)`.
fn residues(e: &mut Emitter<'_>, i: usize, node: &DagNode, slot: &str) -> Form {
    let (operands, signed) = (e.all(node), e.signed());
    e.line(format!("const Residues m{i} = residues<{signed}>({operands}, slot, exchange, at);"));
    e.mark(&format!("m{i}.by_zero"));
    e.num(i, &format!("{}(m{i}, {slot}exchange, at)", node.op))
}
