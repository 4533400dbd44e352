//! What is measured, and what others reach with it.

use limbforge::prelude::Expr;
use limbforge_kernels_gen::Product;

use super::arguments::What;
use super::batch::operand_count;

/// An expression with a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) expression: &'static str,
    /// The product that its kernels use.
    pub(super) product: Product,
    /// The width of the second operand.
    pub(super) second: Divisors,
    /// The operand that is one for the whole batch.
    pub(super) shared: Option<&'static str>,
}

const fn operation(name: &'static str, expression: &'static str, product: Product) -> Operation {
    Operation { name, expression, product, second: Divisors::Full, shared: None }
}

/// Oancea and Watt's polynomial.
pub(crate) const POLY: &str = "(a*a + b)*(b*b + b) + a*b";

/// Sums of two and three products, and a polynomial of degree 8 in a whose coefficients are all b.
const DOT2: &str = "a*b + c*d";
const DOT3: &str = "a*b + c*d + e*f";
const HORNER8: &str = "(((((((b*a + b)*a + b)*a + b)*a + b)*a + b)*a + b)*a + b)*a + b";

/// Quotient and remainder of one division.
const DIVREM: &str = "(a / b) ^ (a % b)";

/// Residues, Montgomery's product, and the quotient of a dividend of twice the width that is below the divisor's multiples.
const ADDMOD: &str = "addmod(a, b, c)";
const MULMOD: &str = "mulmod(a, b, c)";
const MONT_MUL: &str = "mont_mul(a, b, c | 1)";
const DIV_WIDE: &str = "div_wide(a >> 1, b, ~(c >> 1))";

/// How wide the second operand of a division is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divisors {
    /// As wide as the first one.
    Full,
    /// Half as wide.
    Half,
    /// One limb.
    Limb,
}

/// All that is measured. Names of products end with how they are computed.
const OPERATIONS: [Operation; 60] = [
    operation("add1", "a + b", Product::Auto),
    operation("add6", "a + b + a + b + a + b + a", Product::Auto),
    operation("add10", "a + b + a + b + a + b + a + b + a + b + a", Product::Auto),
    operation("sub1", "a - b", Product::Auto),
    operation("sub6", "a - b - a - b - a - b - a", Product::Auto),
    operation("sub10", "a - b - a - b - a - b - a - b - a - b - a", Product::Auto),
    operation("mix6", "a + b - a + b - a + b - a", Product::Auto),
    operation("mix10", "a + b - a + b - a + b - a + b - a + b - a", Product::Auto),
    operation("mul-classical", "a * b", Product::Classical),
    operation("mul-wide-classical", "mul_wide(a, b)", Product::Classical),
    operation("mul-high-classical", "mulhi(a, b)", Product::Classical),
    operation("sqr-classical", "a * a", Product::Classical),
    operation("poly-classical", POLY, Product::Classical),
    operation("mul-ntt", "a * b", Product::Ntt),
    operation("mul-wide-ntt", "mul_wide(a, b)", Product::Ntt),
    operation("sqr-ntt", "a * a", Product::Ntt),
    operation("mul-high-ntt", "mulhi(a, b)", Product::Ntt),
    operation("poly-ntt", POLY, Product::Ntt),
    operation("mul-tensor", "a * b", Product::Tensor),
    operation("mul-wide-tensor", "mul_wide(a, b)", Product::Tensor),
    operation("mul-high-tensor", "mulhi(a, b)", Product::Tensor),
    operation("sqr-tensor", "a * a", Product::Tensor),
    operation("poly-tensor", POLY, Product::Tensor),
    operation("mul-auto", "a * b", Product::Auto),
    operation("mul-wide-auto", "mul_wide(a, b)", Product::Auto),
    operation("mul-high-auto", "mulhi(a, b)", Product::Auto),
    operation("sqr-auto", "a * a", Product::Auto),
    operation("poly-auto", POLY, Product::Auto),
    operation("dot2-classical", DOT2, Product::Classical),
    operation("dot2-tensor", DOT2, Product::Tensor),
    operation("dot2-ntt", DOT2, Product::Ntt),
    operation("dot2-auto", DOT2, Product::Auto),
    operation("dot3-classical", DOT3, Product::Classical),
    operation("dot3-tensor", DOT3, Product::Tensor),
    operation("dot3-ntt", DOT3, Product::Ntt),
    operation("dot3-auto", DOT3, Product::Auto),
    operation("horner8-classical", HORNER8, Product::Classical),
    operation("horner8-tensor", HORNER8, Product::Tensor),
    operation("horner8-ntt", HORNER8, Product::Ntt),
    operation("horner8-auto", HORNER8, Product::Auto),
    operation("divrem", DIVREM, Product::Auto).with_second(Divisors::Half),
    operation("divrem-full", DIVREM, Product::Auto).with_second(Divisors::Full),
    operation("divrem-limb", DIVREM, Product::Auto).with_second(Divisors::Limb),
    operation("divrem-shared", DIVREM, Product::Auto).with_second(Divisors::Half).with_shared("b"),
    operation("addmod", ADDMOD, Product::Auto),
    operation("addmod-shared", ADDMOD, Product::Auto).with_shared("c"),
    operation("mulmod", MULMOD, Product::Auto),
    operation("mulmod-shared", MULMOD, Product::Auto).with_shared("c"),
    operation("mont_mul", MONT_MUL, Product::Auto),
    operation("mont_mul-shared", MONT_MUL, Product::Auto).with_shared("c"),
    operation("div_wide", DIV_WIDE, Product::Auto),
    operation("div_wide-shared", DIV_WIDE, Product::Auto).with_shared("c"),
    operation("gcd", "gcd(a, b)", Product::Auto),
    operation("isqrt", "isqrt(a)", Product::Auto),
    operation("modinv", "modinv(a, b | 1)", Product::Auto),
    operation("powmod", "powmod(a, b, c | 1)", Product::Auto),
    operation("modinv2k", "modinv2k(a | 1)", Product::Auto),
    operation("xgcd", "xgcd_x(a, b)", Product::Auto),
    operation("jacobi", "jacobi(a, b | 1)", Product::Auto),
    operation("is_prime", "is_prime(a | 1)", Product::Auto),
];

