//! Arithmetic in Montgomery's form.

use limbforge_algos::op::class::Montgomery;

use super::division::wide_registers;
use super::row::{Lowering, plain};
use crate::template::Template;

/// Arithmetic in Montgomery's form, which even moduli have none of.
pub(super) const fn montgomery(op: Montgomery) -> Lowering {
    match op {
        Montgomery::ToMont | Montgomery::FromMont | Montgomery::MontMul | Montgomery::MontReduce => {
            Lowering {
                templates: &[Template::MontForm],
                registers: Some(wide_registers),
                short_lanes: true,
                ..plain(|e, i, node| {
                    let operands = e.all(node);
                    e.num_or_mark(i, &node.op.to_string(), &operands)
                })
            }
        }
    }
}
