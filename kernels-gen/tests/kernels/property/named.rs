//! Expressions that have failed, or are the narrowest of their kind.

use limbforge_algos::expr::Expr;
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
    let expression = Expr::parse(text).unwrap();
    let last = expression.to_dag().inputs().count() - 1;
    for (layout, is_broadcast) in [(MAJOR, false), (Layout::Interleaved, true)] {
        let case = KernelCase {
            expression: expression.clone(),
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

fn program<B: Base>(text: &str, ty: &str, product: Product, launches: usize) {
    let (expression, ty) = (Expr::parse(text).unwrap(), ty.parse().unwrap());
    let broadcast = [false; 3];
    let case = ProgramCase { expression, ty, layout: MAJOR, broadcast, product, by_inverse: false };
    check::<B>(&case, Some(launches)).unwrap();
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

macro_rules! programs {
    ($($name:ident: $limb:ty, $ty:literal, $product:ident, $launches:literal, $text:literal;)*) => {$(
        #[needs(cxx, nvrtc)]
        #[test]
        fn $name() {
            program::<$limb>($text, $ty, Product::$product, $launches);
        }
    )*};
}

programs! {
    wide_product_of_a_residue: u32, "u512", Auto, 3, "mul_wide(mulmod(a, b, c), a)";
    symbol_of_a_product_on_tensor_cores: u64, "u320", Tensor, 2, "jacobi(a * b, c | 1) + a";
    gcd_of_products_by_transforms: u32, "u300", Ntt, 2, "gcd(a * b, c)";
}

kernels! {
    wide_product_of_a_gcd: u32, "u131", "mul_wide(gcd(a, b), c)";
    wide_square_of_a_root: u64, "u250", "sqr_wide(isqrt(a))";
    from_form_of_a_short_written_modulus: u32, "u116", "from_mont(a, 0x7fffffffffffffffffffffff)";
    reduction_by_a_short_written_modulus: u64, "u99", "mont_reduce(a, b, 0x1ffffffffffff)";
    reduction_by_one_word: u32, "u175", "mont_reduce(a, b, 0xffffffff)";
    wide_product_of_a_symbol: u64, "i100", "mul_wide(jacobi(mulhi(9, c), c | 1), c)";
}
