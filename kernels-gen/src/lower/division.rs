//! Divisions by numbers of the type, of dividends as wide or twice as wide.

use limbforge_algos::op::class::{Division, WideDivision};

use super::emitter::{Emitter, Held};
use super::lane_words::LaneWords;
use super::row::{Emit, Lowering, Work, plain};
use crate::spec::KernelSpec;
use crate::template::Template;

/// Divisions of numbers of the type, by schoolbook: each of quotient and divisor has at most half the words.
pub(super) const fn division(op: Division) -> Lowering {
    let emit: Emit = match op {
        Division::Div => |e| part(e, "quotient"),
        Division::Rem => |e| part(e, "remainder"),
        Division::DivEuclid => |e| part(e, "quotient_euclid"),
        Division::RemEuclid => |e| part(e, "remainder_euclid"),
        Division::DivFloor => |e| part(e, "quotient_floor"),
        Division::RemFloor => |e| part(e, "remainder_floor"),
        Division::DivExact => |e| {
            let division = divided(e);
            // All lanes vote first.
            e.mark(&format!("!is_zero({division}.remainder, at) || {division}.by_zero"));
            result(e, &division, "quotient")
        },
        Division::Divisible => |e| {
            let (division, dividend) = (divided(e), e.operand(0));
            e.truth(&format!("divides<{}>({division}, {dividend}, at)", e.signed()))
        },
    };
    Lowering {
        templates: match op {
            Division::DivFloor | Division::RemFloor => &[Template::DivFloor],
            _ => &[Template::DivForms],
        },
        lane_words: LaneWords::Quotients,
        work: |w| Work { products: w * w / 4.0, words: 0.0 },
        ..plain(emit)
    }
}

/// Divisions of a double-width dividend (hi * 2^N + lo).
pub(super) const fn wide_division(op: WideDivision) -> Lowering {
    let emit: Emit = match op {
        WideDivision::DivWide => |e| {
            let division = divided_wide(e);
            e.mark(&format!("{division}.by_zero || {division}.is_long"));
            e.num(&format!("{division}.quotient"))
        },
        WideDivision::RemWide => |e| {
            let division = divided_wide(e);
            e.mark(&format!("{division}.by_zero"));
            e.num(&format!("{division}.remainder"))
        },
    };
    double_width(&[Template::DivWide], emit)
}

/// Registers of a division of twice the words, and of products in Montgomery form.
pub(super) const fn double_width(templates: &'static [Template], emit: Emit) -> Lowering {
    let registers = |spec: &KernelSpec| 4 * spec.mapping.run_words + 60;
    Lowering { templates, registers: Some(registers), lane_words: LaneWords::Products, ..plain(emit) }
}

/// Quotient or remainder; a division by zero has neither.
fn part(e: &mut Emitter<'_>, function: &str) -> Held {
    let division = divided(e);
    e.mark(&format!("{division}.by_zero"));
    result(e, &division, function)
}

fn result(e: &mut Emitter<'_>, division: &str, function: &str) -> Held {
    e.num(&format!("{function}<{}>({division}, exchange, at)", e.signed()))
}

/// The name of the division.
fn divided(e: &mut Emitter<'_>) -> String {
    let value = format!("divide<{}>({}, slot, exchange, at)", e.signed(), e.operands());
    e.once("SignedDivision", format!("d{}", e.i), value)
}

fn divided_wide(e: &mut Emitter<'_>) -> String {
    let value = format!("divide_wide({}, slot, exchange, at)", e.operands());
    e.once("WideDivision", format!("d{}", e.i), value)
}
