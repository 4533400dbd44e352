//! The table of benchmarks, `data/benchmarks.json`, and any other operation of expressions.

use std::sync::LazyLock;

use limbforge::algos::expr::{self, Expr, Syntax};
use limbforge::algos::op::Domain;
use limbforge_cli::gpu::tile::{Divisors, NAMES, operand_count};
use limbforge_kernels_gen::Product;
use serde::Deserialize;

/// An expression with a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Benchmark {
    pub(crate) name: String,
    pub(crate) expression: String,
    /// The figure that its times are drawn in: one of [`figures`], or its own name.
    pub(crate) figure: String,
    /// Its algorithm, as the figure calls it.
    pub(crate) how: String,
    pub(crate) kind: Kind,
    #[serde(default)]
    pub(crate) product: Product,
    /// The width of the second operand.
    #[serde(default)]
    pub(crate) second: Divisors,
    /// The operand that is one for the whole batch.
    pub(crate) shared: Option<String>,
}

/// Benchmarks that are measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Sum,
    /// One product or square.
    Product,
    /// Several products.
    Fused,
    Division,
    Modular,
    Single,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    figures: Vec<(String, String)>,
    benchmarks: Vec<Benchmark>,
}

/// The data file. It is part of the program, and a test reads it: a mistake in it is ours.
static DATA: LazyLock<Data> = LazyLock::new(|| {
    let text = include_str!("../data/benchmarks.json");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("data/benchmarks.json: {error}"))
});

/// The benchmarks of `all`, in the order of measuring.
pub(crate) fn benchmarks() -> &'static [Benchmark] {
    &DATA.benchmarks
}

/// Figures and their titles, in the order of the page.
pub(crate) fn figures() -> &'static [(String, String)] {
    &DATA.figures
}

/// The benchmark of an operation or function, with operands a, b, c, ... None for unknown names and for
/// operations that take written numbers.
pub(crate) fn of_operation(name: &str) -> Option<Benchmark> {
    let listed = benchmarks().iter().find(|one| one.kind == Kind::Single && one.name == name);
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
        Some(Benchmark {
            name: row.name.to_owned(),
            expression,
            figure: row.name.to_owned(),
            how: "auto".to_owned(),
            kind: Kind::Single,
            product: Product::Auto,
            second: Divisors::Full,
            shared: None,
        })
    })
}

/// The expression and product of a benchmark; None without products, and where the product is chosen.
pub(crate) fn product_of(name: &str) -> Option<(&'static str, Product)> {
    let of_products = |one: &&Benchmark| matches!(one.kind, Kind::Product | Kind::Fused);
    let found = benchmarks().iter().filter(of_products).find(|one| one.name == name)?;
    (found.product != Product::Auto).then_some((&*found.expression, found.product))
}

/// The figure of a benchmark, and its name there.
pub(crate) fn figure_of(name: &str) -> (&str, &str) {
    benchmarks().iter().find(|one| one.name == name).map_or((name, "auto"), |one| (&one.figure, &one.how))
}

impl Benchmark {
    /// The number of operands.
    pub(crate) fn operands(&self) -> usize {
        Expr::parse(&self.expression).ok().and_then(|expr| operand_count(&expr.to_dag())).unwrap_or(0)
    }

    /// The batch is no larger than the number of instances computed at once: powers take long.
    pub(crate) fn is_measured_once_over(&self) -> bool {
        matches!(&*self.name, "powmod" | "is_prime")
    }

    /// Multiply-accumulates of 32-bit words in a product of two integers of this width; None if it is not
    /// one.
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
            let is_input = |operand: &String| dag.inputs().any(|input| input == operand);
            assert!(shared.as_ref().is_none_or(is_input), "{name}");
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
        let mut drawn = benchmarks().iter().map(|one| &one.figure);
        assert!(drawn.all(|figure| figures().iter().any(|(name, _)| name == figure)));
    }
}
