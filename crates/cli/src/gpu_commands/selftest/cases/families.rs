//! The families of expressions, each with the operations that the others lack.

use super::evaluations::Family;

const fn family(name: &'static str, expression: &'static str, signs: bool) -> Family {
    Family { name, expression, signs }
}

/// Every operation, in one kernel each. Constants fit `i32`, the narrowest type.
pub(super) const KERNELS: [Family; 54] = [
    family("add", "a + b", false),
    family("sub", "a - b", false),
    family("neg", "-a", false),
    family("sums-6", "a + b + a + b + a + b + a", false),
    family("sums-mixed", "(a - b) + (a - b) - c + (b - a - a) - -c + a", false),
    family("compare", "(a < b) + (a <= b) * 4 - (a == b) + (a != b)", true),
    family("choose", "select(a < b, min(a, b), max(a, b) - b) + select(a - b, a, b)", true),
    family("bits", "(a & b) ^ (~a | b) + ~b", false),
    family("shifts", "(a << 13) + (a >> 13) + (a << 64) + (a >> 96) + (a << 4000) + (a >> 4000)", true),
    family("shifts-by", "(a << (b & 0x3ff)) ^ (a >> (b & 0x3f)) ^ (a >> b) ^ (a << -(b & 0x3ff))", true),
    family("rotates", "rotl(a, b) ^ rotr(a, b & 0x3ff) ^ (rotl(a, 5) + rotr(a, 77)) ^ rotr(b, -a)", true),
    family("counts", "popcount(a) ^ (clz(a >> (b & 0x3ff)) << 10) ^ (ctz(a << (b & 0x3ff)) << 20)", true),
    family(
        "fields",
        "extract(a, b & 0x3ff, a & 0xff) ^ insert(a, b, a & 0x3ff, 40) ^ insert(b, a, -3, b & 0x7f)",
        true,
    ),
    family("masks", "mask(a & 0x3ff) ^ mask_high(b & 0x3ff) ^ mask(-b) ^ mask(5) ^ mask(-7)", true),
    family("mul", "a * b", false),
    family("square", "sqr(a) - b", false),
    family("high", "mulhi(a, b)", true),
    family("wide", "mul_wide(a, b)", true),
    family("sqr-wide", "sqr_wide(a - b)", true),
    family("poly", "(a*a + b)*(b*b + b) + a*b", false),
    family("constants", "(a ^ 0x12345678) + 7 - (a & -0xff01) + -0x80000000", false),
    family("factor", "a * -0x6543210f + 3", false),
    family("copy", "a", false),
    family("division", "a / b - a % b", true),
    family("euclid", "div_euclid(a, b) ^ rem_euclid(a, b) + divisible(a, b)", true),
    family("floor", "div_floor(a, b) ^ rem_floor(a, b)", true),
    family("division-in-sums", "(a * b) % (a + 77) + div_exact(a, a)", true),
    family("residues", "addmod(a, b, c) ^ submod(b, a, c)", true),
    family("mulmod", "mulmod(a, b, c) + mulmod(b, c, a)", true),
    family("div-wide", "div_wide(a % c, b, c) ^ rem_wide(a, b, c)", true),
    family("mont-form", "from_mont(to_mont(a, b | 1) - 1, c) ^ mont_reduce(a, c, b | 1)", true),
    family("mont-mul", "mont_mul(a, b, c) + mont_mul(b, c, a | 1)", true),
    // Moduli much shorter than the type, which the compiler knows.
    family("mont-constant", "from_mont(a, 0x7fffffff) ^ mont_reduce(a, b, 0x1ffff)", true),
    family("powmod-constant", "powmod(a, 65537, 0x7fffffff) + mulmod(a, b, 0x7fffffff)", true),
    family("wide-gcd", "mul_wide(gcd(a, b), a | b)", true),
    family("wide-isqrt", "sqr_wide(isqrt(a))", true),
    family("gcd", "gcd(a, b) + gcd(a << 7, b << 9)", true),
    family("lcm", "lcm(a, b)", true),
    family("isqrt", "isqrt(a) ^ isqrt(sqr(a >> 17) + b)", true),
    family("modinv", "modinv(a, b)", true),
    family("modinv-odd", "modinv(a, b | 1)", true),
    family("modinv-even", "modinv(a | 1, b << 1)", true),
    family("modinv2k", "modinv2k(a | 1) ^ modinv2k(b)", false),
    family("xgcd", "xgcd_x(a, b) ^ (xgcd_y(a, b) << 1)", true),
    family("xgcd-common", "xgcd_y(a << 7, b << 9)", true),
    family("jacobi", "jacobi(a, b | 1) - jacobi(b, a)", true),
    family("powmod", "powmod(a, b & 0xffff, a - b)", true),
    family("isqrt-rem", "isqrt_rem(a) ^ isqrt(a) << 9", true),
    family("is-square", "is_square(a ^ b & 1) ^ is_square(sqr(a & mask(64))) << 1", true),
    family("root", "root(a, b & 0x1f)", true),
    family(
        "perfect-power",
        "is_perfect_power(select(b & 1, a & mask(333), sqr(a & mask(43)) * (a & mask(43))))",
        true,
    ),
    // A base of few bits: the CPU takes long for others.
    family("strong-probable-prime", "is_strong_probable_prime(a & mask(333), b)", true),
    family("is-prime", "is_prime((a & mask(333)) | 1)", true),
    family("powmod-odd", "powmod(b, a & 0x7fffffff, a | 1)", true),
];

