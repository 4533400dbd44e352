//! Every operation, limb, mapping and layout through the real kernel text, run by the emulator, against the
//! CPU backend.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{InputSpec, LimbKind, Mapping};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::harness::{Subject, check, drawn_batch, planned, random_runner};

/// Which thread holds what: the planned mapping, or Q limbs per thread and IPB instances per block.
#[derive(Clone, Copy, Debug)]
enum Threads {
    Plan,
    Limbs(u32, u32),
}

/// The instances of the batches that each kernel runs on: none of a block, a block, its neighbours, several
/// blocks.
fn batch_sizes(block: usize) -> Vec<usize> {
    let mut sizes = vec![1, block - 1, block, block + 1, 2 * block + 1];
    sizes.retain(|&size| size > 0);
    sizes.dedup();
    sizes
}

fn check_type<B: Base>(text: &str, (ty, threads, layout): (&str, Threads, Layout)) {
    let (ty, limb): (IntType, _) = (ty.parse().unwrap(), LimbKind::of::<B>());
    let mut spec = planned(text, ty, limb, layout);
    if let Threads::Limbs(q, ipb) = threads {
        spec.mapping = Mapping::from_limbs_per_thread(&spec.dag, ty, limb, q, ipb).unwrap();
    }
    // The last of several operands is one integer for all instances.
    if let [_, .., last] = &mut *spec.inputs {
        last.broadcast = true;
    }
    let subject = Subject::kernel(spec);
    let mut runner = random_runner();
    for (round, n) in batch_sizes(subject.device.block()).into_iter().enumerate() {
        let batch = |input: &InputSpec| {
            drawn_batch::<B>(&mut runner, ty, layout, if input.broadcast { 1 } else { n })
        };
        let batches: Vec<Batch<B>> = subject.inputs.iter().map(batch).collect();
        let schedule = [Schedule::Ascending, Schedule::Descending, Schedule::Random(round as u64)][round % 3];
        check(&subject, &batches, n, &[schedule]);
    }
}

const MAJOR: Layout = Layout::InstanceMajor;
const INTERLEAVED: Layout = Layout::Interleaved;

macro_rules! kernels {
    ($($name:ident: $limb:ty, $text:expr, [$($ty:literal, $threads:expr, $layout:expr);+ $(;)?];)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            for ty in sample(stringify!($name), [$(($ty, $threads, $layout)),+], 3) {
                check_type::<$limb>($text, ty);
            }
        }
    )*};
}

use Threads::{Limbs, Plan};

