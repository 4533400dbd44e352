//! The table of operations: one row for each.
//!
//! A group is a heading of `limbforge functions` and of the page on the language. Operations of a group stand
//! in classes; a class is what one file computes ([`Class`](super::Class)). A row is
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
//! before a variant continue its summary.
//!
//! From the table come `Op`, `Class`, `Operation` and the methods of `Expr`, and from these the parser,
//! random expressions, `limbforge functions`, the page on the language and the lists of tests.

/// Gives the table to the macro `$consumer`.
macro_rules! table {
    ($consumer:ident) => {
        $consumer! {
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
            "mul_classical", "product mod 2^N"
            { "7 * 5" => "35" }
        pow as []: Infix (a, exponent: Exponent) [8 "**"] -> Value,
            "expressions", "power mod 2^N; the exponent is a number from 0 to 2^32 - 1"
            { "(1 + 2)**3" => "27", "-2**2" i64 => "-4", "2**3**2" => "512", "0**0" => "1",
              "(1 / 0)**0" => "!DIV0", "(1 + 2)**41" => "18026252303461234787" }
        sqr =
            /// Most paths take less time for it than for a product.
            Sqr: Function (a) -> Value, "mul_tensor", "square mod 2^N"
            { "sqr(5)" => "25" }
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
        min = Min: Function (a, b) -> Value + Commutative, "cmp", "the smaller number"
            { "min(3, 7)" => "3" }
        max = Max: Function (a, b) -> Value + Commutative, "cmp", "the larger number"
            { "max(3, 7)" => "7" }
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
            "bits", "bitwise exclusive or; the power is **"
            { "12 ^ 0xa" => "6" }
        and = And as [BitAnd::bitand u64]: Infix (a, b) [3 "&"] -> Value + Commutative, "bits", "bitwise and"
            { "12 & 10" => "8" }
        not = Not as [Not::not]: Prefix (a) [7 "~"] -> Value, "bits", "all bits flipped"
            { "~0 >> 60" => "15" }
    }
    Count "Counts of bits." {
        popcount = Popcount: Function (a) -> Count, "bits", "number of ones"
            { "popcount(255)" => "8" }
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
"division" {
    Division "Divisions by a number of N bits." {
        div =
            /// The one quotient that does not fit, of the smallest number by -1, wraps to itself.
            Div !DivisionByZero "b = 0" as [Div::div u64]: Infix (a, b: NonZero) [6 "/"] -> Value,
            "div", "quotient rounded towards 0"
            { "47 / 5" => "9", "-47 / 5" i64 => "-9", "-128 / -1" i8 => "-128", "1 / 0" => "!DIV0" }
        rem = Rem !DivisionByZero "b = 0" as [Rem::rem u64]: Infix (a, b: NonZero) [6 "%"] -> Value,
            "div", "remainder of /, with the sign of a"
            { "47 % 5" => "2", "-47 % 5" i64 => "-2", "1 % 0" => "!DIV0" }
        div_euclid = DivEuclid !DivisionByZero "b = 0": Function (a, b: NonZero) -> Value,
            "div", "quotient whose remainder is rem_euclid"
            { "div_euclid(47, 5)" => "9", "div_euclid(-47, 5)" i64 => "-10" }
        rem_euclid = RemEuclid !DivisionByZero "b = 0": Function (a, b: NonZero) -> Value,
            "div", "a mod |b|, from 0 to |b| - 1"
            { "rem_euclid(47, 5)" => "2", "rem_euclid(-47, 5)" i64 => "3" }
        div_exact = DivExact !DivisionByZero "b = 0" !NotDivisible "b does not divide a":
            Function (a: Multiple, b: NonZero) -> Value,
            "div", "quotient of a division without remainder"
            { "div_exact(45, 5)" => "9", "div_exact(46, 5)" => "!INEXACT", "div_exact(1, 0)" => "!DIV0" }
        divisible =
            /// The only multiple of 0 is 0.
            Divisible: Function (a, b) -> Truth, "div", "1 if a is a multiple of b, else 0"
            { "divisible(45, 5)" => "1", "divisible(5, 0)" => "0", "divisible(0, 0)" => "1" }
    }
    WideDivision "Divisions of a number of 2N bits: two operands, whose bits are read as unsigned." {
        div_wide = DivWide !DivisionByZero "divisor = 0" !LongQuotient "high >= divisor":
            Function (high: Below, low, divisor: NonZero) -> Unsigned,
            "div", "floor((high 2^N + low) / divisor)"
            { "div_wide(1, 2, 7)" => "2635249153387078802", "div_wide(7, 0, 7)" => "!OVERFLOW",
              "div_wide(0, 0, 0)" => "!DIV0" }
        rem_wide = RemWide !DivisionByZero "divisor = 0":
            Function (high, low, divisor: NonZero) -> Unsigned,
            "div", "(high 2^N + low) mod divisor"
            { "rem_wide(1, 2, 7)" => "4", "rem_wide(9, 0, 7)" => "4" }
    }
}
"common divisors" {
    Gcd "Greatest common divisors, and what their algorithm computes." {
        gcd = Gcd: Function (a, b) -> Value + Commutative, "gcd", "greatest common divisor of |a| and |b|"
            { "gcd(12, 18)" => "6", "gcd(0, 5)" => "5", "gcd(0, 0)" => "0" }
        lcm = Lcm: Function (a, b) -> Value + Commutative,
            "gcd", "least common multiple of |a| and |b|, mod 2^N"
            { "lcm(12, 18)" => "36", "lcm(0, 0)" => "0", "lcm(100, 99)" u8 => "172" }
        xgcd_x = XgcdX: Function (a, b) -> Value,
            "xgcd", "Bezout coefficient x of x a + y b = gcd(a, b), the smallest, mod 2^N"
            { "xgcd_x(18, 12)" => "1", "xgcd_x(0, 0)" => "0" }
        xgcd_y = XgcdY: Function (a, b) -> Value,
            "xgcd", "Bezout coefficient y of x a + y b = gcd(a, b), the smallest, mod 2^N"
            { "xgcd_y(18, 12)" i64 => "-1", "xgcd_y(0, 0)" => "0" }
        jacobi = Jacobi !EvenModulus "n is even, as 0 is": Function (a, n: Odd) -> Value,
            "jacobi", "Jacobi symbol (a / |n|): 0, 1 or -1, mod 2^N"
            { "jacobi(2, 7)" => "1", "jacobi(3, 7)" i64 => "-1", "jacobi(3, 9)" => "0",
              "jacobi(0, 1)" => "1", "jacobi(1, 0)" => "!EVEN" }
    }
}
"modular arithmetic" {
    Modular "Arithmetic modulo an operand, or modulo 2^N." {
        addmod = AddMod !ZeroModulus "m = 0": Function (a, b, m: NonZero) -> Value,
            "modulus", "(a + b) mod |m| of the exact sum"
            { "addmod(~0, 1, 10)" => "6", "addmod(1, 1, 0)" => "!DIV0" }
        submod = SubMod !ZeroModulus "m = 0": Function (a, b, m: NonZero) -> Value,
            "modulus", "(a - b) mod |m| of the exact difference"
            { "submod(1, 2, 10)" => "9" }
        mulmod = MulMod !ZeroModulus "m = 0": Function (a, b, m: NonZero) -> Value,
            "modulus", "(a b) mod |m| of the exact product"
            { "mulmod(~0, ~0, 10)" => "5", "mulmod(-2, 3, 7)" i64 => "1" }
        powmod =
            /// `0^0` is `1 mod |m|`.
            PowMod !NegativeExponent "exponent < 0" !ZeroModulus "m = 0":
            Function (a, exponent: NotNegative, m: NonZero) -> Value + Slow,
            "powmod", "a^exponent mod |m|"
            { "powmod(3, 100, 7)" => "4", "powmod(0, 0, 7)" => "1", "powmod(0, 0, 1)" => "0",
              "powmod(1, 1, 0)" => "!DIV0", "powmod(1, -1, 0)" i64 => "!NEGATIVE",
              "powmod(1, -1, 0)" => "!DIV0" }
        modinv = ModInv !DivisionByZero "m = 0" !NoInverse "a and m have a common divisor":
            Function (a: Odd, m) -> Value,
            "modinv", "inverse of a mod |m|, from 0 to |m| - 1"
            { "modinv(3, 7)" => "5", "modinv(5, 1)" => "0", "modinv(0, 1)" => "0",
              "modinv(2, 4)" => "!NOINVERSE", "modinv(0, 0)" => "!DIV0" }
        modinv2k = ModInv2k !EvenNumber "a is even": Function (a: Odd) -> Value,
            "modinv2k", "inverse of a mod 2^N"
            { "modinv2k(3) * 3" => "1", "modinv2k(2)" => "!EVEN" }
    }
}
"Montgomery form, R = 2^N" {
    Montgomery "Arithmetic in Montgomery form: the bits of all operands are read as unsigned." {
        to_mont = ToMont !EvenModulus "m is even, as 0 is": Function (a, m: Odd) -> Unsigned,
            "montgomery", "a R mod m"
            { "to_mont(1, 7)" => "2", "to_mont(5, 1)" => "0", "to_mont(1, 0)" => "!EVEN" }
        from_mont = FromMont !EvenModulus "m is even, as 0 is": Function (a, m: Odd) -> Unsigned,
            "montgomery", "a / R mod m"
            { "from_mont(2, 7)" => "1", "from_mont(1, 0)" => "!EVEN" }
        mont_mul = MontMul !EvenModulus "m is even, as 0 is": Function (a, b, m: Odd) -> Unsigned,
            "montgomery", "a b / R mod m"
            { "mont_mul(2, 3, 7)" => "3", "mont_mul(1, 1, 0)" => "!EVEN" }
        mont_reduce = MontReduce !EvenModulus "m is even, as 0 is":
            Function (high, low, m: Odd) -> Unsigned,
            "montgomery", "(high R + low) / R mod m"
            { "mont_reduce(1, 0, 7)" => "1", "mont_reduce(0, 1, 0)" => "!EVEN" }
    }
}
"roots and powers" {
    Root "Roots, and tests for powers." {
        isqrt = Isqrt !Negative "a < 0": Function (a: NotNegative) -> Value,
            "isqrt", "square root rounded down"
            { "isqrt(99)" => "9", "isqrt(0)" => "0", "isqrt(-1)" i64 => "!NEGATIVE" }
        isqrt_rem = IsqrtRem !Negative "a < 0": Function (a: NotNegative) -> Value,
            "isqrt", "a - isqrt(a)^2"
            { "isqrt_rem(99)" => "18", "isqrt_rem(-1)" i64 => "!NEGATIVE" }
        is_square = IsSquare: Function (a) -> Truth, "isqrt", "1 if a is a square, as 0 is, else 0"
            { "is_square(99)" => "0", "is_square(0)" => "1", "is_square(-4)" i64 => "0" }
        root = Root !NoDegree "k <= 0" !Negative "a < 0 and k is even":
            Function (a: NotNegative, k: Degree) -> Value,
            "root", "k-th root rounded down"
            { "root(1000, 3)" => "10", "root(-9, 3)" i64 => "-3", "root(7, 100)" => "1",
              "root(-4, 2)" i64 => "!NEGATIVE", "root(-4, 0)" i64 => "!DEGREE" }
        is_perfect_power = IsPerfectPower: Function (a) -> Truth + Slow,
            "perfect_power", "1 if a is x^k with k >= 2, as 0, 1 and -1 are, else 0"
            { "is_perfect_power(128)" => "1", "is_perfect_power(-8)" i64 => "1",
              "is_perfect_power(-4)" i64 => "0" }
    }
}
"primes" {
    Primality "Tests of primality." {
        is_prime =
            /// Numbers of 1 and less are not prime.
            IsPrime: Function (n: Odd) -> Truth + Slow,
            "primality", "1 if n is prime; certain below 2^64, above it no composite number is known to pass"
            { "is_prime(91)" => "0", "is_prime(2)" => "1", "is_prime(1)" => "0", "is_prime(-7)" i64 => "0" }
        is_strong_probable_prime =
            /// All primes pass, and numbers of 1 and less do not. An odd number above 1 passes to all
            /// multiples of itself as bases, 0 among them.
            IsStrongProbablePrime: Function (n, base) -> Truth + Slow,
            "primality", "1 if n passes the strong test to the base"
            { "is_strong_probable_prime(2047, 2)" => "1", "is_strong_probable_prime(15, 2)" => "0",
              "is_strong_probable_prime(15, 15)" => "1", "is_strong_probable_prime(15, 0)" => "1",
              "is_strong_probable_prime(1, 0)" => "0", "is_strong_probable_prime(-7, 2)" i64 => "0" }
    }
}
        }
    };
}
pub(crate) use table;
