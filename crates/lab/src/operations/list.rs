//! The expressions that are measured, and the figures that they are drawn in.

use limbforge_cli::gpu::tile::{Divisors, POLY};
use limbforge_kernels_gen::Product;

use super::{Benchmark, Kind};

/// Figures with their titles, in the order of the page.
pub(crate) const FIGURES: [(&str, &str); 24] = [
    ("1", "One addition or subtraction"),
    ("6", "Six additions and subtractions in one kernel"),
    ("10", "Ten additions and subtractions in one kernel"),
    ("mul", "Low product, a * b"),
    ("mul-wide", "Wide product, mul_wide(a, b)"),
    ("mul-high", "High product, mulhi(a, b)"),
    ("sqr", "Square, a * a"),
    ("poly", "(a*a + b)*(b*b + b) + a*b"),
    ("dot2", "a*b + c*d"),
    ("dot3", "a*b + c*d + e*f"),
    ("horner8", "Horner's rule of degree 8 in a, all coefficients b"),
    ("divrem", "Quotient and remainder, (a / b) ^ (a % b)"),
    ("addmod", "Modular sum, addmod(a, b, c)"),
    ("mulmod", "Modular product, mulmod(a, b, c)"),
    ("mont_mul", "Montgomery product, mont_mul(a, b, c | 1)"),
    ("div_wide", "Quotient of a dividend of twice the width, div_wide(a >> 1, b, ~(c >> 1))"),
    ("gcd", "Greatest common divisor, gcd(a, b)"),
    ("modinv", "Modular inverse, modinv(a, b)"),
    ("powmod", "Modular power, powmod(a, b, c)"),
    ("xgcd", "Coefficient of the greatest common divisor, xgcd_x(a, b)"),
    ("jacobi", "Jacobi symbol, jacobi(a, b)"),
    ("modinv2k", "Inverse modulo a power of two, modinv2k(a)"),
    ("isqrt", "Square root, isqrt(a)"),
    ("is_prime", "Test of primality of odd numbers, is_prime(a | 1)"),
];

/// Name, how and how many, expression.
const SUMS: [(&str, &str, &str, &str); 8] = [
    ("add1", "add", "1", "a + b"),
    ("add6", "add", "6", "a + b + a + b + a + b + a"),
    ("add10", "add", "10", "a + b + a + b + a + b + a + b + a + b + a"),
    ("sub1", "sub", "1", "a - b"),
    ("sub6", "sub", "6", "a - b - a - b - a - b - a"),
    ("sub10", "sub", "10", "a - b - a - b - a - b - a - b - a - b - a"),
    ("mix6", "mix", "6", "a + b - a + b - a + b - a"),
    ("mix10", "mix", "10", "a + b - a + b - a + b - a + b - a + b - a"),
];

/// Each is measured by all algorithms.
const PRODUCTS: [(&str, &str); 8] = [
    ("mul", "a * b"),
    ("mul-wide", "mul_wide(a, b)"),
    ("mul-high", "mulhi(a, b)"),
    ("sqr", "a * a"),
    ("poly", POLY),
    ("dot2", "a*b + c*d"),
    ("dot3", "a*b + c*d + e*f"),
    ("horner8", "(((((((b*a + b)*a + b)*a + b)*a + b)*a + b)*a + b)*a + b)*a + b"),
];

/// How products are computed, by the end of their names.
pub(crate) const ALGORITHMS: [(&str, Product); 4] = [
    ("classical", Product::Classical),
    ("tensor", Product::Tensor),
    ("ntt", Product::Ntt),
    ("auto", Product::Auto),
];

/// Quotient and remainder of one division.
const DIVREM: &str = "(a / b) ^ (a % b)";

/// Name, how, width of the divisor, and whether there is one for all.
const DIVISIONS: [(&str, &str, Divisors, Option<&str>); 4] = [
    ("divrem", "by half as many bits", Divisors::Half, None),
    ("divrem-full", "by as many", Divisors::Full, None),
    ("divrem-limb", "by one limb", Divisors::Limb, None),
    ("divrem-shared", "by one of half as many for all", Divisors::Half, Some("b")),
];

/// Residues, Montgomery's product, and the quotient of a dividend of twice the width that is below the divisor's multiples.
const MODULAR: [(&str, &str, &str); 4] = [
    ("addmod", "addmod-shared", "addmod(a, b, c)"),
    ("mulmod", "mulmod-shared", "mulmod(a, b, c)"),
    ("mont_mul", "mont_mul-shared", "mont_mul(a, b, c | 1)"),
    ("div_wide", "div_wide-shared", "div_wide(a >> 1, b, ~(c >> 1))"),
];

/// Operations by themselves whose operands are odd, or whose algorithm has a name: figure, how, expression.
const SINGLES: [(&str, &str, &str); 8] = [
    ("gcd", "divsteps", "gcd(a, b)"),
    ("isqrt", "schoolbook", "isqrt(a)"),
    ("modinv", "divsteps", "modinv(a, b | 1)"),
    ("powmod", "montgomery", "powmod(a, b, c | 1)"),
    ("modinv2k", "hensel", "modinv2k(a | 1)"),
    ("xgcd", "divsteps", "xgcd_x(a, b)"),
    ("jacobi", "divsteps", "jacobi(a, b | 1)"),
    ("is_prime", "montgomery", "is_prime(a | 1)"),
];

impl Benchmark {
    pub(super) fn single(name: &'static str, expression: &'static str) -> Self {
        Self {
            name: name.into(),
            expression: expression.into(),
            figure: name,
            how: "auto",
            kind: Kind::Single,
            product: Product::Auto,
            second: Divisors::Full,
            shared: None,
        }
    }
}

pub(super) fn benchmarks() -> Vec<Benchmark> {
    let sums = SUMS.map(|(name, how, figure, expression)| Benchmark {
        figure,
        how,
        kind: Kind::Sum,
        ..Benchmark::single(name, expression)
    });
    let products = ALGORITHMS.into_iter().flat_map(|algorithm| PRODUCTS.map(|form| product(form, algorithm)));
    let divisions = DIVISIONS.map(|(name, how, second, shared)| Benchmark {
        figure: "divrem",
        how,
        kind: Kind::Division,
        second,
        shared,
        ..Benchmark::single(name, DIVREM)
    });
    let singles =
        SINGLES.map(|(name, how, expression)| Benchmark { how, ..Benchmark::single(name, expression) });
    let all = sums.into_iter().chain(products).chain(divisions);
    all.chain(MODULAR.into_iter().flat_map(modular)).chain(singles).collect()
}

fn product(
    (form, expression): (&'static str, &'static str),
    (how, product): (&'static str, Product),
) -> Benchmark {
    let is_one = matches!(form, "mul" | "mul-wide" | "mul-high" | "sqr");
    Benchmark {
        name: format!("{form}-{how}").into(),
        how,
        kind: if is_one { Kind::Product } else { Kind::Fused },
        product,
        ..Benchmark::single(form, expression)
    }
}

/// By a modulus of each instance, and by one for all.
fn modular((name, shared, expression): (&'static str, &'static str, &'static str)) -> [Benchmark; 2] {
    let own =
        Benchmark { how: "each by its own", kind: Kind::Modular, ..Benchmark::single(name, expression) };
    let for_all = Benchmark { name: shared.into(), how: "by one for all", shared: Some("c"), ..own.clone() };
    [own, for_all]
}
