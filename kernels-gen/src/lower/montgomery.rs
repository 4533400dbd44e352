//! Arithmetic in Montgomery's form.
use limbforge_algos::op::class::Montgomery;

use super::division::wide_registers;
use super::row::{Lowering, plain};
use crate::template::Template;

/// Arithmetic in Montgomery's form.
pub(super) const fn montgomery(op: Montgomery) -> &'static Lowering {
    match op {
        Montgomery::ToMont | Montgomery::FromMont | Montgomery::MontMul | Montgomery::MontReduce => &MONT,
    }
}

/// Even moduli have no such form.
const MONT: Lowering = Lowering {
    templates: &[Template::MontForm],
    registers: Some(wide_registers),
    short_lanes: true,
    ..plain(|e, i, node| {
        let operands = e.all(node);
        e.num_or_mark(i, &node.op.to_string(), &operands)
    })
};
