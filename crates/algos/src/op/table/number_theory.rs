//! The second half of the table of operations: divisions, common divisors, moduli, roots, primes.

/// Gives these rows after the first ones to the macro `$consumer`.
macro_rules! number_theory {
    ($consumer:ident $($first:tt)*) => {
        $consumer! {
$($first)*
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
        div_floor = DivFloor !DivisionByZero "b = 0": Function (a, b: NonZero) -> Value,
            "div", "quotient rounded down, as Python's //"
            { "div_floor(47, 5)" => "9", "div_floor(-47, 5)" i64 => "-10", "div_floor(-47, -5)" i64 => "9" }
        rem_floor = RemFloor !DivisionByZero "b = 0": Function (a, b: NonZero) -> Value,
            "div", "remainder of div_floor, with the sign of b, as Python's %"
            { "rem_floor(47, 5)" => "2", "rem_floor(47, -5)" i64 => "-3" }
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
            "div", "(high 2^N + low) mod divisor" { "rem_wide(1, 2, 7)" => "4", "rem_wide(9, 0, 7)" => "4" }
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
            "modulus", "(a - b) mod |m| of the exact difference" { "submod(1, 2, 10)" => "9" }
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
            "modinv2k", "inverse of a mod 2^N" { "modinv2k(3) * 3" => "1", "modinv2k(2)" => "!EVEN" }
    }
}
"Montgomery form, R = 2^N" {
    Montgomery "Arithmetic in Montgomery form: the bits of all operands are read as unsigned." {
        to_mont = ToMont !EvenModulus "m is even, as 0 is": Function (a, m: Odd) -> Unsigned,
            "montgomery", "a R mod m"
            { "to_mont(1, 7)" => "2", "to_mont(5, 1)" => "0", "to_mont(1, 0)" => "!EVEN" }
        from_mont = FromMont !EvenModulus "m is even, as 0 is": Function (a, m: Odd) -> Unsigned,
            "montgomery", "a / R mod m" { "from_mont(2, 7)" => "1", "from_mont(1, 0)" => "!EVEN" }
        mont_mul = MontMul !EvenModulus "m is even, as 0 is": Function (a, b, m: Odd) -> Unsigned,
            "montgomery", "a b / R mod m" { "mont_mul(2, 3, 7)" => "3", "mont_mul(1, 1, 0)" => "!EVEN" }
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
            "isqrt", "a - isqrt(a)^2" { "isqrt_rem(99)" => "18", "isqrt_rem(-1)" i64 => "!NEGATIVE" }
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
pub(crate) use number_theory;
