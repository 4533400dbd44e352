//! Sums, products and comparisons.

use limbforge_algos::expr::DagNode;
use limbforge_algos::op::{
    Op,
    class::{Choice, Comparison, Product, Sum},
};

use super::emitter::{Emitter, Form};
use super::row::{Lowering, Work, low_product, plain, wide_product};
use crate::template::Template;

/// A constant, or an operand.
pub(super) const LEAF: Lowering = plain(|e, i, node| match &node.op {
    Op::Literal(value) => {
        e.constant(&format!("literal{i}"), value);
        e.num(i, &format!("constant(literal{i}, at)"))
    }
    _ => e.loaded(i),
});

/// Sums with deferred carries.
pub(super) const fn sum(op: Sum) -> &'static Lowering {
    match op {
        Sum::Add => &ADD,
        Sum::Sub => &SUB,
        Sum::Neg => &NEG,
    }
}

/// Products by columns; squares are computed as products.
pub(super) const fn product(op: Product) -> &'static Lowering {
    match op {
        Product::Mul | Product::Sqr => &MUL,
        Product::MulHigh => &MUL_HIGH,
        Product::MulWide | Product::SqrWide => &MUL_WIDE,
    }
}

/// Truth values.
pub(super) const fn comparison(op: Comparison) -> &'static Lowering {
    match op {
        Comparison::Eq => &EQ,
        Comparison::Ne => &NE,
        Comparison::Lt => &LT,
        Comparison::Le => &LE,
    }
}

/// One of the operands.
pub(super) const fn choice(op: Choice) -> &'static Lowering {
    match op {
        Choice::Min => &MIN,
        Choice::Max => &MAX,
        Choice::Select => &SELECT,
    }
}

const NEG: Lowering = plain(|e, i, node| e.negation(i, node.args[0]));
const ADD: Lowering = plain(|e, i, node| e.addition(i, node, false));
const SUB: Lowering = plain(|e, i, node| e.addition(i, node, true));

const MUL: Lowering = Lowering {
    templates: &[Template::MulClassical],
    slot: low_product,
    work: |w| Work::products(w * (w + 1.0) / 2.0),
    ..plain(|e, i, node| {
        let (x, y) = factors(e, node);
        e.line(format!("const Sum x{i} = mul_low({x}, {y}, slot, at);"));
        Form::Sum { lowest: 0, highest: 1 }
    })
};
const MUL_HIGH: Lowering = Lowering {
    templates: &[Template::MulHigh],
    ..whole_product(|e, i, node| {
        let ((x, y), signed) = (factors(e, node), e.signed());
        e.line(format!("const Sum x{i} = mul_high<{signed}>({x}, {y}, slot, exchange, at);"));
        Form::Sum { lowest: -2, highest: 2 }
    })
};
const MUL_WIDE: Lowering = whole_product(|e, i, node| {
    let ((x, y), signed) = (factors(e, node), e.signed());
    e.line(format!("const Wide x{i} = mul_wide<{signed}>({x}, {y}, slot, exchange, at);"));
    Form::Wide
});

const MIN: Lowering = plain(|e, i, node| extreme(e, i, node, "<"));
const MAX: Lowering = plain(|e, i, node| extreme(e, i, node, ">"));
const EQ: Lowering = plain(|e, i, node| truth(e, i, node, "=="));
const NE: Lowering = plain(|e, i, node| truth(e, i, node, "!="));
const LT: Lowering = plain(|e, i, node| truth(e, i, node, "<"));
const LE: Lowering = plain(|e, i, node| truth(e, i, node, "<="));
const SELECT: Lowering = plain(select);

const fn whole_product(emit: fn(&mut Emitter<'_>, usize, &DagNode) -> Form) -> Lowering {
    Lowering {
        templates: &[Template::MulWide],
        slot: wide_product,
        work: |w| Work::products(w * w),
        ..plain(emit)
    }
}

/// The factors of a product, or those of a square.
fn factors(e: &mut Emitter<'_>, node: &DagNode) -> (String, String) {
    let x = e.number(node.args[0]);
    let y = node.args.get(1).map_or_else(|| x.clone(), |&y| e.number(y));
    (x, y)
}

fn extreme(e: &mut Emitter<'_>, i: usize, node: &DagNode, is: &str) -> Form {
    let (x, y) = e.two(node);
    let order = e.order(&x, &y);
    e.num(i, &format!("select({order} {is} 0, {x}, {y})"))
}

fn truth(e: &mut Emitter<'_>, i: usize, node: &DagNode, is: &str) -> Form {
    let (x, y) = e.two(node);
    let order = e.order(&x, &y);
    e.truth(i, &format!("{order} {is} 0"))
}

fn select(e: &mut Emitter<'_>, i: usize, node: &DagNode) -> Form {
    let condition = node.args[0];
    let chosen = if e.form(condition) == Form::Truth {
        format!("x{}", condition.index())
    } else {
        let x = e.number(condition);
        format!("{} != 0", e.order(&x, "Num{}"))
    };
    let (x, y) = (e.number(node.args[1]), e.number(node.args[2]));
    e.num(i, &format!("select({chosen}, {x}, {y})"))
}
