//! The operators and functions of the expression language.

use super::{Amount, Op};

/// The functions of the language, with the names of their operands.
pub const FUNCTIONS: [(&str, Op, &[&str]); 46] = [
    ("sqr", Op::Sqr, &["a"]),
    ("mulhi", Op::MulHigh, &["a", "b"]),
    ("mul_wide", Op::MulWide, &["a", "b"]),
    ("sqr_wide", Op::SqrWide, &["a"]),
    ("div_euclid", Op::DivEuclid, &["a", "b"]),
    ("rem_euclid", Op::RemEuclid, &["a", "b"]),
    ("div_exact", Op::DivExact, &["a", "b"]),
    ("divisible", Op::Divisible, &["a", "b"]),
    ("gcd", Op::Gcd, &["a", "b"]),
    ("lcm", Op::Lcm, &["a", "b"]),
    ("isqrt", Op::Isqrt, &["a"]),
    ("modinv", Op::ModInv, &["a", "m"]),
    ("powmod", Op::PowMod, &["a", "exponent", "m"]),
    ("shl", Op::ShlBy, &["a", "n"]),
    ("shr", Op::ShrBy, &["a", "n"]),
    ("rotl", Op::Rotl(Amount::Operand), &["a", "n"]),
    ("rotr", Op::Rotr(Amount::Operand), &["a", "n"]),
    ("popcount", Op::Popcount, &["a"]),
    ("clz", Op::Clz, &["a"]),
    ("ctz", Op::Ctz, &["a"]),
    ("extract", Op::Extract { start: Amount::Operand, length: Amount::Operand }, &["a", "start", "length"]),
    (
        "insert",
        Op::Insert { start: Amount::Operand, length: Amount::Operand },
        &["a", "b", "start", "length"],
    ),
    ("mask", Op::Mask(Amount::Operand), &["n"]),
    ("mask_high", Op::MaskHigh(Amount::Operand), &["n"]),
    ("addmod", Op::AddMod, &["a", "b", "m"]),
    ("submod", Op::SubMod, &["a", "b", "m"]),
    ("mulmod", Op::MulMod, &["a", "b", "m"]),
    ("div_wide", Op::DivWide, &["high", "low", "divisor"]),
    ("rem_wide", Op::RemWide, &["high", "low", "divisor"]),
    ("to_mont", Op::ToMont, &["a", "m"]),
    ("from_mont", Op::FromMont, &["a", "m"]),
    ("mont_mul", Op::MontMul, &["a", "b", "m"]),
    ("mont_reduce", Op::MontReduce, &["high", "low", "m"]),
    ("modinv2k", Op::ModInv2k, &["a"]),
    ("xgcd_x", Op::XgcdX, &["a", "b"]),
    ("xgcd_y", Op::XgcdY, &["a", "b"]),
    ("jacobi", Op::Jacobi, &["a", "n"]),
    ("root", Op::Root, &["a", "k"]),
    ("isqrt_rem", Op::IsqrtRem, &["a"]),
    ("is_square", Op::IsSquare, &["a"]),
    ("is_perfect_power", Op::IsPerfectPower, &["a"]),
    ("is_prime", Op::IsPrime, &["n"]),
    ("is_strong_probable_prime", Op::IsStrongProbablePrime, &["n", "base"]),
    ("min", Op::Min, &["a", "b"]),
    ("max", Op::Max, &["a", "b"]),
    ("select", Op::Select, &["condition", "then", "otherwise"]),
];

/// Binary operators by precedence, loosest first; an operator associates to the left.
pub(super) const LEVELS: [&[(&str, Op)]; 5] = [
    &[("|", Op::Or)],
    &[("^", Op::Xor)],
    &[("&", Op::And)],
    &[("+", Op::Add), ("-", Op::Sub)],
    &[("*", Op::Mul), ("/", Op::Div), ("%", Op::Rem)],
];

/// The level above which shifts stand, which take no sum or product on their right without parentheses.
pub(super) const SHIFT_LEVEL: usize = 3;

/// The functions, with commas between.
pub(super) fn function_names() -> String {
    FUNCTIONS.map(|(name, ..)| name).join(", ")
}
