//! Operations on integers by one thread.

use limbforge_algos::op::Op;

use super::division::divided;

use crate::program::lower::Case;
use crate::template::Template;

/// A call of a function of `templates/thread_numbers.cuh` and its like.
pub(super) struct Call {
    pub(super) text: String,
    pub(super) fails: Fails,
    /// Whether it takes division steps.
    pub(super) steps: bool,
    /// The template of its function, besides those of all kernels.
    pub(super) template: Option<Template>,
}

/// When an operation fails.
pub(super) enum Fails {
    Never,
    /// Its result is an `Inverse`, which says so.
    Inverse,
    /// Before it, where a condition holds.
    If(String),
}

/// The operation on these numbers; `None` if a thread alone does not compute it.
pub(super) fn call(case: &Case, args: &[String]) -> Option<Call> {
    let plain = |text: String| Some(Call::plain(text));
    let all = args.join(", ");
    let less = if case.signed { "integer_lt_signed" } else { "integer_lt" };
    let (x, y) = (&args[0], args.get(1).unwrap_or(&args[0]));
    let named = |name: &str| plain(format!("integer_{name}({all})"));
    match case.op {
        Op::Shl(n) => plain(format!("shifted_left({x}, {n})")),
        Op::Shr(n) if case.signed => plain(format!("shifted_right({x}, {n}, is_negative({x}) ? ~0u : 0)")),
        Op::Shr(n) => plain(format!("shifted_right({x}, {n}, 0)")),
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
            Some(Call { steps: true, ..Call::plain(text) })
        }
        Op::ModInv if case.of_residues => {
            let text = format!("inverse_modulo_odd({all}, jumps)");
            Some(Call { steps: true, fails: Fails::Inverse, ..Call::plain(text) })
        }
        Op::Lcm => {
            let of = |x: &String| if case.signed { format!("integer_abs({x})") } else { x.clone() };
            let text = format!("common_multiple({}, {}, jumps)", of(x), of(y));
            Some(Call { steps: true, template: Some(Template::DivideThread), ..Call::plain(text) })
        }
        _ => of_bits(case, &all).or_else(|| divided(case, args)).or_else(|| rooted(case, x)),
    }
}

impl Call {
    /// A call that never fails, of a function that all kernels have.
    pub(super) const fn plain(text: String) -> Self {
        Self { text, fails: Fails::Never, steps: false, template: None }
    }
}

/// Counts of bits, rotations, fields, upper halves of products: functions of `templates/bits_thread.cuh`.
fn of_bits(case: &Case, all: &str) -> Option<Call> {
    let bits = case.bits.map_or_else(|| "32 * W".to_owned(), |bits| bits.to_string());
    let signed = case.signed;
    let text = match case.op {
        Op::Popcount => format!("count_ones({all}, {bits})"),
        Op::Clz => format!("leading_zeros({all}, {bits})"),
        Op::Ctz => format!("trailing_zeros({all}, {bits})"),
        Op::Rotl(_) => format!("integer_rotated<{signed}, {bits}, true>({all})"),
        Op::Rotr(_) => format!("integer_rotated<{signed}, {bits}, false>({all})"),
        Op::Extract { .. } => format!("integer_extract<{signed}, {bits}>({all})"),
        Op::Insert { .. } => format!("integer_insert<{signed}, {bits}>({all})"),
        Op::Mask(_) => format!("integer_mask<{signed}, {bits}>({all})"),
        Op::MaskHigh(_) => format!("integer_mask_high<{signed}, {bits}>({all})"),
        Op::MulHigh => format!("integer_mul_high<{signed}, {bits}>({all})"),
        _ => return None,
    };
    Some(Call { template: Some(Template::BitsThread), ..Call::plain(text) })
}

/// Square roots: functions of `templates/root_thread.cuh`.
fn rooted(case: &Case, x: &str) -> Option<Call> {
    let negative = |otherwise| if case.signed { Fails::If(format!("is_negative({x})")) } else { otherwise };
    let (text, fails) = match case.op {
        Op::Isqrt => (format!("square_root({x}).root"), negative(Fails::Never)),
        Op::IsqrtRem => (format!("square_root({x}).rest"), negative(Fails::Never)),
        Op::IsSquare => {
            let above = if case.signed { format!("!is_negative({x}) && ") } else { String::new() };
            (format!("{above}is_zero(square_root({x}).rest)"), Fails::Never)
        }
        _ => return None,
    };
    Some(Call { fails, template: Some(Template::RootThread), ..Call::plain(text) })
}
