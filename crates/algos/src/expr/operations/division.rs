//! Rows of divisions and greatest common divisors.

use crate::expr::Op;

super::rows! {
    "division" {
        "/" Infix Some(Op::Div), ["a", "b"] -> Value, "div", "quotient rounded towards 0",
            fails [DivisionByZero "b = 0"],
            examples ["47 / 5" "u64" "9", "-47 / 5" "i64" "-9", "-128 / -1" "i8" "-128", "1 / 0" "u64" "!DIV0"];
        "%" Infix Some(Op::Rem), ["a", "b"] -> Value, "div", "remainder of /, with the sign of a",
            fails [DivisionByZero "b = 0"],
            examples ["47 % 5" "u64" "2", "-47 % 5" "i64" "-2", "1 % 0" "u64" "!DIV0"];
        "div_euclid" Function Some(Op::DivEuclid), ["a", "b"] -> Value, "div", "quotient whose remainder is rem_euclid",
            fails [DivisionByZero "b = 0"],
            examples ["div_euclid(47, 5)" "u64" "9", "div_euclid(-47, 5)" "i64" "-10"];
        "rem_euclid" Function Some(Op::RemEuclid), ["a", "b"] -> Value, "div", "a mod |b|, from 0 to |b| - 1",
            fails [DivisionByZero "b = 0"],
            examples ["rem_euclid(47, 5)" "u64" "2", "rem_euclid(-47, 5)" "i64" "3"];
        "div_exact" Function Some(Op::DivExact), ["a", "b"] -> Value, "div", "quotient of a division without remainder",
            fails [DivisionByZero "b = 0", NotDivisible "b does not divide a"],
            examples ["div_exact(45, 5)" "u64" "9", "div_exact(46, 5)" "u64" "!INEXACT", "div_exact(1, 0)" "u64" "!DIV0"];
        "divisible" Function Some(Op::Divisible), ["a", "b"] -> Truth, "div", "1 if a is a multiple of b, else 0",
            examples ["divisible(45, 5)" "u64" "1", "divisible(5, 0)" "u64" "0", "divisible(0, 0)" "u64" "1"];
        "div_wide" Function Some(Op::DivWide), ["high", "low", "divisor"] -> Unsigned, "div",
            "floor((high 2^N + low) / divisor)",
            fails [DivisionByZero "divisor = 0", LongQuotient "high >= divisor"],
            examples ["div_wide(1, 2, 7)" "u64" "2635249153387078802", "div_wide(7, 0, 7)" "u64" "!OVERFLOW",
                      "div_wide(0, 0, 0)" "u64" "!DIV0"];
        "rem_wide" Function Some(Op::RemWide), ["high", "low", "divisor"] -> Unsigned, "div",
            "(high 2^N + low) mod divisor",
            fails [DivisionByZero "divisor = 0"],
            examples ["rem_wide(1, 2, 7)" "u64" "4", "rem_wide(9, 0, 7)" "u64" "4"];
    }
    "common divisors" {
        "gcd" Function Some(Op::Gcd), ["a", "b"] -> Value, "gcd", "greatest common divisor of |a| and |b|",
            examples ["gcd(12, 18)" "u64" "6", "gcd(0, 5)" "u64" "5", "gcd(0, 0)" "u64" "0"];
        "lcm" Function Some(Op::Lcm), ["a", "b"] -> Value, "gcd", "least common multiple of |a| and |b|, mod 2^N",
            examples ["lcm(12, 18)" "u64" "36", "lcm(0, 0)" "u64" "0", "lcm(100, 99)" "u8" "172"];
        "xgcd_x" Function Some(Op::XgcdX), ["a", "b"] -> Value, "xgcd",
            "Bezout coefficient x of x a + y b = gcd(a, b), the smallest, mod 2^N",
            examples ["xgcd_x(18, 12)" "u64" "1", "xgcd_x(0, 0)" "u64" "0"];
        "xgcd_y" Function Some(Op::XgcdY), ["a", "b"] -> Value, "xgcd",
            "Bezout coefficient y of x a + y b = gcd(a, b), the smallest, mod 2^N",
            examples ["xgcd_y(18, 12)" "i64" "-1", "xgcd_y(0, 0)" "u64" "0"];
        "jacobi" Function Some(Op::Jacobi), ["a", "n"] -> Value, "jacobi", "Jacobi symbol (a / |n|): 0, 1 or -1, mod 2^N",
            fails [EvenModulus "n is even, as 0 is"],
            examples ["jacobi(2, 7)" "u64" "1", "jacobi(3, 7)" "i64" "-1", "jacobi(3, 9)" "u64" "0", "jacobi(0, 1)" "u64" "1",
                      "jacobi(1, 0)" "u64" "!EVEN"];
    }
}
