//! Roots, tests for powers, and tests of primality.

use limbforge_algos::op::class::{Primality, Root};

use super::division::double_width;
use super::emitter::{Emitter, Held};
use super::lane_words::LaneWords;
use super::row::{Lowering, low_product, numbers, partial_function, plain, test, wide_product};
use crate::spec::{KernelSpec, Part};
use crate::template::Template;

const ISQRT: Lowering = Lowering {
    templates: &[Template::Isqrt],
    // The number and twice its root (isqrt.cuh).
    slot: numbers::<2>,
    registers: Some(|spec| 2 * spec.mapping.run_words + 64),
    ..plain(|e| {
        let name = format!("x{}", e.i);
        let root = square_root(e, name.clone());
        if root == name { Held::Num } else { e.num(&root) }
    })
};
const ISQRT_REM: Lowering = Lowering {
    templates: &[Template::IsqrtRem],
    slot: |spec| numbers::<2>(spec).max(low_product(spec)),
    emit: |e| {
        let (root, x) = (square_root(e, format!("root{}", e.i)), e.operand(0));
        e.num(&format!("isqrt_rem({x}, {root}, slot, exchange, at)"))
    },
    ..ISQRT
};
const ROOT: Lowering = Lowering {
    templates: &[Template::Root],
    // The number behind products (root.cuh).
    slot: |spec| numbers::<5>(spec).max(wide_product(spec)),
    registers: Some(root_registers),
    lane_words: LaneWords::Inverses,
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
            // Words that live across the roots of different degrees.
            registers: Some(|spec| root_registers(spec) + spec.mapping.run_words + 10),
            emit: test,
            ..ROOT
        },
    }
}

/// Tests of primality, with operands behind all else in a slot (primality.cuh).
pub(super) const fn primality(op: Primality) -> Lowering {
    let template = match op {
        Primality::IsPrime => &[Template::Primality],
        Primality::IsStrongProbablePrime => &[Template::PrimalityStrong],
    };
    let lane_words = LaneWords::Powers;
    Lowering { slot: numbers::<4>, lane_words, ..double_width(template, part_of_test) }
}

/// The test, or the part of it that the kernel computes.
fn part_of_test(e: &mut Emitter<'_>) -> Held {
    let operands = e.operands();
    match e.spec.part {
        Part::Whole => {}
        Part::Small | Part::LucasFirst => e.calls(Template::PrimalityParts),
        Part::AfterPower | Part::AfterLadder => e.calls(Template::PrimalityAfter),
    }
    match e.spec.part {
        Part::Whole => e.truth(&format!("{}({operands}, slot, exchange, at)", e.function())),
        Part::Small => e.num(&format!("small_verdict({operands}, slot, at)")),
        Part::LucasFirst => e.num(&format!("lucas_first({operands}, slot, exchange, at)")),
        Part::AfterPower => e.truth(&format!("is_strong_after_power({operands}, slot, at)")),
        Part::AfterLadder => e.truth(&format!("is_lucas_after_ladder({operands}, slot, exchange, at)")),
    }
}

const fn root_registers(spec: &KernelSpec) -> u32 {
    7 * spec.mapping.run_words + 70
}

/// The name of the operand's square root, which is declared once. Negative numbers have none.
fn square_root(e: &mut Emitter<'_>, name: String) -> String {
    let (x, signed, fails) = (e.operand(0), e.signed(), format!("fails{}", e.i));
    let key = format!("isqrt({x})");
    if let Some(root) = e.names.get(&key) {
        return root.clone();
    }
    e.line(format!("bool {fails};"));
    e.line(format!("const Num {name} = isqrt<{signed}>({x}, {fails}, slot, at);"));
    if signed {
        e.mark(&fails);
    }
    e.names.insert(key, name.clone());
    name
}
