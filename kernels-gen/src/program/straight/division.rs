//! Divisions and arithmetic modulo numbers by one thread: functions of `templates/divide_thread.cuh`.

use limbforge_algos::op::Op;

use super::cases::{Call, Fails};
use crate::program::lower::Case;
use crate::template::Template;

/// The operation on these numbers; `None` if it divides nothing.
pub(super) fn divided(case: &Case, args: &[String]) -> Option<Call> {
    let signed = case.signed;
    let bits = case.bits.map_or_else(|| "32 * W".to_owned(), |bits| bits.to_string());
    let (all, x, last) = (args.join(", "), &args[0], &args[args.len() - 1]);
    let zero = format!("is_zero({last})");
    let of = |rounded: &str, part: &str| format!("integer_divided<{signed}, {rounded}>({all}).{part}");
    let unsigned = |x: &str| format!("wrapped_number({x}, {bits}, false)");
    let (text, fails) = match case.op {
        Op::Div => (of("TRUNCATED", "quotient"), zero),
        Op::Rem => (of("TRUNCATED", "remainder"), zero),
        Op::DivFloor => (of("FLOORED", "quotient"), zero),
        Op::RemFloor => (of("FLOORED", "remainder"), zero),
        Op::DivEuclid => (of("EUCLIDEAN", "quotient"), zero),
        Op::RemEuclid => (of("EUCLIDEAN", "remainder"), zero),
        Op::DivExact => {
            (of("TRUNCATED", "quotient"), format!("{zero} || !integer_divisible<{signed}>({all})"))
        }
        Op::AddMod => (format!("integer_addmod<{signed}>({all})"), zero),
        Op::SubMod => (format!("integer_submod<{signed}>({all})"), zero),
        Op::MulMod => (format!("integer_mulmod<{signed}>({all})"), zero),
        Op::DivWide => {
            let fits = format!("integer_lt({}, {})", unsigned(x), unsigned(last));
            (format!("integer_div_wide<{bits}>({all})"), format!("!{fits}"))
        }
        Op::RemWide => (format!("integer_rem_wide<{bits}>({all})"), zero),
        Op::ModInv2k => (format!("inverse_of_powers({x})"), format!("({x}.w[0] & 1) == 0")),
        Op::Divisible => {
            let text = format!("integer_divisible<{signed}>({all})");
            return Some(Call { template: Some(Template::DivideThread), ..Call::plain(text) });
        }
        _ => return None,
    };
    Some(Call { fails: Fails::If(fails), template: Some(Template::DivideThread), ..Call::plain(text) })
}
