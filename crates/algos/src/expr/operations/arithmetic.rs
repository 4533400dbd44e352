//! Rows of arithmetic, comparisons and choices.

use crate::expr::Op;

super::rows! {
    "arithmetic" {
        "+" Infix Some(Op::Add), ["a", "b"] -> Value, "add", "sum mod 2^N",
            examples ["7 + 5" "u64" "12", "127 + 1" "i8" "-128"];
        "-" Infix Some(Op::Sub), ["a", "b"] -> Value, "sub", "difference mod 2^N",
            examples ["7 - 5" "u64" "2", "5 - 7" "u8" "254"];
        "-" Prefix Some(Op::Neg), ["a"] -> Value, "sub", "negative mod 2^N",
            examples ["-7 + 8" "u64" "1", "-(-128)" "i8" "-128"];
        "*" Infix Some(Op::Mul), ["a", "b"] -> Value, "mul_classical", "product mod 2^N",
            examples ["7 * 5" "u64" "35"];
        "**" Infix None, ["a", "exponent"] -> Value, "expressions",
            "power mod 2^N; the exponent is a number from 0 to 2^32 - 1",
            examples ["(1 + 2)**3" "u64" "27", "-2**2" "i64" "-4", "2**3**2" "u64" "512", "0**0" "u64" "1",
                      "(1 / 0)**0" "u64" "!DIV0", "(1 + 2)**41" "u64" "18026252303461234787"];
        "sqr" Function Some(Op::Sqr), ["a"] -> Value, "mul_tensor", "square mod 2^N",
            examples ["sqr(5)" "u64" "25"];
        "mulhi" Function Some(Op::MulHigh), ["a", "b"] -> Value, "mul_classical",
            "upper N bits of the product: floor(a b / 2^N)",
            examples ["mulhi(~0, ~0)" "u64" "18446744073709551614", "mulhi(-1, 1)" "i64" "-1"];
        "mul_wide" Function Some(Op::MulWide), ["a", "b"] -> Wide, "mul_classical",
            "all 2N bits of the product; only the whole expression",
            examples ["mul_wide(~0, 3)" "u64" "55340232221128654845"];
        "sqr_wide" Function Some(Op::SqrWide), ["a"] -> Wide, "mul_classical",
            "all 2N bits of the square; only the whole expression",
            examples ["sqr_wide(9)" "u64" "81", "sqr_wide(-128)" "i8" "16384"];
    }
    "comparison and choice" {
        "==" Infix Some(Op::Eq), ["a", "b"] -> Truth, "cmp", "1 if equal, else 0", examples ["7 == 7" "u64" "1"];
        "!=" Infix Some(Op::Ne), ["a", "b"] -> Truth, "cmp", "1 if not equal, else 0", examples ["7 != 7" "u64" "0"];
        "<" Infix Some(Op::Lt), ["a", "b"] -> Truth, "cmp", "1 if less, else 0",
            examples ["3 < 7" "u64" "1", "-3 < 7" "u64" "0", "-3 < 7" "i64" "1"];
        "<=" Infix Some(Op::Le), ["a", "b"] -> Truth, "cmp", "1 if not greater, else 0", examples ["3 <= 7" "u64" "1"];
        ">" Infix Some(Op::Lt), ["a", "b"] -> Truth, "cmp", "1 if greater, else 0", examples ["3 > 7" "u64" "0"];
        ">=" Infix Some(Op::Le), ["a", "b"] -> Truth, "cmp", "1 if not less, else 0", examples ["3 >= 7" "u64" "0"];
        "min" Function Some(Op::Min), ["a", "b"] -> Value, "cmp", "the smaller number", examples ["min(3, 7)" "u64" "3"];
        "max" Function Some(Op::Max), ["a", "b"] -> Value, "cmp", "the larger number", examples ["max(3, 7)" "u64" "7"];
        "select" Function Some(Op::Select), ["condition", "then", "otherwise"] -> Value, "cmp",
            "`then` if the condition is not 0, else `otherwise`",
            examples ["select(3 < 7, 10, 20)" "u64" "10", "select(1, 10, 1 / 0)" "u64" "!DIV0"];
    }
}
