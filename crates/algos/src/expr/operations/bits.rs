//! Rows of operations on bits.

use crate::expr::{Amount, Op};

super::rows! {
    "bits" {
        "|" Infix Some(Op::Or), ["a", "b"] -> Value, "bits", "bitwise or", examples ["12 | 10" "u64" "14"];
        "^" Infix Some(Op::Xor), ["a", "b"] -> Value, "bits", "bitwise exclusive or; the power is **",
            examples ["12 ^ 0xa" "u64" "6"];
        "&" Infix Some(Op::And), ["a", "b"] -> Value, "bits", "bitwise and", examples ["12 & 10" "u64" "8"];
        "~" Prefix Some(Op::Not), ["a"] -> Value, "bits", "all bits flipped", examples ["~0 >> 60" "u64" "15"];
        "popcount" Function Some(Op::Popcount), ["a"] -> Count, "bits", "number of ones",
            examples ["popcount(255)" "u64" "8"];
        "clz" Function Some(Op::Clz), ["a"] -> Count, "bits", "number of zeros above the highest one",
            examples ["clz(1)" "u64" "63", "clz(0)" "u64" "64"];
        "ctz" Function Some(Op::Ctz), ["a"] -> Count, "bits", "number of zeros below the lowest one",
            examples ["ctz(8)" "u64" "3", "ctz(0)" "u64" "64"];
    }
    "shifts and rotations" {
        "<<" Infix Some(Op::ShlBy), ["a", "n"] -> Value, "shift", "floor(a 2^n) mod 2^N; a negative n shifts right",
            examples ["3 << 4" "u64" "48", "48 << -4" "u64" "3", "5 << 4294967296" "u64" "0",
                      "5 << -18446744073709551615" "u64" "0", "-5 << -18446744073709551615" "i64" "-1"];
        ">>" Infix Some(Op::ShrBy), ["a", "n"] -> Value, "shift", "floor(a / 2^n) mod 2^N; a negative n shifts left",
            examples ["48 >> 4" "u64" "3", "-5 >> 1" "i64" "-3", "-5 >> 200" "i64" "-1"];
        "shl" Function Some(Op::ShlBy), ["a", "n"] -> Value, "shift", "a << n", examples ["shl(3, 4)" "u64" "48"];
        "shr" Function Some(Op::ShrBy), ["a", "n"] -> Value, "shift", "a >> n", examples ["shr(48, 4)" "u64" "3"];
        "rotl" Function Some(Op::Rotl(Amount::Operand)), ["a", "n"] -> Value, "shift", "a rotated left by n mod N bits",
            examples ["rotl(0x81, 1)" "u8" "3", "rotl(0x81, -1)" "u8" "192", "rotl(0x81, 0xffffffffffffffff)" "u8" "192"];
        "rotr" Function Some(Op::Rotr(Amount::Operand)), ["a", "n"] -> Value, "shift", "a rotated right by n mod N bits",
            examples ["rotr(3, 1)" "u8" "129"];
    }
    "fields of bits" {
        "extract" Function Some(Op::Extract { start: Amount::Operand, length: Amount::Operand }),
            ["a", "start", "length"] -> Value, "bits", "`length` bits of a from bit `start` on: floor(a / 2^start) mod 2^length",
            examples ["extract(0xabcd, 4, 8)" "u64" "188", "extract(0xabcd, 0, -1)" "u64" "0", "extract(0xab, -4, 8)" "u64" "176",
                      "extract(-1, 64, 4)" "i64" "15"];
        "insert" Function Some(Op::Insert { start: Amount::Operand, length: Amount::Operand }),
            ["a", "b", "start", "length"] -> Value, "bits",
            "a with its bits start .. start + length - 1 replaced by the lowest bits of b",
            examples ["insert(0xabcd, 0, 4, 8)" "u64" "40973", "insert(0, 7, 6, 8)" "u8" "192", "insert(5, 7, 8, 8)" "u8" "5",
                      "insert(5, 6, -1, 3)" "u8" "7", "insert(5, 7, 0, 0)" "u8" "5",
                      "insert(0, -1, -18446744073709551616, 18446744073709551620)" "i8" "15"];
        "mask" Function Some(Op::Mask(Amount::Operand)), ["n"] -> Value, "bits",
            "ones in the lowest n bits; in the highest -n for a negative n",
            examples ["mask(4)" "u8" "15", "mask(-4)" "u8" "240", "mask(100)" "u8" "255"];
        "mask_high" Function Some(Op::MaskHigh(Amount::Operand)), ["n"] -> Value, "bits",
            "ones in the highest n bits; in the lowest -n for a negative n",
            examples ["mask_high(4)" "u8" "240"];
    }
}
