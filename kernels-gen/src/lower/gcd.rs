//! Greatest common divisors, their Bezout coefficients, and least common multiples.

use limbforge_algos::expr::{DagNode, Op};
use limbforge_algos::op::class::Gcd;

use super::emitter::{Emitter, Held, partial_function};
use super::row::{Emit, Lowering, lane_limbs30, limbs30, numbers, plain};
use crate::spec::KernelSpec;
use crate::template::Template;

/// Greatest common divisors and what comes with them.
pub(super) const fn gcd(op: Gcd) -> Lowering {
    match op {
        Gcd::Gcd => Lowering {
            templates: &[Template::Gcd],
            slot: limbs30,
            registers: Some(divsteps_registers),
            ..plain(divisor)
        },
        Gcd::Lcm => Lowering {
            templates: &[Template::Lcm],
            // Both factors of a low product (montgomery.cuh).
            slot: |spec| limbs30(spec).max(numbers::<2>(spec)),
            registers: Some(|spec| divsteps_registers(spec) + 2 * spec.mapping.run_words),
            ..plain(divisor)
        },
        Gcd::XgcdX => xgcd(|e, i, node| coefficient(e, i, node, "x")),
        Gcd::XgcdY => xgcd(|e, i, node| coefficient(e, i, node, "y")),
        Gcd::Jacobi => Lowering {
            templates: &[Template::Jacobi],
            registers: Some(divsteps_registers),
            ..plain(partial_function)
        },
    }
}

const fn xgcd(emit: Emit) -> Lowering {
    Lowering {
        templates: &[Template::Xgcd],
        slot: cofactor_slot,
        registers: Some(cofactor_registers),
        short_lanes: true,
        ..plain(emit)
    }
}

/// Registers of division steps.
pub(super) const fn divsteps_registers(spec: &KernelSpec) -> u32 {
    spec.mapping.run_words + 2 * lane_limbs30(spec) + 60
}

/// Limbs, or operands behind all else (modinv.cuh, xgcd.cuh).
pub(super) fn cofactor_slot(spec: &KernelSpec) -> u32 {
    limbs30(spec).max(numbers::<4>(spec))
}

/// Registers of division steps with a cofactor.
pub(super) const fn cofactor_registers(spec: &KernelSpec) -> u32 {
    4 * lane_limbs30(spec) + 90
}

/// `gcd(a, b)` or `lcm(a, b)`.
fn divisor(e: &mut Emitter<'_>, i: usize, node: &DagNode) -> Held {
    let (operands, signed) = (e.all(node), e.signed());
    e.num(i, &format!("{}<{signed}>({operands}, slot, exchange, at)", node.op))
}

/// `xgcd_x(a, b)` or `xgcd_y(a, b)`. Those of the same operands are computed together.
fn coefficient(e: &mut Emitter<'_>, i: usize, node: &DagNode, member: &str) -> Held {
    let (x, y) = e.two(node);
    let operands = [node.args[0], node.args[1]];
    let together = *e.shared.coefficients.entry(operands).or_insert(i);
    if together == i {
        let asked = |op: &Op| e.spec.dag.nodes().iter().any(|node| node.op == *op && *node.args == operands);
        let (signed, x_asked, y_asked) = (e.signed(), asked(&Op::XgcdX), asked(&Op::XgcdY));
        e.line(format!(
            "const Coefficients g{i} = xgcd<{signed}, {x_asked}, {y_asked}>({x}, {y}, slot, exchange, at);"
        ));
    }
    e.num(i, &format!("g{together}.{member}"))
}
