//! Operations on integers by one thread.

use limbforge_algos::op::Op;

use crate::program::lower::Case;

/// A call of a function of `templates/thread_numbers.cuh` and its like.
pub(super) struct Call {
    pub(super) text: String,
    /// Whether the result is an `Inverse`, which may fail.
    pub(super) may_fail: bool,
    /// Whether it takes division steps.
    pub(super) steps: bool,
}

/// The operation on these numbers; `None` if a thread alone does not compute it.
pub(super) fn call(case: &Case, args: &[String]) -> Option<Call> {
    let plain = |text: String| Some(Call { text, may_fail: false, steps: false });
    let all = args.join(", ");
    let less = if case.signed { "integer_lt_signed" } else { "integer_lt" };
    let (x, y) = (&args[0], args.get(1).unwrap_or(&args[0]));
    let named = |name: &str| plain(format!("integer_{name}({all})"));
    match case.op {
        Op::Add => named("add"),
        Op::Sub => named("sub"),
        Op::Neg => named("neg"),
        Op::Mul | Op::Sqr => plain(format!("integer_mul({x}, {y})")),
        Op::And => named("and"),
        Op::Or => named("or"),
        Op::Xor => named("xor"),
        Op::Not => named("not"),
        Op::Eq => named("eq"),
        Op::Ne => plain(format!("!integer_eq({all})")),
        Op::Lt => plain(format!("{less}({all})")),
        Op::Le => plain(format!("!{less}({y}, {x})")),
        Op::Min => plain(format!("select({less}({x}, {y}), {x}, {y})")),
        Op::Max => plain(format!("select({less}({x}, {y}), {y}, {x})")),
        Op::Select => plain(format!("select(!is_zero({x}), {y}, {})", args[2])),
        Op::ShlBy => plain(format!("integer_shift<{}, true>({all})", case.signed)),
        Op::ShrBy => plain(format!("integer_shift<{}, false>({all})", case.signed)),
        Op::Gcd => {
            let of = |x: &String| if case.signed { format!("integer_abs({x})") } else { x.clone() };
            let text = format!("common_divisor({}, {}, jumps)", of(x), of(y));
            Some(Call { text, may_fail: false, steps: true })
        }
        Op::ModInv if case.of_residues => {
            let text = format!("inverse_modulo_odd({all}, jumps)");
            Some(Call { text, may_fail: true, steps: true })
        }
        _ => None,
    }
}
