//! The shipped specifications: the expressions, widths, limbs and layouts that limbforge is measured and sold
//! with.

#![allow(dead_code, reason = "every test program uses a part")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge_algos::expr::{Dag, Expr};
use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_field::DynField;
use limbforge_gpu::Nvrtc;
use limbforge_kernels_gen::ntt::{ResidueClass, TransformPlan, TransformSpec};
use limbforge_kernels_gen::{
    InputSpec, KernelSpec, LimbKind, Limits, Mapping, Product, Program, ProgramSpec, Target,
};
use limbforge_limb::{IntType, Layout};

/// nvrtc, for tests that say that they need it.
pub(crate) fn nvrtc() -> Nvrtc {
    Nvrtc::find(None).unwrap_or_else(|error| panic!("{error}"))
}

/// Sums, with their carries deferred: one, six and ten operations.
pub(crate) const SUMS: [&str; 8] = [
    "a + b",
    "a - b",
    "a + b + a + b + a + b + a",
    "a - b - a - b - a - b - a",
    "a + b - a + b - b + a - b",
    "a + b + a + b + a + b + a + b + a + b + a",
    "a - b - a - b - a - b - a - b - a - b - a",
    "a + b - b + a - a + b + b - a + a + b - a",
];

/// The other operations whose work is linear in the width.
pub(crate) const OTHERS: [&str; 9] = [
    "min(a, b)",
    "max(a, b)",
    "select(a < b, a, b)",
    "(a <= b) + (a == b)",
    "(a << 13) + (b >> 77)",
    "(a & b) ^ (~a | b)",
    "(a << b) + rotl(a, b)",
    "popcount(a) + clz(b) - ctz(a - b)",
    "insert(a, extract(b, 5, a), b, 64) ^ mask(a)",
];

/// Products.
pub(crate) const PRODUCTS: [&str; 6] =
    ["a*b", "sqr(a)", "mulhi(a, b)", "mul_wide(a, b)", "sqr_wide(a)", POLY];

/// Of what goes through the lanes of a warp for long, the operations that the others are made of.
pub(crate) const WITHIN_WARP: [&str; 7] = [
    "a / b + a % b",
    "gcd(a, b)",
    "isqrt(a)",
    "modinv(a, b)",
    "powmod(a, b, c)",
    "xgcd_x(a, b)",
    "jacobi(a, b)",
];

/// Roots and tests whose kernels are more than those of the above.
pub(crate) const ROOTS_AND_TESTS: [&str; 4] =
    ["root(a, b)", "is_perfect_power(a)", "is_prime(a)", "is_strong_probable_prime(a, b)"];

/// All of number theory.
pub(crate) const NUMBER_THEORY: [&str; 16] = [
    "isqrt_rem(a)",
    "is_square(a)",
    "root(a, b)",
    "is_perfect_power(a)",
    "is_prime(a) + is_strong_probable_prime(a, b)",
    "gcd(a, b)",
    "lcm(a, b)",
    "modinv(a, b)",
    "powmod(a, b, c)",
    "addmod(a, b, c)",
    "mulmod(a, b, c)",
    "modinv2k(a)",
    "xgcd_x(a, b) ^ xgcd_y(a, b)",
    "jacobi(a, b)",
    "div_wide(a, b, c) ^ rem_wide(a, b, c)",
    "mont_reduce(to_mont(a, b), mont_mul(a, b, c), c)",
];

/// The expression that fusion is measured with.
pub(crate) const POLY: &str = "(a*a + b)*(b*b + b) + a*b";

/// Widths that are no power of two.
pub(crate) const ODD: [u32; 4] = [131, 1000, 5000, 100_000];

/// Widths of interleaved batches.
pub(crate) const INTERLEAVED: [u32; 2] = [131, 512];

/// The widest type of products by columns.
pub(crate) const WIDEST_PRODUCT: u32 = 1 << 16;

/// All limbs.
pub(crate) const LIMBS: [LimbKind; 3] =
    [LimbKind::of::<u32>(), LimbKind::of::<u64>(), LimbKind::of::<u128>()];

/// The expression as a DAG.
pub(crate) fn dag(text: &str) -> Dag {
    Expr::parse(text).unwrap().to_dag()
}

/// The operands of an expression, all of one layout.
pub(crate) fn inputs(dag: &Dag, layout: Layout) -> Vec<InputSpec> {
    dag.inputs().map(|name| InputSpec::integers(name, layout, false)).collect()
}

/// The specification with the planned mapping, for a GPU.
pub(crate) fn planned(text: &str, ty: IntType, limb: LimbKind, layout: Layout) -> KernelSpec {
    let dag = dag(text);
    let mapping = Mapping::plan(&dag, ty, limb, &[layout]);
    let inputs = inputs(&dag, layout);
    KernelSpec::new(dag, ty, limb, inputs, layout, mapping, Target::Cuda).unwrap()
}

