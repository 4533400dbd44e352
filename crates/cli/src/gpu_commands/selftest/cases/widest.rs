//! Operations within a warp on the widest type that they take.

use limbforge::limb::IntType;

use super::{Evaluation, Family, LIMBS, Method, family};
use limbforge_cli::gpu::kernels::{Places, Threads};

/// Each operation alone: kernels of several would keep more in registers than there are. Tests of primality, and moduli of long
/// exponents, are of few bits: the CPU takes seconds for each other number.
const FAMILIES: [Family; 24] = [
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
];

const WIDTH: u32 = 1 << 16;

/// Each once, as these kernels take longest to compile; limbs and signs by turns.
pub(super) fn cases(small: bool) -> Vec<Evaluation> {
    let mut cases = vec![];
    for (f, family) in FAMILIES.into_iter().enumerate().filter(|_| !small) {
        if let Ok(ty) = IntType::new(WIDTH.into(), f % 2 == 1) {
            let (limb, method) = (LIMBS[f % LIMBS.len()], Method::Kernel(Threads::Planned));
            cases.push(Evaluation { family, ty, limb, method, places: Places::default() });
        }
    }
    cases
}