kernels! {
    add_u32: u32, "a + b", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "i131", Plan, INTERLEAVED; "u2048", Limbs(3, 2), MAJOR;
        "u4096", Plan, MAJOR; "u5000", Plan, MAJOR; "u1000", Limbs(5, 3), MAJOR;
    ];
    add_u64: u64, "a + b", ["u1024", Plan, MAJOR; "u131", Limbs(1, 7), MAJOR; "u8192", Limbs(3, 1), MAJOR;];
    add_u128: u128, "a + b", ["u131", Plan, MAJOR; "u5000", Plan, MAJOR; "u256", Limbs(1, 5), INTERLEAVED;];
    sums_u32: u32, "(a - b) + (a - b) - c + (b - a - a) - -c + a", [
        "u96", Plan, MAJOR; "u160", Limbs(1, 3), MAJOR; "u1024", Plan, MAJOR; "i4100", Plan, MAJOR;
        "u9000", Limbs(2, 2), MAJOR;
    ];
    sums_u64: u64, "-(a + a + b) - (b + b)", ["u640", Limbs(1, 2), MAJOR; "u6400", Plan, MAJOR;];
    two_runs: u32, "a - b + a - c", ["u131072", Limbs(4, 1), MAJOR; "u140000", Plan, MAJOR;];
    bits_u32: u32, "(a & b) ^ (~a | b) + ~b", ["u131", Plan, MAJOR; "u1000", Plan, INTERLEAVED; "u4500", Plan, MAJOR;];
    compare_u32: u32, "(a < b) + (a <= b) * 4 - (a == b) + (a != b)", [
        "u131", Limbs(2, 3), MAJOR; "i131", Limbs(1, 5), MAJOR; "i4500", Limbs(4, 2), MAJOR; "i64", Plan, INTERLEAVED;
    ];
    choose_u64: u64, "select(a < b, min(a, b), max(a, b) - b) + select(a - b, a, b)", [
        "u131", Plan, MAJOR; "i1000", Limbs(2, 3), MAJOR; "i5000", Plan, MAJOR;
    ];
    shifts_u32: u32, "(a << 13) + (a >> 13) + (a << 64) + (a >> 96) + (a << 4000) + (a >> 4000)", [
        "u131", Plan, MAJOR; "i131", Limbs(1, 3), MAJOR; "i1000", Plan, INTERLEAVED; "i4500", Plan, MAJOR;
    ];
    shift_by_u32: u32, "(a << (b & 255)) ^ (a >> (b & 127)) ^ (a >> b) ^ (a << -(b & 63))", [
        "u131", Plan, MAJOR; "i131", Limbs(1, 3), MAJOR; "i1000", Plan, INTERLEAVED; "i4500", Plan, MAJOR; "u8", Plan, MAJOR;
        "u9000", Limbs(2, 2), MAJOR;
    ];
    shift_by_u128: u128, "(a >> (b & 1023)) - (b << (a & 1023))", ["i1000", Limbs(1, 3), MAJOR; "u131", Plan, INTERLEAVED;];
    rotate_u32: u32, "rotl(a, b) ^ rotr(a, b & 127) ^ (rotl(a, 5) + rotr(a, 77)) ^ rotr(b, -a)", [
        "u131", Plan, MAJOR; "i131", Limbs(1, 3), MAJOR; "i1000", Plan, INTERLEAVED; "u4096", Plan, MAJOR;
        "i4500", Limbs(3, 2), MAJOR; "u8", Limbs(1, 7), MAJOR; "i33", Plan, MAJOR;
    ];
    rotate_u64: u64, "rotl(a, b) + rotr(b, a)", ["i1000", Limbs(2, 3), MAJOR; "u9000", Plan, MAJOR; "i64", Plan, INTERLEAVED;];
    count_u32: u32, "popcount(a) ^ (clz(a >> (b & 127)) << 9) ^ (ctz(a << (b & 127)) << 18)", [
        "u131", Plan, MAJOR; "i131", Limbs(1, 3), MAJOR; "i1000", Plan, INTERLEAVED; "u4096", Plan, MAJOR;
        "i4500", Limbs(3, 2), MAJOR; "u8", Limbs(1, 7), MAJOR; "i32", Plan, MAJOR; "u140000", Plan, MAJOR;
    ];
    count_u128: u128, "popcount(a - b) - clz(a) + ctz(b)", ["i131", Plan, MAJOR; "u5000", Limbs(1, 2), MAJOR;];
    field_u32: u32, "extract(a, b & 127, a & 127) ^ insert(a, b, 3, a & 63) ^ insert(b, a, a & 127, 40) ^ extract(b, -3, 127)", [
        "u131", Plan, MAJOR; "i131", Limbs(1, 3), MAJOR; "i1000", Plan, INTERLEAVED; "u4096", Plan, MAJOR;
        "i4500", Limbs(3, 2), MAJOR; "u8", Limbs(1, 7), MAJOR; "i32", Plan, MAJOR;
    ];
    bit_fields_without_constants: u32, "(a << b) ^ (b >> a) ^ rotl(a, b) + rotr(b, a) ^ popcount(a) - clz(b) + ctz(a) ^ extract(a, b, a) + insert(b, a, a, b) ^ mask(a) + mask_high(b)", [
        "u1", Plan, MAJOR; "i1", Limbs(1, 5), MAJOR; "i2", Plan, INTERLEAVED; "u31", Plan, MAJOR; "i31", Limbs(2, 3), MAJOR;
        "u32", Plan, MAJOR; "i33", Limbs(1, 3), MAJOR; "i131", Plan, MAJOR; "u1000", Plan, MAJOR;
    ];
    fields_of_quotients: u32, "insert(a / (b | 1), popcount(a % (b | 1)) << (b & 63), b & 31, a & 31) ^ rotl(a, b)", [
        "u131", Plan, MAJOR; "i131", Limbs(1, 3), MAJOR; "u512", Plan, MAJOR;
    ];
    mask_u64: u64, "mask(a & 127) ^ mask_high(b & 127) ^ mask(-b) ^ mask(5) ^ mask(-7)", [
        "u131", Plan, MAJOR; "i131", Limbs(1, 3), MAJOR; "i1000", Plan, INTERLEAVED; "i9000", Limbs(3, 1), MAJOR;
    ];
    mul_u32: u32, "a * b", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "u1000", Limbs(3, 2), MAJOR; "u4096", Plan, MAJOR;
        "u128", Plan, INTERLEAVED; "u9000", Plan, MAJOR;
    ];
    mul_u64: u64, "a * b + sqr(a)", ["u2048", Limbs(2, 3), MAJOR; "i2500", Plan, MAJOR;];
    mul_u128: u128, "a * b - b", ["u1000", Plan, MAJOR; "u9000", Limbs(4, 1), MAJOR;];
    high_u32: u32, "mulhi(a, b)", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u4096", Plan, MAJOR;
        "i9000", Plan, MAJOR;
    ];
    high_u64: u64, "mulhi(a, b) + mulhi(a, a)", ["i1024", Plan, MAJOR; "u2500", Limbs(3, 2), MAJOR;];
    wide_u32: u32, "mul_wide(a, b)", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u4096", Plan, MAJOR; "u100", Plan, MAJOR;
        "i192", Plan, MAJOR; "i17", Plan, INTERLEAVED; "i1000", Limbs(3, 2), INTERLEAVED; "i9000", Plan, MAJOR;
    ];
    wide_u64: u64, "mul_wide(a - b, a * b)", ["i1024", Plan, MAJOR; "u2500", Limbs(3, 2), MAJOR; "i33", Plan, MAJOR;];
    wide_u128: u128, "sqr_wide(a - b)", ["i1000", Plan, MAJOR; "u9000", Limbs(4, 1), MAJOR; "i65", Limbs(1, 5), INTERLEAVED;];
    wide_of_gcd_u32: u32, "mul_wide(gcd(a, b), c)", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u1000", Plan, INTERLEAVED; "i33", Plan, MAJOR;
        "u2048", Limbs(8, 3), MAJOR; "u1", Plan, MAJOR;
    ];
    wide_of_isqrt_u64: u64, "sqr_wide(isqrt(a))", [
        "u512", Plan, MAJOR; "i192", Plan, MAJOR; "u1000", Limbs(2, 3), MAJOR; "i640", Limbs(2, 3), INTERLEAVED;
    ];
    wide_of_jacobi_u32: u32, "mul_wide(jacobi(mulhi(9, c), c | 1), c)", [
        "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u1024", Plan, MAJOR; "i31", Plan, MAJOR;
    ];
    wide_of_quotients_u128: u128, "mul_wide(a / b, b % a)", [
        "u1000", Plan, MAJOR; "i129", Plan, MAJOR; "u4096", Plan, MAJOR; "i2048", Limbs(2, 3), INTERLEAVED;
    ];
    wide_of_residues_u32: u32, "mul_wide(mulmod(a, b, c), rem_wide(a, b, c))", ["u512", Plan, MAJOR; "i250", Plan, MAJOR;];
    div_u32: u32, "a / b + a % b", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u1000", Plan, INTERLEAVED;
        "u4096", Plan, MAJOR; "u4096", Limbs(4, 1), MAJOR; "i1024", Limbs(32, 32), MAJOR; "u16384", Plan, MAJOR;
    ];
    div_u64: u64, "div_euclid(a, b) * 3 + rem_euclid(a, b)", [
        "i192", Plan, MAJOR; "i2048", Limbs(4, 3), MAJOR; "i17", Plan, MAJOR; "u64", Limbs(1, 5), MAJOR;
    ];
    div_floor_u32: u32, "div_floor(a, b) * 3 + rem_floor(a, b)", [
        "i192", Plan, MAJOR; "i1000", Plan, INTERLEAVED; "i17", Plan, MAJOR; "u96", Limbs(1, 5), MAJOR;
    ];
    div_u128: u128, "(a * b) / a - divisible(a, b) + div_exact(b, b)", ["u1000", Plan, MAJOR; "i2048", Plan, MAJOR;];
    modular_u32: u32, "addmod(a, b, c) ^ submod(a, b, c)", [
        "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "i1000", Plan, INTERLEAVED; "u2048", Plan, MAJOR;
    ];
    mulmod_u64: u64, "mulmod(a, b, c)", [
        "u192", Plan, MAJOR; "i1000", Plan, MAJOR; "u4096", Plan, MAJOR; "i64", Limbs(1, 5), MAJOR;
    ];
    div_wide_u64: u64, "div_wide(a & b, c, a | b) - rem_wide(a, b, c)", [
        "u192", Plan, MAJOR; "i1000", Plan, INTERLEAVED; "u4096", Plan, MAJOR; "i64", Limbs(1, 5), MAJOR;
    ];
    mont_form_u32: u32, "from_mont(to_mont(a, b | 1), b | 1) - mont_mul(a, b, c | 1) * mont_reduce(a, b, c)", [
        "u131", Plan, MAJOR; "i1000", Plan, MAJOR; "u2048", Plan, MAJOR; "i32", Limbs(1, 5), INTERLEAVED;
    ];
    gcd_u32: u32, "gcd(a, b)", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u1000", Plan, INTERLEAVED;
        "u2048", Plan, MAJOR; "u4096", Limbs(4, 1), MAJOR; "i1024", Limbs(32, 32), MAJOR; "u33", Plan, MAJOR;
    ];
    gcd_u64: u64, "gcd(a * c, b * c) + gcd(a, a - b)", ["i192", Plan, MAJOR; "u1", Plan, MAJOR; "i31", Plan, MAJOR;];
    lcm_u32: u32, "lcm(a, b)", ["u512", Plan, MAJOR; "i131", Plan, MAJOR; "u1024", Limbs(8, 3), MAJOR; "i8", Plan, MAJOR;];
    lcm_u128: u128, "lcm(a, b) - gcd(b, a)", ["i1000", Plan, MAJOR;];
    isqrt_u32: u32, "isqrt(a)", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u1000", Plan, INTERLEAVED;
        "u2048", Plan, MAJOR; "u4096", Limbs(4, 1), MAJOR; "i1024", Limbs(32, 32), MAJOR; "u33", Plan, MAJOR;
    ];
    isqrt_u64: u64, "isqrt(a * a - b) + isqrt(sqr(a) + a) * isqrt(b - a)", [
        "i192", Plan, MAJOR; "u1", Plan, MAJOR; "i31", Plan, MAJOR; "u1024", Plan, MAJOR; "u640", Limbs(2, 3), MAJOR;
    ];
    isqrt_of_squares: u32, "isqrt(sqr(a >> 512) - (b & 1)) ^ isqrt(sqr(a >> 512) + 2 * (a >> 512) + (c & 1))", [
        "u1024", Plan, MAJOR; "i1025", Plan, MAJOR; "u1024", Limbs(4, 2), MAJOR;
    ];
    powmod_u32: u32, "powmod(a, b, c)", [
        "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u33", Plan, MAJOR; "u256", Limbs(4, 2), MAJOR; "u1", Plan, MAJOR;
        "i8", Plan, MAJOR; "u31", Plan, INTERLEAVED;
    ];
    powmod_odd: u32, "powmod(a, b & 0xffff, c | 1)", ["u512", Plan, MAJOR; "u1024", Plan, MAJOR; "i1000", Limbs(8, 3), MAJOR;];
    powmod_even: u64, "powmod(a, b & 0xfff, c * 12)", ["u512", Plan, MAJOR; "i640", Limbs(2, 3), MAJOR;];
    modinv_u32: u32, "modinv(a, b)", [
        "u512", Plan, MAJOR; "u131", Plan, MAJOR; "i131", Limbs(2, 3), MAJOR; "u33", Plan, MAJOR; "u1024", Plan, MAJOR;
        "u1", Plan, MAJOR; "i8", Plan, MAJOR; "u31", Plan, INTERLEAVED; "u2048", Limbs(4, 2), MAJOR;
    ];
    modinv_odd: u32, "modinv(a, b | 1)", ["u512", Plan, MAJOR; "u1024", Plan, MAJOR; "i1000", Limbs(8, 3), MAJOR;];
    modinv_even: u64, "modinv(a | 1, b * 12)", ["u512", Plan, MAJOR; "i640", Limbs(2, 3), MAJOR;];
    modinv_small: u32, "modinv(a, b & 0xff) + modinv(a & 0xff, b)", ["u512", Plan, MAJOR; "u1024", Limbs(4, 2), MAJOR;];
    poly_u32: u32, "(a*a + b)*(b*b + b) + a*b", ["u512", Plan, MAJOR; "u4096", Plan, MAJOR; "u1000", Limbs(2, 2), MAJOR;];
    poly_u64: u64, "(a*a + b)*(b*b + b) + a*b", ["u1024", Plan, MAJOR;];
    constants: u64, "a * 0x123456789abcdef0123456789 + 7 - (a & 0xffff0000ffff)", ["u131", Plan, MAJOR; "u4500", Plan, MAJOR;];
    copies: u32, "a", ["u131", Plan, MAJOR; "u1000", Plan, INTERLEAVED; "u4096", Plan, MAJOR;];
}
