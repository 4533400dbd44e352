//! The table of operations: one row for each.
//!
//! A group is a heading of `limbforge functions` and of the page on the language. It has classes
//! ([`Class`](super::Class)), each computed by one file. A row is
//!
//! ```text
//! word = Variant !Why "operands that fail" as [builder]:
//!     Syntax (operand: Domain, ...) [precedence "sign"] -> Outcome + Flag,
//!     "page of docs/", "summary"
//!     { "example" type => "value", ... }
//! ```
//!
//! The builder is a method of `Expr` or a trait of `core::ops`, `[]` is none. Defaults: the builder is the
//! method with the row's word, the name of a function is the word, the domain is `Any`, and the type of an
//! example is u64. Of several failures the first that holds is reported. The first example is typical, the
//! others are at the edges. `word for Variant` is another way to write an operation. Lines of documentation
//! before a variant continue its summary. `table/number_theory.rs` has the rows from the divisions on.
//!
//! From the table come `Op`, `Class`, `Operation` and the methods of `Expr`, and from these the parser,
//! random expressions, `limbforge functions`, the page on the language and the lists of tests.

mod number_theory;

pub(crate) use number_theory::number_theory;

/// Gives the table to the macro `$consumer`.
macro_rules! table {
    ($consumer:ident) => {
        $crate::op::number_theory! { $consumer
"arithmetic" {
    Sum "Sums and differences." {
        add = Add as [Add::add u64]: Infix (a, b) [5 "+"] -> Value + Commutative, "add", "sum mod 2^N"
            { "7 + 5" => "12", "127 + 1" i8 => "-128" }
        sub = Sub as [Sub::sub u64]: Infix (a, b) [5 "-"] -> Value, "sub", "difference mod 2^N"
            { "7 - 5" => "2", "5 - 7" u8 => "254" }
        neg = Neg as [Neg::neg]: Prefix (a) [7 "-"] -> Value, "sub", "negative mod 2^N"
            { "-7 + 8" => "1", "-(-128)" i8 => "-128" }
    }
    Product "Products." {
        mul = Mul as [Mul::mul u64]: Infix (a, b) [6 "*"] -> Value + Commutative,
            "mul_classical", "product mod 2^N" { "7 * 5" => "35" }
        pow as []: Infix (a, exponent: Exponent) [8 "**"] -> Value,
            "expressions", "power mod 2^N; the exponent is a number from 0 to 2^32 - 1"
            { "(1 + 2)**3" => "27", "-2**2" i64 => "-4", "2**3**2" => "512", "0**0" => "1",
              "(1 / 0)**0" => "!DIV0", "(1 + 2)**41" => "18026252303461234787" }
        sqr =
            /// Most paths take less time for it than for a product.
            Sqr: Function (a) -> Value, "mul_tensor", "square mod 2^N" { "sqr(5)" => "25" }
        mulhi = MulHigh as [mul_high]: Function (a, b) -> Value + Commutative,
            "mul_classical", "upper N bits of the product: floor(a b / 2^N)"
            { "mulhi(~0, ~0)" => "18446744073709551614", "mulhi(-1, 1)" i64 => "-1" }
        mul_wide = MulWide: Function (a, b) -> Wide + Commutative,
            "mul_classical", "all 2N bits of the product; only the whole expression"
            { "mul_wide(~0, 3)" => "55340232221128654845" }
        sqr_wide = SqrWide: Function (a) -> Wide,
            "mul_classical", "all 2N bits of the square; only the whole expression"
            { "sqr_wide(9)" => "81", "sqr_wide(-128)" i8 => "16384" }
    }
}
"comparison and choice" {
    Comparison "Comparisons." {
        eq = Eq as [cmp_eq]: Infix (a, b) [0 "=="] -> Truth + Commutative, "cmp", "1 if equal, else 0"
            { "7 == 7" => "1" }
        ne = Ne as [cmp_ne]: Infix (a, b) [0 "!="] -> Truth + Commutative, "cmp", "1 if not equal, else 0"
            { "7 != 7" => "0" }
        lt = Lt as [cmp_lt]: Infix (a, b) [0 "<"] -> Truth, "cmp", "1 if less, else 0"
            { "3 < 7" => "1", "-3 < 7" => "0", "-3 < 7" i64 => "1" }
        le = Le as [cmp_le]: Infix (a, b) [0 "<="] -> Truth, "cmp", "1 if not greater, else 0"
            { "3 <= 7" => "1" }
        gt for Lt as [cmp_gt]: Infix (a, b) [0 ">"] -> Truth + Swapped, "cmp", "1 if greater, else 0"
            { "3 > 7" => "0" }
        ge for Le as [cmp_ge]: Infix (a, b) [0 ">="] -> Truth + Swapped, "cmp", "1 if not less, else 0"
            { "3 >= 7" => "0" }
    }
    Choice "One of the operands." {
        min = Min: Function (a, b) -> Value + Commutative, "cmp", "the smaller number" { "min(3, 7)" => "3" }
        max = Max: Function (a, b) -> Value + Commutative, "cmp", "the larger number" { "max(3, 7)" => "7" }
        select = Select: Function (condition, then, otherwise) -> Value,
            "cmp", "`then` if the condition is not 0, else `otherwise`"
            { "select(3 < 7, 10, 20)" => "10", "select(1, 10, 1 / 0)" => "!DIV0" }
    }
}
"bits" {
    Bitwise "Logic on each bit." {
        or = Or as [BitOr::bitor u64]: Infix (a, b) [1 "|"] -> Value + Commutative, "bits", "bitwise or"
            { "12 | 10" => "14" }
        xor = Xor as [BitXor::bitxor u64]: Infix (a, b) [2 "^"] -> Value + Commutative,
            "bits", "bitwise exclusive or; the power is **" { "12 ^ 0xa" => "6" }
        and = And as [BitAnd::bitand u64]: Infix (a, b) [3 "&"] -> Value + Commutative, "bits", "bitwise and"
            { "12 & 10" => "8" }
        not = Not as [Not::not]: Prefix (a) [7 "~"] -> Value, "bits", "all bits flipped"
            { "~0 >> 60" => "15" }
    }
    Count "Counts of bits." {
        popcount = Popcount: Function (a) -> Count, "bits", "number of ones" { "popcount(255)" => "8" }
        clz = Clz: Function (a) -> Count, "bits", "number of zeros above the highest one"
            { "clz(1)" => "63", "clz(0)" => "64" }
        ctz = Ctz: Function (a) -> Count, "bits", "number of zeros below the lowest one"
            { "ctz(8)" => "3", "ctz(0)" => "64" }
    }
}
"shifts and rotations" {
    Shift "Shifts by an operand, and rotations." {
        shl = ShlBy as [Shl::shl u32]: Infix (a, n: Amount) [4 "<<"] -> Value,
            "shift", "floor(a 2^n) mod 2^N; a negative n shifts right"
            { "3 << 4" => "48", "48 << -4" => "3", "5 << 4294967296" => "0",
              "5 << -18446744073709551615" => "0", "-5 << -18446744073709551615" i64 => "-1" }
        shr = ShrBy as [Shr::shr u32]: Infix (a, n: Amount) [4 ">>"] -> Value,
            "shift", "floor(a / 2^n) mod 2^N; a negative n shifts left"
            { "48 >> 4" => "3", "-5 >> 1" i64 => "-3", "-5 >> 200" i64 => "-1" }
        shl_function for ShlBy as []: Function (a, n: Amount) [255 "shl"] -> Value, "shift", "a << n"
            { "shl(3, 4)" => "48" }
        shr_function for ShrBy as []: Function (a, n: Amount) [255 "shr"] -> Value, "shift", "a >> n"
            { "shr(48, 4)" => "3" }
        rotl = Rotl(n: Amount): Function (a, n: Amount) -> Value, "shift", "a rotated left by n mod N bits"
            { "rotl(0x81, 1)" u8 => "3", "rotl(0x81, -1)" u8 => "192",
              "rotl(0x81, 0xffffffffffffffff)" u8 => "192" }
        rotr = Rotr(n: Amount): Function (a, n: Amount) -> Value, "shift", "a rotated right by n mod N bits"
            { "rotr(3, 1)" u8 => "129" }
    }
}
"fields of bits" {
    Field "Fields of bits, and masks." {
        extract =
            /// Bits from N on are zeros, or copies of the sign of a signed number; bits below 0 are zeros.
            /// A length of 0 or less is an empty field.
            Extract { start: Amount, length: Amount }: Function (a, start: Amount, length: Amount) -> Value,
            "bits", "`length` bits of a from bit `start` on: floor(a / 2^start) mod 2^length"
            { "extract(0xabcd, 4, 8)" => "188", "extract(0xabcd, 0, -1)" => "0",
              "extract(0xab, -4, 8)" => "176", "extract(-1, 64, 4)" i64 => "15" }
        insert =
            /// Only bits within the N bits are replaced. Start and length are exact, however large they are.
            Insert { start: Amount, length: Amount }:
            Function (a, b, start: Amount, length: Amount) -> Value,
            "bits", "a with its bits start .. start + length - 1 replaced by the lowest bits of b"
            { "insert(0xabcd, 0, 4, 8)" => "40973", "insert(0, 7, 6, 8)" u8 => "192",
              "insert(5, 7, 8, 8)" u8 => "5", "insert(5, 6, -1, 3)" u8 => "7",
              "insert(5, 7, 0, 0)" u8 => "5",
              "insert(0, -1, -18446744073709551616, 18446744073709551620)" i8 => "15" }
        mask =
            /// All N bits are ones from `|n| = N` on.
            Mask(n: Amount): Function (n: Amount) -> Value,
            "bits", "ones in the lowest n bits; in the highest -n for a negative n"
            { "mask(4)" u8 => "15", "mask(-4)" u8 => "240", "mask(100)" u8 => "255" }
        mask_high =
            /// All N bits are ones from `|n| = N` on.
            MaskHigh(n: Amount): Function (n: Amount) -> Value,
            "bits", "ones in the highest n bits; in the lowest -n for a negative n"
            { "mask_high(4)" u8 => "240" }
    }
}
        }
    };
}
pub(crate) use table;
