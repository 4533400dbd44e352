//! Sums, products and comparisons.

use limbforge_algos::op::Op;
use limbforge_algos::op::class::{Choice, Comparison, Product, Sum};

use super::emitter::{Emitter, Held};
use super::row::{Emit, Lowering, Work, low_product, plain, wide_product};
use crate::template::Template;

/// A constant, or an operand, which was loaded before.
pub(super) const fn leaf() -> Lowering {
    plain(|e| match &e.node().op {
        Op::Literal(value) => {
            let name = format!("literal{}", e.i);
            e.constant(&name, value);
            e.num(&format!("constant({name}, at)"))
        }
        _ => e.forms[e.i],
    })
}

/// Sums with deferred carries.
pub(super) const fn sum(op: Sum) -> Lowering {
    plain(match op {
        Sum::Add => |e| e.addition(),
        Sum::Sub | Sum::Neg => |e| e.subtraction(),
    })
}

/// Products by columns; squares are computed as products.
pub(super) const fn product(op: Product) -> Lowering {
    match op {
        Product::Mul | Product::Sqr => Lowering {
            templates: &[Template::MulClassical],
            slot: low_product,
            work: |w| Work { products: w * (w + 1.0) / 2.0, words: 0.0 },
            ..plain(|e| {
                let value = format!("mul_low({}, slot, at)", factors(e));
                e.sum(&value, 0, 1)
            })
        },
        Product::MulHigh => Lowering {
            templates: &[Template::MulHigh],
            ..whole_product(|e| {
                let value = format!("mul_high<{}>({}, slot, exchange, at)", e.signed(), factors(e));
                e.sum(&value, -2, 2)
            })
        },
        Product::MulWide | Product::SqrWide => whole_product(|e| {
            let factors = factors(e);
            let value = format!("mul_wide<{}>({factors}, slot, exchange, at)", e.signed());
            e.declare("Wide", &value, Held::Wide)
        }),
    }
}

/// Truth values.
pub(super) const fn comparison(op: Comparison) -> Lowering {
    plain(match op {
        Comparison::Eq => |e| compare(e, "=="),
        Comparison::Ne => |e| compare(e, "!="),
        Comparison::Lt => |e| compare(e, "<"),
        Comparison::Le => |e| compare(e, "<="),
    })
}

/// One of the operands.
pub(super) const fn choice(op: Choice) -> Lowering {
    plain(match op {
        Choice::Min => |e| extreme(e, "<"),
        Choice::Max => |e| extreme(e, ">"),
        Choice::Select => select,
    })
}

const fn whole_product(emit: Emit) -> Lowering {
    let (templates, work) = (&[Template::MulWide], |w| Work { products: w * w, words: 0.0 });
    Lowering { templates, slot: wide_product, work, ..plain(emit) }
}

/// The factors of a product, or those of a square.
fn factors(e: &mut Emitter<'_>) -> String {
    if e.node().args.len() == 1 { [e.operand(0), e.operand(0)].join(", ") } else { e.operands() }
}

fn compare(e: &mut Emitter<'_>, is: &str) -> Held {
    let operands = e.operands();
    let order = e.order(&operands);
    e.truth(&format!("{order} {is} 0"))
}

fn extreme(e: &mut Emitter<'_>, is: &str) -> Held {
    let operands = e.operands();
    let order = e.order(&operands);
    e.num(&format!("select({order} {is} 0, {operands})"))
}

fn select(e: &mut Emitter<'_>) -> Held {
    let condition = e.node().args[0].index();
    let chosen = if e.forms[condition] == Held::Truth {
        format!("x{condition}")
    } else {
        let x = e.operand(0);
        format!("{} != 0", e.order(&format!("{x}, Num{{}}")))
    };
    let (x, y) = (e.operand(1), e.operand(2));
    e.num(&format!("select({chosen}, {x}, {y})"))
}