/// The product and the square alone, and expressions around products.
pub(super) const TENSOR: [Family; 8] = [
    family("mul", "a*b", false),
    family("square", "a*a", false),
    family("square-plus", "a*a + b - 3", false),
    family("high", "mulhi(a, b)", true),
    family("wide", "mul_wide(a, b)", true),
    family("sqr-wide", "sqr_wide(a)", true),
    family("poly", "(a*a + b)*(b*b + b) + a*b", false),
    family("choose", "select(a < b, a*b, mulhi(a, b))", true),
];

/// Every form of product, sums that are added before the inverse transform, and operations around a product;
/// with the widest integers without and with a sign, in bits. The last kernel of a product with a sign
/// computes more, which at greater widths leaves too few registers. The transforms of two operands of 2^20
/// bits do not fit the shared memory of a block, those of a square do.
pub(super) const TRANSFORMS: [(Family, u32, u32); 8] = [
    (family("mul", "a*b", false), 1 << 19, 1 << 19),
    (family("square", "a*a", false), 1 << 20, 1 << 20),
    (family("high", "mulhi(a, b)", true), 1 << 19, 100_000),
    (family("wide", "mul_wide(a, b)", true), 1 << 18, 100_000),
    (family("sqr-wide", "sqr_wide(a)", true), 1 << 19, 1 << 17),
    (family("poly", "(a*a + b)*(b*b + b) + a*b", false), 1 << 18, 1 << 18),
    (family("sum", "a*b + c*d", false), 1 << 19, 1 << 19),
    (family("choose", "select(a < b, a*b, a + b)", true), 1 << 18, 1 << 18),
];

/// Divisions of wide integers.
pub(super) const DIVISIONS: [Family; 5] = [
    family("quotient", "a / b", true),
    family("remainder", "a % b", true),
    family("euclid-wide", "div_euclid(a, b) ^ rem_euclid(a, b) + divisible(a, b)", true),
    family("quotient-of-product", "(a * b) / (b | 1) - div_exact(a, a)", true),
    family("floor-wide", "div_floor(a, b) ^ rem_floor(a, b)", true),
];

/// Modular products of unsigned numbers.
pub(super) const MODULAR: Family = family("mulmod", "mulmod(a, b, c) + mulmod(a, a, c | 1)", true);

/// Powers modulo numbers, and modulo multiples of the first prime of all systems, which today's kernel computes.
/// Tests of primality of few bits, as other numbers take the CPU seconds each.
pub(super) const POWERS: [Family; 5] = [
    family("powmod-rns", "powmod(a, b & mask(150), c)", false),
    family("powmod-rns-shared", "powmod(a, b & mask(70), (c >> 31) * 0x7fefffbf)", false),
    family("powmod-rns-sums", "powmod(a - b, 65537, c) * b + powmod(a, b & 0x3f, c | 1)", false),
    family("strong-rns", "is_strong_probable_prime((a & mask(333)) | 1, b)", false),
    family("is-prime-rns", "is_prime((a & mask(333)) | 1)", false),
];

/// Powers modulo one number for all instances: the last operand.
pub(super) const FOLDS: [Family; 2] = [
    family("powmod-fold", "powmod(a, b & mask(150), c)", false),
    family("powmod-fold-sums", "powmod(a - b, 65537, c | 1) * b + powmod(a, b & 0x3f, c >> 31)", false),
];

/// One operation within a warp each, as several need too many registers. Primality tests and moduli of long
/// exponents have few bits, as other numbers take the CPU seconds each.
pub(super) const WIDEST: [Family; 25] = [
    family("division", "a / b", true),
    family("euclid", "rem_euclid(a, b)", true),
    family("exact", "div_exact(a, b)", true),
    family("divisible", "divisible(a, b)", true),
    family("residues", "addmod(a, b, c)", true),
    family("mulmod", "mulmod(a, b, c)", true),
    family("div-wide", "div_wide(a, b, c)", true),
    family("mont-form", "to_mont(a, b | 1)", true),
    family("mont-mul", "mont_mul(a, b, c)", true),
    family("gcd", "gcd(a, b)", true),
    family("lcm", "lcm(a, b)", true),
    family("isqrt", "isqrt(a)", true),
    family("isqrt-rem", "isqrt_rem(a)", true),
    family("is-square", "is_square(a)", true),
    family("root", "root(a, b & 0x1f)", true),
    family("perfect-power", "is_perfect_power(a & mask(333))", true),
    family("modinv", "modinv(a, b)", true),
    family("modinv2k", "modinv2k(a | 1)", false),
    family("xgcd", "xgcd_x(a, b)", true),
    family("xgcd-y", "xgcd_y(a, b)", true),
    family("jacobi", "jacobi(a, b)", true),
    family("powmod", "powmod(a, b & 0xff, a - b)", true),
    family("strong-probable-prime", "is_strong_probable_prime(a & mask(333), b)", true),
    family("is-prime", "is_prime((a & mask(333)) | 1)", true),
    family("floor", "rem_floor(a, b)", true),
];

#[cfg(test)]
mod tests {
    use limbforge::algos::expr::{Dag, Op};

    use super::*;

    /// A new operation is not tested on GPUs until a family has it.
    #[test]
    fn every_operation_occurs_in_a_family() {
        let dags: Vec<_> = KERNELS.iter().map(|family| family.dag().unwrap()).collect();
        let tested: Vec<_> = dags.iter().flat_map(Dag::nodes).map(|node| node.op.class()).collect();
        let missing: Vec<Op> = Op::all().filter(|op| !tested.contains(&op.class())).collect();
        assert!(missing.is_empty(), "no family has {missing:?}");
    }
}
