//! Divisions, of numbers of the type and of twice as many bits.

use std::collections::hash_map::Entry;

use limbforge_algos::expr::DagNode;
use limbforge_algos::op::class::{Division, WideDivision};

use super::emitter::{Emitter, Held};
use super::row::{Emit, Lowering, Work, plain};
use crate::spec::KernelSpec;
use crate::template::Template;

/// Divisions of numbers of the type.
pub(super) const fn division(op: Division) -> Lowering {
    match op {
        Division::Div => within_warp(|e, i, node| part(e, i, node, "quotient")),
        Division::Rem => within_warp(|e, i, node| part(e, i, node, "remainder")),
        Division::DivEuclid => within_warp(|e, i, node| part(e, i, node, "quotient_euclid")),
        Division::RemEuclid => within_warp(|e, i, node| part(e, i, node, "remainder_euclid")),
        Division::DivExact => within_warp(|e, i, node| {
            let (division, _) = divided(e, i, node);
            // All lanes vote first.
            e.mark(&format!("!is_zero(d{division}.remainder, at) || d{division}.by_zero"));
            result(e, i, division, "quotient")
        }),
        Division::Divisible => within_warp(|e, i, node| {
            let (division, dividend) = divided(e, i, node);
            let signed = e.signed();
            e.truth(i, &format!("divides<{signed}>(d{division}, {dividend}, at)"))
        }),
    }
}

/// Divisions of a number of two operands.
pub(super) const fn wide_division(op: WideDivision) -> Lowering {
    match op {
        WideDivision::DivWide => of_two(|e, i, node| {
            let division = divided_wide(e, i, node);
            e.mark(&format!("d{division}.by_zero || d{division}.is_long"));
            e.num(i, &format!("d{division}.quotient"))
        }),
        WideDivision::RemWide => of_two(|e, i, node| {
            let division = divided_wide(e, i, node);
            e.mark(&format!("d{division}.by_zero"));
            e.num(i, &format!("d{division}.remainder"))
        }),
    }
}

/// By schoolbook: quotient times divisor, at most when each has half the words.
const fn within_warp(emit: Emit) -> Lowering {
    Lowering { templates: &[Template::DivForms], work: |w| Work::products(w * w / 4.0), ..plain(emit) }
}

const fn of_two(emit: Emit) -> Lowering {
    Lowering {
        templates: &[Template::DivWide],
        registers: Some(wide_registers),
        short_lanes: true,
        ..plain(emit)
    }
}

/// Registers of a division of twice the words, and of products in Montgomery's form.
pub(super) const fn wide_registers(spec: &KernelSpec) -> u32 {
    4 * spec.mapping.run_words + 60
}

/// Quotient or remainder, which a division by zero has none of.
fn part(e: &mut Emitter<'_>, i: usize, node: &DagNode, function: &str) -> Held {
    let (division, _) = divided(e, i, node);
    e.mark(&format!("d{division}.by_zero"));
    result(e, i, division, function)
}

fn result(e: &mut Emitter<'_>, i: usize, division: usize, function: &str) -> Held {
    let signed = e.signed();
    e.num(i, &format!("{function}<{signed}>(d{division}, exchange, at)"))
}

/// The number of the division and its dividend. Those of the same operands are one.
fn divided(e: &mut Emitter<'_>, i: usize, node: &DagNode) -> (usize, String) {
    let ((u, v), signed) = (e.two(node), e.signed());
    let line = format!("const SignedDivision d{i} = divide<{signed}>({u}, {v}, slot, exchange, at);");
    (once(e, i, (u.clone(), v), line), u)
}

fn divided_wide(e: &mut Emitter<'_>, i: usize, node: &DagNode) -> usize {
    let (high, low) = e.two(node);
    let (u, v) = (format!("{high}, {low}"), e.number(node.args[2]));
    let line = format!("const WideDivision d{i} = divide_wide({u}, {v}, slot, exchange, at);");
    once(e, i, (u, v), line)
}

/// The number of the division of these operands, which is written where it is first needed.
fn once(e: &mut Emitter<'_>, i: usize, operands: (String, String), line: String) -> usize {
    match e.shared.divisions.entry(operands) {
        Entry::Occupied(division) => *division.get(),
        Entry::Vacant(division) => {
            division.insert(i);
            e.out.lines.push(line);
            i
        }
    }
}
