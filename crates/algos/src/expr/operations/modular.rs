//! Rows of modular arithmetic.

use crate::expr::Op;

super::rows! {
    "modular arithmetic" {
        "addmod" Function Some(Op::AddMod), ["a", "b", "m"] -> Value, "modulus", "(a + b) mod |m| of the exact sum",
            fails [ZeroModulus "m = 0"],
            examples ["addmod(~0, 1, 10)" "u64" "6", "addmod(1, 1, 0)" "u64" "!DIV0"];
        "submod" Function Some(Op::SubMod), ["a", "b", "m"] -> Value, "modulus", "(a - b) mod |m| of the exact difference",
            fails [ZeroModulus "m = 0"], examples ["submod(1, 2, 10)" "u64" "9"];
        "mulmod" Function Some(Op::MulMod), ["a", "b", "m"] -> Value, "modulus", "(a b) mod |m| of the exact product",
            fails [ZeroModulus "m = 0"], examples ["mulmod(~0, ~0, 10)" "u64" "5", "mulmod(-2, 3, 7)" "i64" "1"];
        "powmod" Function Some(Op::PowMod), ["a", "exponent", "m"] -> Value, "powmod", "a^exponent mod |m|",
            fails [NegativeExponent "exponent < 0", ZeroModulus "m = 0"],
            examples ["powmod(3, 100, 7)" "u64" "4", "powmod(0, 0, 7)" "u64" "1", "powmod(0, 0, 1)" "u64" "0",
                      "powmod(1, 1, 0)" "u64" "!DIV0", "powmod(1, -1, 0)" "i64" "!NEGATIVE", "powmod(1, -1, 0)" "u64" "!DIV0"];
        "modinv" Function Some(Op::ModInv), ["a", "m"] -> Value, "modinv", "inverse of a mod |m|, from 0 to |m| - 1",
            fails [DivisionByZero "m = 0", NoInverse "a and m have a common divisor"],
            examples ["modinv(3, 7)" "u64" "5", "modinv(5, 1)" "u64" "0", "modinv(0, 1)" "u64" "0", "modinv(2, 4)" "u64" "!NOINVERSE",
                      "modinv(0, 0)" "u64" "!DIV0"];
        "modinv2k" Function Some(Op::ModInv2k), ["a"] -> Value, "modinv2k", "inverse of a mod 2^N",
            fails [EvenNumber "a is even"],
            examples ["modinv2k(3) * 3" "u64" "1", "modinv2k(2)" "u64" "!EVEN"];
    }
    "Montgomery form, R = 2^N" {
        "to_mont" Function Some(Op::ToMont), ["a", "m"] -> Unsigned, "montgomery", "a R mod m",
            fails [EvenModulus "m is even, as 0 is"],
            examples ["to_mont(1, 7)" "u64" "2", "to_mont(5, 1)" "u64" "0", "to_mont(1, 0)" "u64" "!EVEN"];
        "from_mont" Function Some(Op::FromMont), ["a", "m"] -> Unsigned, "montgomery", "a / R mod m",
            fails [EvenModulus "m is even, as 0 is"], examples ["from_mont(2, 7)" "u64" "1", "from_mont(1, 0)" "u64" "!EVEN"];
        "mont_mul" Function Some(Op::MontMul), ["a", "b", "m"] -> Unsigned, "montgomery", "a b / R mod m",
            fails [EvenModulus "m is even, as 0 is"], examples ["mont_mul(2, 3, 7)" "u64" "3", "mont_mul(1, 1, 0)" "u64" "!EVEN"];
        "mont_reduce" Function Some(Op::MontReduce), ["high", "low", "m"] -> Unsigned, "montgomery",
            "(high R + low) / R mod m",
            fails [EvenModulus "m is even, as 0 is"], examples ["mont_reduce(1, 0, 7)" "u64" "1", "mont_reduce(0, 1, 0)" "u64" "!EVEN"];
    }
}
