//! Expressions that have failed, or are the narrowest of their kind.

use limbforge_algos::expr::{Dag, Expr};
use limbforge_kernels_gen::Product;
use limbforge_limb::{Base, Layout};
use limbforge_needs::needs;
use proptest::test_runner::TestCaseResult;

use super::kernel::KernelCase;
use super::program::ProgramCase;
use super::{Case, nvrtc};

const MAJOR: Layout = Layout::InstanceMajor;

fn check<B: Base>(case: &impl Case, launches: Option<usize>) -> TestCaseResult {
    let subject = case.subject::<B>().unwrap_or_else(|error| panic!("{case:?}: {error}"));
    if let Some(launches) = launches {
        assert_eq!(subject.launches(), launches, "{case:?}");
    }
    subject.compile(&nvrtc())?;
    subject.check::<B>([7; 32], 0);
    Ok(())
}

/// One kernel, of operands that are all one per instance, and with the last one broadcast.
fn kernel<B: Base>(text: &str, ty: &str) {
    let expression = parse(text);
    let last = Dag::of_all(&expression).inputs().count() - 1;
    for (layout, is_broadcast) in [(MAJOR, false), (MAJOR, true), (Layout::Interleaved, true)] {
        let case = KernelCase {
            expressions: expression.clone(),
            ty: ty.parse().unwrap(),
            layouts: [layout; 3],
            broadcast: [0, 1, 2].map(|i| is_broadcast && i == last && last > 0),
            output: layout,
            threads: Some((2, 3)),
            two_runs: false,
        };
        check::<B>(&case, Some(1)).unwrap();
    }
}

fn program<B: Base>(text: &str, ty: &str, (product, by_inverse): (Product, bool), launches: usize) {
    let (expressions, ty, broadcast) = (parse(text), ty.parse().unwrap(), [false; 3]);
    for layout in [MAJOR, Layout::Interleaved] {
        let case =
            ProgramCase { expressions: expressions.clone(), ty, layout, broadcast, product, by_inverse };
        // An interleaved result of a product is stored by another kernel.
        check::<B>(&case, (layout == MAJOR).then_some(launches)).unwrap();
    }
}

/// Expressions between semicolons.
fn parse(text: &str) -> Vec<Expr> {
    text.split(';').map(|text| Expr::parse(text).unwrap()).collect()
}

macro_rules! kernels {
    ($($name:ident: $limb:ty, $ty:literal, $text:literal;)*) => {$(
        #[needs(cxx, nvrtc)]
        #[test]
        fn $name() {
            kernel::<$limb>($text, $ty);
        }
    )*};
}

/// A product, or divisions by an inverse.
macro_rules! named {
    (Newton) => {
        (Product::Auto, true)
    };
    ($product:ident) => {
        (Product::$product, false)
    };
}

macro_rules! programs {
    ($($name:ident: $limb:ty, $ty:literal, $product:ident, $launches:literal, $text:literal;)*) => {$(
        #[needs(cxx, nvrtc)]
        #[test]
        fn $name() {
            program::<$limb>($text, $ty, named!($product), $launches);
        }
    )*};
}

programs! {
    wide_product_of_a_residue: u32, "u512", Auto, 3, "mul_wide(mulmod(a, b, c), a)";
    symbol_of_a_product_on_tensor_cores: u64, "u320", Tensor, 2, "jacobi(a * b, c | 1) + a";
    gcd_of_products_by_transforms: u32, "u300", Ntt, 2, "gcd(a * b, c)";
    quotient_and_remainder: u64, "u300", Auto, 1, "a / b; a % b";
    signed_quotients_and_remainders: u32, "i131", Auto, 1, "a / b; a % b; div_euclid(a, b); rem_euclid(a, b)";
    divisions_that_fail_apart: u32, "i95", Auto, 1, "div_exact(a, b); a / b; (a % b) + 1; divisible(a, b)";
    sums_and_a_product: u32, "u256", Auto, 2, "a + b; a - b; a * b";
    sums_beside_operations_that_fail: u64, "u200", Auto, 3, "a / b; a + b; modinv(a, c); a - c";
    a_result_that_others_take: u32, "u160", Tensor, 3, "a * b; a * b + c; (a * b) / c";
    wide_and_low_products: u64, "i192", Auto, 3, "mul_wide(a, b); a * b; a < b";
    a_division_of_which_a_product_takes_one_result: u64, "u320", Tensor, 3, "(a % b) * c + a / b";
    what_a_wide_product_shares: u32, "u100", Classical, 3, "mul_wide(a % b, c); a % b; a / b";
    products_by_transforms: u64, "u512", Ntt, 5, "a * b + b * c; a * b; mulhi(a, c)";
    residues_of_one_product: u64, "u512", Auto, 4, "mulmod(a, b, c); mulmod(a, b, c) + a; a / c";
    divisions_by_an_inverse: u32, "u700", Newton, 21, "a / b; a % b; a + b";
    inverse_of_divisions_that_fail_apart: u64, "i640", Newton, 20, "div_exact(a, b); a % b; divisible(a, b)";
    remainder_by_an_inverse_that_others_take: u64, "u640", Newton, 22, "a / b; a % b; (a % b) * c";
}

kernels! {
    several_of_one_word_to_a_thread: u32, "u160", "a + b; a - b; a; a & b; a < b";
    several_within_a_warp: u64, "u250", "a / b; a % b; gcd(a, b); a";
    several_signed: u32, "i95", "-a; a * b; min(a, b); isqrt(a)";
    wide_products: u32, "u131", "mul_wide(a, b); sqr_wide(gcd(a, b))";
    wide_product_of_a_gcd: u32, "u131", "mul_wide(gcd(a, b), c)";
    wide_square_of_a_root: u64, "u250", "sqr_wide(isqrt(a))";
    from_form_of_a_short_written_modulus: u32, "u116", "from_mont(a, 0x7fffffffffffffffffffffff)";
    reduction_by_a_short_written_modulus: u64, "u99", "mont_reduce(a, b, 0x1ffffffffffff)";
    reduction_by_one_word: u32, "u175", "mont_reduce(a, b, 0xffffffff)";
    quotient_of_a_remainder_by_what_constants_give: u128, "i118", "(-c | ((-0xffffffffffffffffffffffff | b) % (-c | 1))) / (1 | min(clz(0xf4a785973495243e), isqrt_rem(-1 & 0x1fffffffffffffffffffffffffffff) << (clz(0xf4a785973495243e) & 0xff)))";
    wide_product_of_a_symbol: u64, "i100", "mul_wide(jacobi(mulhi(9, c), c | 1), c)";
}
