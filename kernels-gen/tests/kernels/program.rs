//! Whole programs, emulated kernel by kernel, against the CPU backend: expressions whose products go
//! through transforms or tensor cores.

mod choices;

use limbforge_algos::expr::Expr;
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Product, Program, ProgramSpec, Target};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use proptest::prelude::*;

use crate::harness::{Subject, check, drawn_batch, random_runner};

fn program<B: Base>(
    product: Product,
    text: &str,
    ty: IntType,
    layout: Layout,
    broadcast: bool,
) -> (ProgramSpec, Program) {
    let spec = spec::<B>(product, text, ty, layout, broadcast);
    let program = Program::new(&spec, &Limits::SM_90).unwrap();
    (spec, program)
}

fn spec<B: Base>(product: Product, text: &str, ty: IntType, layout: Layout, broadcast: bool) -> ProgramSpec {
    let dag = Expr::parse(text).unwrap().to_dag();
    let names: Vec<String> = dag.inputs().map(str::to_owned).collect();
    let last = names.len() - 1;
    let inputs = names
        .iter()
        .enumerate()
        .map(|(i, name)| InputSpec::integers(name, layout, broadcast && i == last && last > 0))
        .collect();
    let limb = LimbKind::of::<B>();
    ProgramSpec { dag, ty, limb, inputs, output: layout, product, target: Target::Emulator }
}

fn check_text<B: Base>(product: Product, (text, ty): (&str, &str), layout: Layout, broadcast: bool) {
    let (spec, program) = program::<B>(product, text, ty.parse().unwrap(), layout, broadcast);
    check_program::<B>(&spec, program);
}

/// Runs the program on five instances.
fn check_program<B: Base>(spec: &ProgramSpec, program: Program) {
    let (mut runner, n) = (random_runner(), 5);
    let count = |input: &InputSpec| if input.broadcast { 1 } else { n };
    let batch = |input: &InputSpec| drawn_batch(&mut runner, spec.ty, spec.output, count(input));
    let batches: Vec<Batch<B>> = spec.inputs.iter().map(batch).collect();
    check(&Subject::program(spec, program), &batches, n, &[Schedule::Ascending]);
}

macro_rules! programs {
    ($($name:ident: $product:ident, $limb:ty, $layout:ident, $broadcast:expr, [$(($text:expr, $ty:expr)),* $(,)?];)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            for text in sample(stringify!($name), [$(($text, $ty)),*], 3) {
                check_text::<$limb>(Product::$product, text, Layout::$layout, $broadcast);
            }
        }
    )*};
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Any width, sign, layout, limb and form of product on tensor cores.
    #[needs(cxx)]
    #[test]
    fn any_product_on_tensor_cores(
        bits in prop_oneof![1..600_u64, 1..4500_u64],
        signed: bool,
        interleaved: bool,
        broadcast: bool,
        limb in 0..3_u8,
        text in prop::sample::select(vec!["a*b", "a*a", "mul_wide(a, b)", "sqr_wide(a)", "mulhi(a, b)", "a*b - (a ^ b)*b"]),
    ) {
        let ty = format!("{}{bits}", if signed { "i" } else { "u" });
        // Interleaved batches of wide integers are not what that layout is for.
        let layout = if interleaved && bits < 600 { Layout::Interleaved } else { Layout::InstanceMajor };
        match limb {
            0 => check_text::<u32>(Product::Tensor, (text, &ty), layout, broadcast),
            1 => check_text::<u64>(Product::Tensor, (text, &ty), layout, broadcast),
            _ => check_text::<u128>(Product::Tensor, (text, &ty), layout, broadcast),
        }
    }
}

const POLY: &str = "(a*a + b)*(b*b + b) + a*b";

