//! Rows of roots, powers and primes.

use crate::expr::Op;

super::rows! {
    "roots and powers" {
        "isqrt" Function Some(Op::Isqrt), ["a"] -> Value, "isqrt", "square root rounded down",
            fails [Negative "a < 0"], examples ["isqrt(99)" "u64" "9", "isqrt(0)" "u64" "0", "isqrt(-1)" "i64" "!NEGATIVE"];
        "isqrt_rem" Function Some(Op::IsqrtRem), ["a"] -> Value, "isqrt", "a - isqrt(a)^2",
            fails [Negative "a < 0"], examples ["isqrt_rem(99)" "u64" "18", "isqrt_rem(-1)" "i64" "!NEGATIVE"];
        "is_square" Function Some(Op::IsSquare), ["a"] -> Truth, "isqrt", "1 if a is a square, as 0 is, else 0",
            examples ["is_square(99)" "u64" "0", "is_square(0)" "u64" "1", "is_square(-4)" "i64" "0"];
        "root" Function Some(Op::Root), ["a", "k"] -> Value, "root", "k-th root rounded down",
            fails [NoDegree "k <= 0", Negative "a < 0 and k is even"],
            examples ["root(1000, 3)" "u64" "10", "root(-9, 3)" "i64" "-3", "root(7, 100)" "u64" "1", "root(-4, 2)" "i64" "!NEGATIVE",
                      "root(-4, 0)" "i64" "!DEGREE"];
        "is_perfect_power" Function Some(Op::IsPerfectPower), ["a"] -> Truth, "perfect_power",
            "1 if a is x^k with k >= 2, as 0, 1 and -1 are, else 0",
            examples ["is_perfect_power(128)" "u64" "1", "is_perfect_power(-8)" "i64" "1", "is_perfect_power(-4)" "i64" "0"];
    }
    "primes" {
        "is_prime" Function Some(Op::IsPrime), ["n"] -> Truth, "primality",
            "1 if n is prime; certain below 2^64, above it no composite number is known to pass",
            examples ["is_prime(91)" "u64" "0", "is_prime(2)" "u64" "1", "is_prime(1)" "u64" "0", "is_prime(-7)" "i64" "0"];
        "is_strong_probable_prime" Function Some(Op::IsStrongProbablePrime), ["n", "base"] -> Truth, "primality",
            "1 if n passes the strong test to the base",
            examples ["is_strong_probable_prime(2047, 2)" "u64" "1", "is_strong_probable_prime(15, 2)" "u64" "0",
                      "is_strong_probable_prime(15, 15)" "u64" "1", "is_strong_probable_prime(15, 0)" "u64" "1",
                      "is_strong_probable_prime(1, 0)" "u64" "0", "is_strong_probable_prime(-7, 2)" "i64" "0"];
    }
}