/// One and six additions, low products, and a polynomial.
const PAPER_TABLES: [&str; 7] =
    ["add1", "add6", "mul-classical", "mul-tensor", "mul-ntt", "poly-tensor", "poly-ntt"];

impl Operation {
    const fn with_second(self, second: Divisors) -> Self {
        Self { second, ..self }
    }

    const fn with_shared(self, operand: &'static str) -> Self {
        Self { shared: Some(operand), ..self }
    }

    fn is_division(&self) -> bool {
        self.name.starts_with("divrem")
    }

    fn is_modular(&self) -> bool {
        ["addmod", "mulmod", "mont_mul", "div_wide"].iter().any(|name| self.name.starts_with(name))
    }

    fn is_number_theory(&self) -> bool {
        matches!(
            self.name,
            "gcd" | "isqrt" | "modinv" | "powmod" | "modinv2k" | "xgcd" | "jacobi" | "is_prime"
        )
    }

    /// Whether it is measured with no more integers than the GPU computes at once: powers take long, on the CPU too.
    pub(super) fn is_measured_once_over(&self) -> bool {
        matches!(self.name, "powmod" | "is_prime")
    }

    /// Whether it is a product, or has some.
    fn is_product(&self) -> bool {
        self.name.contains('-') && !self.is_division() && !self.is_modular()
    }

    /// How many operands there must be.
    pub(super) fn operands(&self) -> usize {
        Expr::parse(self.expression).ok().and_then(|expr| operand_count(&expr.to_dag())).unwrap_or(0)
    }

    /// Whether it is among the products and Poly of one algorithm.
    fn is_measured_as(&self, product: Product) -> bool {
        let is_more = self.is_fused() && !self.name.starts_with("poly");
        self.is_product() && self.product == product && !is_more
    }

    /// Whether it has several products.
    fn is_fused(&self) -> bool {
        ["poly", "dot", "horner"].iter().any(|name| self.name.starts_with(name))
    }
}

/// What an operation of this name computes, and by which product; None for one without products or whose product is chosen.
pub(crate) fn product_of(name: &str) -> Option<(&'static str, Product)> {
    let operation = OPERATIONS.iter().find(|operation| operation.name == name && operation.is_product())?;
    (operation.product != Product::Auto).then_some((operation.expression, operation.product))
}