programs! {
    low_products: Ntt, u32, InstanceMajor, false, [("a*b", "u512"), ("a*b", "u131"), ("a*b", "i1000"), ("a*a", "u2049"), ("a*b + c", "u5000")];
    other_limbs: Ntt, u64, InstanceMajor, false, [("a*b", "u1024"), ("a*b - b", "u1000"), ("a*a", "i96")];
    widest_limbs: Ntt, u128, InstanceMajor, false, [("a*b", "u4096"), ("a*b ^ a", "u131")];
    sums_of_products: Ntt, u32, InstanceMajor, false, [(POLY, "u512"), (POLY, "u2100"), ("a*b + c*d + a*a + b", "u700"), ("a*b - c*c", "u640")];
    halves_and_wide: Ntt, u32, InstanceMajor, false, [
        ("mulhi(a, b)", "u512"), ("mulhi(a, b)", "i517"), ("mulhi(a, a) + a*b", "i900"), ("mul_wide(a, b)", "u512"),
        ("mul_wide(a, b)", "i1001"), ("sqr_wide(a)", "u999"), ("sqr_wide(a)", "i64"), ("mul_wide(a + b, a*b)", "i300"),
    ];
    other_operations: Ntt, u64, InstanceMajor, true, [
        ("min(a*b, a) >> 3", "u800"), ("(a < b*b) * (a ^ b)", "i640"), ("select(a*b == b, a, (a*b) << 5)", "u1500"),
    ];
    interleaved: Ntt, u32, Interleaved, false, [("a*b", "u256"), (POLY, "u131"), ("mul_wide(a, b)", "i131")];
    two_operands_do_not_fit_shared_memory: Ntt, u32, InstanceMajor, false, [("a*b", "u1048576")];
    broadcast: Ntt, u64, InstanceMajor, true, [("a*b", "u1024"), (POLY, "u600"), ("mulhi(a, b)", "i600")];
    tensor_products: Tensor, u32, InstanceMajor, false, [("a*b", "u512"), ("a*a", "i1000"), (POLY, "u700"), ("a*b + c*d", "u2100"), ("(a*b)*(a*b)", "i96")];
    sums_of_tensor_products: Tensor, u32, InstanceMajor, false, [
        (POLY, "u131"), (POLY, "u512"), (POLY, "u1024"), (POLY, "u2048"), (POLY, "u3000"), (POLY, "u4096"), (POLY, "u8192"),
        ("a*b + c*d + a*d", "u512"), ("a*b - c*d", "u300"), ("-(a*b)", "i517"), ("b - a*a - b - b", "u1100"),
        ("3*a*b + 65535*c - 7*d - 5", "u1000"), ("(a + b)*(a - b)", "u640"), ("(2*a - b + 1)*(b - 3) - a", "i1300"),
        ("((c*a + d)*a + b)*a + c", "u700"), ("a*a + b*b + c", "u5000"), ("(a*b + 1)*(a*b - 1)", "u2100"), ("a*a*a*a*a", "u900"), ("((c*a + d)*a + b)*a*d*b + c", "u3000"),
    ];
    // By the lower half, unless the number takes another part, too.
    squares_on_tensor_cores_and_terms: Tensor, u32, InstanceMajor, false, [
        ("a*a + b", "u1000"), ("b - 5 + a*a", "i2100"), ("a*a + a", "u1300"), ("3*b - 7*c + a*a", "u8192"),
    ];
    broadcast_squares_on_tensor_cores: Tensor, u64, InstanceMajor, true, [("a*a", "i1500"), ("a*a + b", "u3000")];
    sums_of_tensor_products_of_several_groups: Tensor, u64, InstanceMajor, false, [
        (POLY, "u10000"), (POLY, "u16384"), ("a*b + c*c - d", "u12300"), ("(a - b)*(a + c)", "u9000"),
    ];
    sums_of_tensor_products_of_several_warps: Tensor, u32, InstanceMajor, false, [
        (POLY, "u24000"), (POLY, "u32768"), ("(a*a - b)*c - 3*b + 1", "u50000"), ("a*b + b*c", "u70001"),
    ];
    broadcast_sums_of_tensor_products: Tensor, u32, InstanceMajor, true, [
        (POLY, "u480"), ("a*b + c*d - b", "u1500"), ("(a*a + c)*b + d", "u40000"),
    ];
    wide_and_high_tensor_products: Tensor, u32, InstanceMajor, false, [
        ("mulhi(a, b)", "u512"), ("mulhi(a, b)", "i517"), ("mulhi(a, a) + a*b", "i900"), ("mul_wide(a, b)", "u512"),
        ("mul_wide(a, b)", "i1001"), ("sqr_wide(a)", "u999"), ("sqr_wide(a)", "i64"), ("mul_wide(a + b, a*b)", "i300"),
        ("mulhi(a, b)*a", "u640"), ("mulhi(mulhi(a, b), b) ^ b", "u1100"), ("mul_wide(a, b)", "u2100"),
    ];
    // Of operands of all ones the tile below the upper half does not tell what is carried into it.
    high_tensor_products: Tensor, u32, InstanceMajor, false, [
        ("mulhi(a, b)", "u1024"), ("mulhi(a, b)", "u2048"), ("mulhi(a, a)", "u4096"), ("mulhi(a, b)", "u8192"),
        ("mulhi(a, b)", "u1120"), ("mulhi(a, b)", "u16384"), ("mulhi(a, b) ^ mulhi(b, a - b)", "u3072"), ("mulhi(a, b)", "u34816"),
    ];
    high_tensor_products_of_padded_limbs: Tensor, u64, InstanceMajor, true, [("mulhi(a, b)", "u96"), ("mulhi(a, b)", "u2080")];
    interleaved_wide_tensor_products: Tensor, u64, Interleaved, true, [("mul_wide(a, b)", "i131"), ("mulhi(a, b)", "u300")];
    tensor_and_other_operations: Tensor, u64, InstanceMajor, true, [("mulhi(a, b) + a*b", "u512"), ("mul_wide(a + b, a*b)", "i300"), ("select(a < b, a*b, a) >> 5", "i1100")];
    interleaved_tensor_products: Tensor, u32, Interleaved, false, [("a*b", "u256"), (POLY, "u131")];
    products_modulo_numbers: Auto, u32, InstanceMajor, false, [
        ("mulmod(a, b, m)", "u512"), ("mulmod(a, a, m)", "u1000"), ("mulmod(a, b, m)", "u2100"), ("mulmod(a, b, a)", "u640"), ("mulmod(a, b, m)", "u8192"),
        ("mulmod(mulmod(a, b, m), b + c, m | 1)", "u700"), ("a*mulmod(a*b, c, m) + mulmod(b, b, m)", "u1024"), ("mulmod(mulhi(a, b), a / (b | 1), m) << 3", "u576"),
    ];
    products_modulo_one_number: Auto, u64, InstanceMajor, true, [("mulmod(a, b, m)", "u1024"), ("mulmod(a, b, m - a)", "u1500")];
    products_modulo_interleaved_numbers: Auto, u128, Interleaved, true, [("mulmod(a, b, m)", "u512"), ("mulmod(a, b, 3) + m", "u600")];
    products_modulo_numbers_by_transforms: Ntt, u32, InstanceMajor, false, [("mulmod(a*b, c, m) + mulhi(a, c)*b", "u600")];
    long_operations: Auto, u32, InstanceMajor, false, [
        ("gcd(a, b) + powmod(a, b, c)*modinv(c, a)", "u200"), ("gcd(gcd(a, b), root(c, a) - b)", "i96"),
        ("xgcd_x(a, b)*a + xgcd_y(a, b)*b - lcm(a, b)", "i131"), ("is_prime(a | 1) ^ jacobi(b, c | 1)", "u64"),
        ("select(is_perfect_power(a), gcd(a, b), a / b)", "u100"), ("mul_wide(gcd(a, b), lcm(a, c))", "u131"),
    ];
    common_multiples: Auto, u32, InstanceMajor, false, [
        ("lcm(a, b)", "u96"), ("lcm(a, b)", "i100"), ("lcm(lcm(a, b), c - a)", "u64"), ("gcd(a, b) ^ lcm(a, b)", "u131"),
        ("lcm(a + b, a / b) + b", "u1000"), ("lcm(a, b) - xgcd_x(a, b)*c", "u200"), ("mul_wide(lcm(a, b), a)", "u65"),
    ];
    interleaved_long_operations: Auto, u64, Interleaved, true, [("gcd(a, b) ^ modinv(a, m)", "i100"), ("lcm(a, m)", "u70")];
    broadcast_tensor_products: Tensor, u128, Interleaved, true, [("a*b", "u256"), (POLY, "u1031")];
}

