//! Roots and tests for powers.

use limbforge_algos::op::class::Root;

use super::emitter::{Emitter, Held, partial_function, test};
use super::row::{Lowering, low_product, numbers, plain, wide_product};
use crate::spec::KernelSpec;
use crate::template::Template;

const ISQRT: Lowering = Lowering {
    templates: &[Template::Isqrt],
    // The number and twice its root (isqrt.cuh).
    slot: numbers::<2>,
    registers: Some(|spec| 2 * spec.mapping.run_words + 64),
    ..plain(|e, i, node| {
        let x = e.number(node.args[0]);
        let root = square_root(e, i, &x, format!("x{i}"));
        if root == format!("x{i}") { Held::Num } else { e.num(i, &root) }
    })
};
const ISQRT_REM: Lowering = Lowering {
    templates: &[Template::IsqrtRem],
    slot: |spec| numbers::<2>(spec).max(low_product(spec)),
    emit: |e, i, node| {
        let x = e.number(node.args[0]);
        let root = square_root(e, i, &x, format!("root{i}"));
        e.num(i, &format!("isqrt_rem({x}, {root}, slot, exchange, at)"))
    },
    ..ISQRT
};
const ROOT: Lowering = Lowering {
    templates: &[Template::Root],
    // The number behind products (root.cuh).
    slot: |spec| numbers::<5>(spec).max(wide_product(spec)),
    registers: Some(root_registers),
    short_lanes: true,
    ..plain(partial_function)
};

/// Roots and tests for powers.
pub(super) const fn root(op: Root) -> Lowering {
    match op {
        Root::Isqrt => ISQRT,
        Root::IsqrtRem => ISQRT_REM,
        Root::IsSquare => Lowering { templates: &[Template::IsSquare], emit: test, ..ISQRT_REM },
        Root::Root => ROOT,
        Root::IsPerfectPower => Lowering {
            templates: &[Template::PerfectPower],
            // What is asked between the roots of different degrees.
            registers: Some(|spec| root_registers(spec) + spec.mapping.run_words + 10),
            emit: test,
            ..ROOT
        },
    }
}

const fn root_registers(spec: &KernelSpec) -> u32 {
    7 * spec.mapping.run_words + 70
}

/// The name of the square root of x, which negative numbers have none of: `name` where it is first needed.
fn square_root(e: &mut Emitter<'_>, i: usize, x: &str, name: String) -> String {
    if let Some(root) = e.shared.square_roots.get(x) {
        return root.clone();
    }
    let signed = e.signed();
    e.line(format!("bool fails{i};"));
    e.line(format!("const Num {name} = isqrt<{signed}>({x}, fails{i}, slot, at);"));
    if signed {
        e.mark(&format!("fails{i}"));
    }
    e.shared.square_roots.insert(x.to_owned(), name.clone());
    name
}
