//! Greatest common divisors, their Bezout coefficients, least common multiples, and the Jacobi symbol.

use limbforge_algos::op::{Op, class::Gcd};

use super::emitter::{Emitter, Held};
use super::lane_words::LaneWords;
use super::row::{Emit, Lowering, function, lane_limbs30, limbs30, numbers, partial_function, plain};
use crate::spec::KernelSpec;
use crate::template::Template;

/// Greatest common divisors and related functions.
pub(super) const fn gcd(op: Gcd) -> Lowering {
    match op {
        Gcd::Gcd => Lowering { slot: limbs30, ..divsteps(&[Template::Gcd], function) },
        Gcd::Lcm => Lowering {
            // Both factors of a low product (montgomery.cuh).
            slot: |spec| limbs30(spec).max(numbers::<2>(spec)),
            registers: Some(|spec| divsteps_registers(spec) + 2 * spec.mapping.run_words),
            ..divsteps(&[Template::Lcm], function)
        },
        Gcd::XgcdX => cofactors(&[Template::Xgcd], |e| coefficient(e, "x")),
        Gcd::XgcdY => cofactors(&[Template::Xgcd], |e| coefficient(e, "y")),
        Gcd::Jacobi => divsteps(&[Template::Jacobi], partial_function),
    }
}

const fn divsteps(templates: &'static [Template], emit: Emit) -> Lowering {
    Lowering { templates, registers: Some(divsteps_registers), ..plain(emit) }
}

const fn divsteps_registers(spec: &KernelSpec) -> u32 {
    spec.mapping.run_words + 2 * lane_limbs30(spec) + 60
}

/// Division steps with a cofactor: limbs, or operands behind all else (modinv.cuh, xgcd.cuh).
pub(super) const fn cofactors(templates: &'static [Template], emit: Emit) -> Lowering {
    Lowering {
        templates,
        slot: |spec| limbs30(spec).max(numbers::<4>(spec)),
        registers: Some(|spec| 4 * lane_limbs30(spec) + 90),
        lane_words: LaneWords::Inverses,
        ..plain(emit)
    }
}

/// A Bezout coefficient. Those of the same operands are computed together.
fn coefficient(e: &mut Emitter<'_>, member: &str) -> Held {
    let (args, signed, operands) = (&e.node().args, e.signed(), e.operands());
    let asked = |op: &Op| e.spec.dag.nodes().iter().any(|node| node.op == *op && node.args == *args);
    let (x, y) = (asked(&Op::XgcdX), asked(&Op::XgcdY));
    let value = format!("xgcd<{signed}, {x}, {y}>({operands}, slot, exchange, at)");
    let both = e.once("Coefficients", format!("g{}", e.i), value);
    e.num(&format!("{both}.{member}"))
}
