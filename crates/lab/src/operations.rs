//! What is measured: the table of benchmarks, and any other operation of expressions.

mod list;

use std::borrow::Cow;
use std::sync::LazyLock;

use limbforge::algos::expr::{self, Expr, Syntax};
use limbforge::algos::op::Domain;
use limbforge_cli::gpu::tile::{Divisors, NAMES, operand_count};
use limbforge_kernels_gen::Product;

pub(crate) use self::list::{ALGORITHMS, FIGURES};

/// An expression with a name.
#[derive(Clone, Debug)]
pub(crate) struct Benchmark {
    pub(crate) name: Cow<'static, str>,
    pub(crate) expression: Cow<'static, str>,
    /// What its times are drawn beside: one of [`FIGURES`], or its own name.
    pub(crate) figure: &'static str,
    /// Its name there: how it is computed.
    pub(crate) how: &'static str,
    pub(crate) kind: Kind,
    /// The product that its kernels use.
    pub(crate) product: Product,
    /// The width of the second operand.
    pub(crate) second: Divisors,
    /// The operand that is one for the whole batch.
    pub(crate) shared: Option<&'static str>,
}

/// Benchmarks that are measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sum,
    /// One product or square.
    Product,
    /// Several products.
    Fused,
    Division,
    Modular,
    /// An operation by itself.
    Single,
}

static BENCHMARKS: LazyLock<Vec<Benchmark>> = LazyLock::new(list::benchmarks);

/// All that `all` measures.
pub(crate) fn benchmarks() -> &'static [Benchmark] {
    &BENCHMARKS
}

/// The benchmark of an operation or function of expressions: of operands a, b, c, ... unless it needs others. None if there is none of that name,
/// or it takes written numbers.
pub(crate) fn of_operation(name: &str) -> Option<Benchmark> {
    let listed = BENCHMARKS.iter().find(|one| one.kind == Kind::Single && one.name == name);
    listed.cloned().or_else(|| {
        let row = expr::operation(name).filter(|row| row.op.is_some())?;
        let names = NAMES.get(..row.operands.len())?;
        let operand = |(name, domain): (&&str, &Domain)| match domain {
            Domain::Odd => format!("{name} | 1"),
            _ => (*name).to_owned(),
        };
        let operands: Vec<String> = names.iter().zip(row.domains).map(operand).collect();
        let expression = match (row.syntax, operands.as_slice()) {
            (Syntax::Prefix, [a, ..]) => format!("{name}{a}"),
            (Syntax::Infix, [a, b, ..]) => format!("{a} {name} {b}"),
            _ => format!("{name}({})", operands.join(", ")),
        };
        Expr::parse(&expression).ok()?;
        Some(Benchmark { expression: expression.into(), ..Benchmark::single(row.name, "") })
    })
}

/// What a benchmark of this name computes, and by which product; None for one without products or whose product is chosen.
pub(crate) fn product_of(name: &str) -> Option<(&'static str, Product)> {
    let of_products = |one: &&Benchmark| matches!(one.kind, Kind::Product | Kind::Fused);
    let found = BENCHMARKS.iter().filter(of_products).find(|one| one.name == name)?;
    (found.product != Product::Auto).then_some((&*found.expression, found.product))
}

/// The figure of a benchmark, and its name there.
pub(crate) fn figure_of(name: &str) -> (&str, &str) {
    BENCHMARKS.iter().find(|one| one.name == name).map_or((name, "auto"), |one| (one.figure, one.how))
}

impl Benchmark {
    /// How many operands there must be.
    pub(crate) fn operands(&self) -> usize {
        Expr::parse(&self.expression).ok().and_then(|expr| operand_count(&expr.to_dag())).unwrap_or(0)
    }

    /// Whether it is measured with no more integers than are computed at once: powers take long, on the CPU too.
    pub(crate) fn is_measured_once_over(&self) -> bool {
        matches!(&*self.name, "powmod" | "is_prime")
    }

    /// Products of 32-bit words that are added up in a product of two integers of this width; None if it is none.
    pub(crate) fn multiply_accumulates(&self, bits: u32) -> Option<f64> {
        let words = f64::from(bits.div_ceil(32));
        match &*self.name {
            "mul-classical" | "mul-tensor" => Some(words * (words + 1.0) / 2.0),
            "mul-wide-classical" | "mul-wide-tensor" => Some(words * words),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use limbforge::algos::expr::Op;

    use super::*;

    #[test]
    fn names_say_how_many_operations() {
        for Benchmark { name, expression, .. } in benchmarks().iter().filter(|one| one.kind == Kind::Sum) {
            let dag = Expr::parse(expression).unwrap().to_dag();
            let count = dag.nodes().iter().filter(|node| matches!(node.op, Op::Add | Op::Sub)).count();
            let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            assert_eq!((digits.parse(), dag.inputs().count()), (Ok(count), 2), "{name}");
        }
    }

    #[test]
    fn benchmarks_measure_what_they_are_called_after() {
        for Benchmark { name, expression, shared, product, kind, .. } in benchmarks() {
            let dag = Expr::parse(expression).unwrap().to_dag();
            assert_eq!(name.ends_with("-shared"), shared.is_some(), "{name}");
            assert!(shared.is_none_or(|operand| dag.inputs().any(|input| input == operand)), "{name}");
            assert!(operand_count(&dag).is_some_and(|count| count > 0), "{name}");
            let products = dag.nodes().iter().filter(|node| matches!(node.op, Op::Mul | Op::Sqr)).count();
            match kind {
                Kind::Fused => assert!(products >= 2, "{name}"),
                Kind::Product => assert!(products < 2, "{name}"),
                _ => continue,
            }
            assert!(name.ends_with(&product.to_string()), "{name}");
        }
    }

    /// Every operation of expressions has a benchmark, but for those of written numbers.
    #[test]
    fn all_operations_can_be_measured() {
        for row in expr::operations().filter(|row| row.op.is_some()) {
            let one = of_operation(row.name).unwrap_or_else(|| panic!("{} has no benchmark", row.name));
            assert!(one.operands() >= 1 && one.name == row.name, "{one:?}");
        }
        assert_eq!(of_operation("powmod").unwrap().expression, "powmod(a, b, c | 1)");
        assert_eq!(of_operation("lcm").unwrap().expression, "lcm(a, b)");
        assert_eq!(of_operation("<<").unwrap().expression, "a << b");
        assert!(of_operation("add1").is_none() && of_operation("no").is_none());
    }

    #[test]
    fn products_of_words() {
        let products = |name: &str| {
            let one = benchmarks().iter().find(|one| one.name == name).unwrap();
            [512, 131].map(|bits| one.multiply_accumulates(bits))
        };
        assert_eq!(products("mul-classical"), [Some(136.0), Some(15.0)]);
        assert_eq!(products("mul-wide-classical"), [Some(256.0), Some(25.0)]);
        assert_eq!(products("add1"), [None; 2]);
    }

    #[test]
    fn names_have_two_parts() {
        assert_eq!(figure_of("add10"), ("10", "add"));
        assert_eq!(figure_of("mix6"), ("6", "mix"));
        assert_eq!(figure_of("mul-ntt"), ("mul", "ntt"));
        assert_eq!(figure_of("mul-wide-classical"), ("mul-wide", "classical"));
        assert_eq!(figure_of("lcm"), ("lcm", "auto"));
        let mut figures = benchmarks().iter().map(|one| one.figure);
        assert!(figures.all(|figure| FIGURES.iter().any(|(name, _)| *name == figure)));
    }
}
