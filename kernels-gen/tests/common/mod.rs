//! The shipped specifications: the expressions, widths, limbs and layouts that limbforge is measured and sold with.

#![allow(dead_code, reason = "every test program uses a part")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge_algos::expr::{Dag, Expr};
use limbforge_kernels_gen::{InputSpec, KernelSpec, LimbKind, Mapping, Target};
use limbforge_limb::{IntType, Layout};

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
pub(crate) const OTHERS: [&str; 6] = [
    "min(a, b)",
    "max(a, b)",
    "select(a < b, a, b)",
    "(a <= b) + (a == b)",
    "(a << 13) + (b >> 77)",
    "(a & b) ^ (~a | b)",
];

/// Products.
pub(crate) const PRODUCTS: [&str; 6] =
    ["a*b", "sqr(a)", "mulhi(a, b)", "mul_wide(a, b)", "sqr_wide(a)", POLY];

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
    specs
}
