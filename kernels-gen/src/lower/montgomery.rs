//! Arithmetic in Montgomery's form.

use super::division::wide_registers;
use super::row::{Lowering, plain};
use crate::template::Template;

/// Even moduli have no such form.
pub(super) const MONT: Lowering = Lowering {
    templates: &[Template::MontForm],
    registers: Some(wide_registers),
    short_lanes: true,
    ..plain(|e, i, node| {
        let operands = e.all(node);
        e.num_or_mark(i, &node.op.to_string(), &operands)
    })
};
