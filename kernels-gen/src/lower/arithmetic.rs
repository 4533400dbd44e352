//! Sums, products and comparisons.

use limbforge_algos::expr::DagNode;
use limbforge_algos::op::Op;
use limbforge_algos::op::class::{Choice, Comparison, Product, Sum};

use super::emitter::{Emitter, Held};
use super::row::{Emit, Lowering, Work, low_product, plain, wide_product};
use crate::template::Template;

/// A constant, or an operand.
pub(super) const fn leaf() -> Lowering {
    plain(|e, i, node| match &node.op {
        Op::Literal(value) => {
            e.constant(&format!("literal{i}"), value);
            e.num(i, &format!("constant(literal{i}, at)"))
        }
        _ => e.loaded(i),
    })
}

/// Sums with deferred carries.
pub(super) const fn sum(op: Sum) -> Lowering {
    match op {
        Sum::Add => plain(|e, i, node| e.addition(i, node, false)),
        Sum::Sub => plain(|e, i, node| e.addition(i, node, true)),
        Sum::Neg => plain(|e, i, node| e.negation(i, node.args[0])),
    }
}

/// Products by columns; squares are computed as products.
pub(super) const fn product(op: Product) -> Lowering {
    match op {
        Product::Mul | Product::Sqr => Lowering {
            templates: &[Template::MulClassical],
            slot: low_product,
            work: |w| Work::products(w * (w + 1.0) / 2.0),
            ..plain(|e, i, node| {
                let (x, y) = factors(e, node);
                e.line(format!("const Sum x{i} = mul_low({x}, {y}, slot, at);"));
                Held::Sum { lowest: 0, highest: 1 }
            })
        },
        Product::MulHigh => Lowering {
            templates: &[Template::MulHigh],
            ..whole_product(|e, i, node| {
                let ((x, y), signed) = (factors(e, node), e.signed());
                e.line(format!("const Sum x{i} = mul_high<{signed}>({x}, {y}, slot, exchange, at);"));
                Held::Sum { lowest: -2, highest: 2 }
            })
        },
        Product::MulWide | Product::SqrWide => whole_product(|e, i, node| {
            let ((x, y), signed) = (factors(e, node), e.signed());
            e.line(format!("const Wide x{i} = mul_wide<{signed}>({x}, {y}, slot, exchange, at);"));
            Held::Wide
        }),
    }
}

/// Truth values.
pub(super) const fn comparison(op: Comparison) -> Lowering {
    match op {
        Comparison::Eq => plain(|e, i, node| truth(e, i, node, "==")),
        Comparison::Ne => plain(|e, i, node| truth(e, i, node, "!=")),
        Comparison::Lt => plain(|e, i, node| truth(e, i, node, "<")),
        Comparison::Le => plain(|e, i, node| truth(e, i, node, "<=")),
    }
}

/// One of the operands.
pub(super) const fn choice(op: Choice) -> Lowering {
    match op {
        Choice::Min => plain(|e, i, node| extreme(e, i, node, "<")),
        Choice::Max => plain(|e, i, node| extreme(e, i, node, ">")),
        Choice::Select => plain(select),
    }
}

const fn whole_product(emit: Emit) -> Lowering {
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

fn extreme(e: &mut Emitter<'_>, i: usize, node: &DagNode, is: &str) -> Held {
    let (x, y) = e.two(node);
    let order = e.order(&x, &y);
    e.num(i, &format!("select({order} {is} 0, {x}, {y})"))
}

fn truth(e: &mut Emitter<'_>, i: usize, node: &DagNode, is: &str) -> Held {
    let (x, y) = e.two(node);
    let order = e.order(&x, &y);
    e.truth(i, &format!("{order} {is} 0"))
}

fn select(e: &mut Emitter<'_>, i: usize, node: &DagNode) -> Held {
    let condition = node.args[0];
    let chosen = if e.form(condition) == Held::Truth {
        format!("x{}", condition.index())
    } else {
        let x = e.number(condition);
        format!("{} != 0", e.order(&x, "Num{}"))
    };
    let (x, y) = (e.number(node.args[1]), e.number(node.args[2]));
    e.num(i, &format!("select({chosen}, {x}, {y})"))
}
