//! Kernels of one expression each: every operation, mapping and layout.

use limbforge::limb::{IntType, Layout};

use super::{Evaluation, Family, LIMBS, Method, family, multiplies, stays_in_warp};
use crate::error::CliError;
use limbforge_cli::gpu::kernels::{Places, Threads};

/// Constants fit `i32`: the narrowest type.
const FAMILIES: [Family; 53] = [
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

/// The widest products.
const WIDEST_PRODUCT: u32 = 1 << 16;

/// The widest divisions among other operations: alone, they go on to twice this.
const WIDEST_DIVISION: u32 = 1 << 15;

const ODD: [u32; 4] = [131, 1000, 5000, 100_000];

/// Whether a case of an operation within a warp, whose kernels take long to compile, is one of those that run: each width meets one
/// limb, and each limb every third width.
const fn is_sampled(limb: usize, width: usize) -> bool {
    (limb + width).is_multiple_of(3)
}

/// All cases, or a few of each family. Every family meets every limb, width and sign with the planned mapping; other
/// mappings, layouts and broadcast operands meet every family and limb at some widths.
pub(super) fn cases(small: bool) -> Result<Vec<Evaluation>, CliError> {
    let widths: Vec<u32> =
        if small { vec![131, 512, 2048] } else { (5..=18).map(|k| 1 << k).chain(ODD).collect() };
    let mixed: &[u32] = if small { &[131, 1000] } else { &[32, 131, 512, 1000, 2048, 5000, 16384] };
    let mut cases = vec![];
    for family in FAMILIES {
        let in_warp = stays_in_warp(family.expression)?;
        let runs = |limb, width| !in_warp || small || is_sampled(limb, width);
        let widest = match (in_warp, multiplies(family.expression)?) {
            (true, _) => WIDEST_DIVISION,
            (_, true) => WIDEST_PRODUCT,
            _ => 1 << 18,
        };
        for (l, limb) in LIMBS.into_iter().enumerate() {
            let mut add = |bits: u32, signed: bool, threads, places| {
                if let Ok(ty) = IntType::new(bits.into(), signed) {
                    let method = Method::Kernel(threads);
                    cases.push(Evaluation { family, ty, limb, method, places });
                }
            };
            for (w, &bits) in widths.iter().enumerate().filter(|&(w, &bits)| bits <= widest && runs(l, w)) {
                // Where the sign does not matter, every other width has one.
                let sign = (w + l) % 2 == 1;
                add(bits, sign, Threads::Planned, Places::default());
                if family.signs && !small {
                    add(bits, !sign, Threads::Planned, Places::default());
                }
            }
            for (w, &bits) in mixed.iter().enumerate().filter(|&(w, _)| runs(l, w)) {
                let sign = (w + l) % 2 == 0;
                let threads = [Threads::Limbs(3, 2), Threads::Limbs(1, 3), Threads::Limbs(5, 1)];
                add(bits, sign, threads[(w + l) % 3], Places::default());
                let places = PLACES[(w + l) % PLACES.len()];
                if small {
                    add(bits, sign, Threads::Limbs(2, 3), places);
                    continue;
                }
                add(bits, !sign, threads[(w + l + 1) % 3], places);
                // Interleaved batches of wide integers are not what that layout is for.
                for places in PLACES.into_iter().filter(|places| bits <= 2048 || places.broadcast_last) {
                    add(bits, sign, Threads::Planned, places);
                }
            }
        }
    }
    Ok(cases)
}

const PLACES: [Places; 4] = [
    Places { inputs: Layout::Interleaved, output: Layout::Interleaved, broadcast_last: false },
    Places { inputs: Layout::InstanceMajor, output: Layout::InstanceMajor, broadcast_last: true },
    Places { inputs: Layout::Interleaved, output: Layout::InstanceMajor, broadcast_last: true },
    Places { inputs: Layout::InstanceMajor, output: Layout::Interleaved, broadcast_last: false },
];

#[cfg(test)]
mod tests {
    use limbforge::algos::expr::{Dag, Expr, Op};

    use super::*;

    /// A new operation is not tested on GPUs until a family has it.
    #[test]
    fn every_operation_occurs_in_a_family() {
        let parse = |family: &Family| match Expr::parse(family.expression) {
            Ok(expr) => expr.to_dag(),
            Err(error) => panic!("{}: {error}", family.name),
        };
        let dags: Vec<_> = FAMILIES.iter().map(parse).collect();
        let tested: Vec<_> = dags.iter().flat_map(Dag::nodes).map(|node| node.op.class()).collect();
        let missing: Vec<Op> = Op::all().filter(|op| !tested.contains(&op.class())).collect();
        assert!(missing.is_empty(), "no family has {missing:?}");
    }
}