/// The operations of a benchmark.
pub(super) fn operations(what: What) -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().filter(move |operation| {
        let (name, product) = (operation.name, operation.is_product());
        match what {
            What::All => true,
            What::Add => {
                !product
                    && !operation.is_division()
                    && !operation.is_modular()
                    && !operation.is_number_theory()
            }
            What::Modular => operation.is_modular(),
            What::Gcd => name == "gcd",
            What::Isqrt => name == "isqrt",
            What::Modinv => name == "modinv",
            What::Powmod => name == "powmod",
            What::Modinv2k => name == "modinv2k",
            What::Xgcd => name == "xgcd",
            What::Jacobi => name == "jacobi",
            What::Primality => name == "is_prime",
            What::Div => operation.is_division(),
            What::Mul => product && (name.starts_with("mul") || name.starts_with("sqr")),
            What::Poly => name.starts_with("poly"),
            What::Fused => operation.is_fused(),
            What::MulClassical => operation.is_measured_as(Product::Classical),
            What::MulNtt => operation.is_measured_as(Product::Ntt),
            What::MulTensor => operation.is_measured_as(Product::Tensor),
            What::PaperTables => PAPER_TABLES.contains(&name),
            What::Ntt => false,
        }
    })
}

/// Products of 32-bit words that are added up in a product of two integers of this width; None if the operation is none.
pub(super) fn multiply_accumulates(operation: &str, bits: u32) -> Option<f64> {
    let words = f64::from(bits.div_ceil(32));
    match operation {
        "mul-classical" | "mul-tensor" => Some(words * (words + 1.0) / 2.0),
        "mul-wide-classical" | "mul-wide-tensor" => Some(words * words),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use limbforge::algos::expr::{Expr, Op};

    use super::*;

    #[test]
    fn names_say_how_many_operations() {
        for Operation { name, expression, .. } in operations(What::Add) {
            let dag = Expr::parse(expression).unwrap().to_dag();
            let count = dag.nodes().iter().filter(|node| matches!(node.op, Op::Add | Op::Sub)).count();
            let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            assert_eq!((digits.parse(), dag.inputs().count()), (Ok(count), 2), "{name}");
        }
    }

    #[test]
    fn benchmarks_measure_what_they_are_called_after() {
        let names = |what| operations(what).map(|operation| operation.name).collect::<Vec<_>>();
        assert_eq!(names(What::All).len(), OPERATIONS.len());
        assert_eq!(names(What::PaperTables).len(), PAPER_TABLES.len());
        assert_eq!(names(What::Poly), ["poly-classical", "poly-ntt", "poly-tensor", "poly-auto"]);
        assert_eq!(names(What::MulClassical).len(), 5);
        // Four forms of a product by three algorithms and by the chosen one.
        assert_eq!(names(What::Mul).len(), 16);
        assert_eq!(names(What::Fused).len(), 16);
        assert_eq!(names(What::Add).len(), 8);
        assert_eq!(names(What::Div), ["divrem", "divrem-full", "divrem-limb", "divrem-shared"]);
        assert_eq!(names(What::Modular).len(), 8);
        for Operation { name, expression, shared, .. } in &OPERATIONS {
            let dag = Expr::parse(expression).unwrap().to_dag();
            assert_eq!(name.ends_with("-shared"), shared.is_some(), "{name}");
            assert!(shared.is_none_or(|operand| dag.inputs().any(|input| input == operand)), "{name}");
        }
        for operation in &OPERATIONS {
            let dag = Expr::parse(operation.expression).unwrap().to_dag();
            assert_eq!(Some(operation.operands()), operand_count(&dag), "{}", operation.name);
        }
        let products = |text: &str| {
            let dag = Expr::parse(text).unwrap().to_dag();
            dag.nodes().iter().filter(|node| matches!(node.op, Op::Mul | Op::Sqr)).count()
        };
        assert_eq!([DOT2, DOT3, HORNER8, POLY].map(products), [2, 3, 8, 4]);
        for Operation { name, product, .. } in OPERATIONS.iter().filter(|operation| operation.is_product()) {
            let how = product.to_string();
            assert!(name.ends_with(&how), "{name}: {how}");
        }
    }

    #[test]
    fn products_of_words() {
        let products = |operation| [512, 131].map(|bits| multiply_accumulates(operation, bits));
        assert_eq!(products("mul-classical"), [Some(136.0), Some(15.0)]);
        assert_eq!(products("mul-wide-classical"), [Some(256.0), Some(25.0)]);
        assert_eq!(products("add1"), [None; 2]);
    }
}