/// Other mappings than the planned ones compute the same: words, tiles, teams and points that are dealt out
/// in other ways.
#[needs(cxx)]
#[test]
fn other_mappings() {
    for (text, bits, mappings) in [
        ("a*b", "u1000", &["words=4 instances=3", "words=24 instances=5"][..]),
        ("mul_wide(a, b)", "u2000", &["together=2 team=2 warps=2"]),
        ("mul_wide(a, b)", "u768", &["words=12 instances=3"]),
        ("sqr_wide(a)", "i380", &["words=12 instances=5"]),
        (
            "a*b + a",
            "i3000",
            &["words=32 instances=4", "together=1 team=4 warps=4", "threads=4 instances=16"],
        ),
        (
            "a*a",
            "u2000",
            &["together=1 team=1 warps=2", "together=2 team=1 warps=3", "together=1 team=2 warps=2"],
        ),
        (
            "a*a",
            "u10000",
            &["together=10 team=1 warps=1", "together=5 team=2 warps=2", "threads=8 instances=8"],
        ),
        (
            POLY,
            "u4096",
            &["together=2 team=2 warps=2", "together=3 team=1 warps=2", "threads=2 instances=32"],
        ),
        ("a + b - a", "u5000", &["words=8 instances=2", "words=32 instances=3"]),
    ] {
        for mapping in mappings {
            let ty = bits.parse().unwrap();
            let spec = spec::<u32>(Product::Auto, text, ty, Layout::InstanceMajor, false);
            let program = Program::with_mapping(&spec, &Limits::SM_90, mapping.parse().unwrap()).unwrap();
            check_program::<u32>(&spec, program);
        }
    }
}