/// As [`planned`], from text and bits.
pub(crate) fn unsigned(text: &str, bits: u32, limb: LimbKind, layout: Layout) -> KernelSpec {
    planned(text, IntType::unsigned(bits.into()).unwrap(), limb, layout)
}

/// All of them.
pub(crate) fn shipped() -> Vec<KernelSpec> {
    let linear = SUMS.iter().chain(&OTHERS).map(|text| (*text, 1 << 18));
    let mut specs = vec![];
    for (text, widest) in linear.chain(PRODUCTS.map(|text| (text, WIDEST_PRODUCT))) {
        let major = (9..=18).map(|k| 1 << k).chain(ODD).filter(|&bits| bits <= widest);
        let batches = major.map(|bits| (bits, Layout::InstanceMajor));
        for (bits, layout) in batches.chain(INTERLEAVED.map(|bits| (bits, Layout::Interleaved))) {
            specs.extend(LIMBS.map(|limb| unsigned(text, bits, limb, layout)));
        }
    }
    // One lane to an instance, and several.
    for bits in [131, 2048] {
        specs.extend(WITHIN_WARP.map(|text| unsigned(text, bits, LIMBS[0], Layout::InstanceMajor)));
    }
    specs.extend(ROOTS_AND_TESTS.map(|text| unsigned(text, 512, LIMBS[0], Layout::InstanceMajor)));
    specs
}

/// Expressions whose products go through transforms.
pub(crate) const NTT_PRODUCTS: [&str; 4] = ["a*b", "sqr(a)", "mul_wide(a, b)", POLY];

/// A program for a GPU whose products go through transforms, of u32 limbs.
pub(crate) fn program(text: &str, bits: u64) -> Program {
    program_of(Product::Ntt, text, bits)
}

pub(crate) fn program_of(product: Product, text: &str, bits: u64) -> Program {
    program_of_graph(product, dag(text), bits)
}

/// A program with a result for each of these expressions.
pub(crate) fn program_of_several(texts: &[&str], bits: u64) -> Program {
    let exprs: Vec<Expr> = texts.iter().map(|text| Expr::parse(text).unwrap()).collect();
    program_of_graph(Product::Auto, Dag::of_all(&exprs), bits)
}

fn program_of_graph(product: Product, dag: Dag, bits: u64) -> Program {
    let layout = Layout::InstanceMajor;
    let spec = ProgramSpec {
        inputs: inputs(&dag, layout),
        dag,
        ty: IntType::unsigned(bits).unwrap(),
        limb: LIMBS[0],
        output: layout,
        product,
        target: Target::Cuda,
    };
    Program::new(&spec, &Limits::SM_90).unwrap()
}

/// The programs of the widths that products by transforms are meant for.
pub(crate) fn shipped_programs() -> Vec<Program> {
    NTT_PRODUCTS.iter().flat_map(|text| [16, 18].map(|k| program(text, 1 << k))).collect()
}

/// Primes of each class of reductions: a little above 2^28, with 30, 31, 31, 32, 61, 62, 64 and 64 bits.
pub(crate) const TRANSFORM_PRIMES: [(u64, ResidueClass); 9] = [
    (270_532_609, ResidueClass::Signed28),
    (998_244_353, ResidueClass::Lazy32),
    (2_013_265_921, ResidueClass::Half32),
    (2_130_706_433, ResidueClass::Half32),
    (3_221_225_473, ResidueClass::Full32),
    (1_945_555_039_024_054_273, ResidueClass::Wide64),
    (4_179_340_454_199_820_289, ResidueClass::Lazy64),
    (18_446_744_069_414_584_321, ResidueClass::Special64),
    (18_446_742_974_197_923_841, ResidueClass::Full64),
];

/// The plainest kind of transform.
pub(crate) const CYCLIC_FORWARD: (Wrap, Direction) = (Wrap::Cyclic, Direction::Forward);

/// The kind with the most factors.
pub(crate) const NEGACYCLIC_INVERSE: (Wrap, Direction) = (Wrap::Negacyclic, Direction::Inverse);

/// The launches of a transform modulo p.
pub(crate) fn transform(p: u64, points: u32, (wrap, direction): (Wrap, Direction)) -> TransformPlan {
    let field = DynField::new(p).unwrap();
    TransformPlan::new(TransformSpec::new(&field, points, wrap, direction).unwrap()).unwrap()
}

/// The transforms that are measured.
pub(crate) fn shipped_transforms() -> Vec<TransformPlan> {
    TRANSFORM_PRIMES
        .iter()
        .flat_map(|&(p, _)| [10, 12, 14, 16].map(|k| transform(p, 1 << k, CYCLIC_FORWARD)))
        .collect()
}
