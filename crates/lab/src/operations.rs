//! The table of benchmarks, `data/benchmarks.json`, and any other operation of expressions.

use std::sync::LazyLock;

use clap::ValueEnum;
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
    /// Its groups but `all`.
    pub(crate) groups: Vec<Group>,
    #[serde(default)]
    pub(crate) product: Product,
    /// The width of the second operand.
    #[serde(default)]
    pub(crate) second: Divisors,
    /// The operand that is one for the whole batch.
    pub(crate) shared: Option<String>,
}

/// Benchmarks that are measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Group {
    Add,
    Mul,
    Poly,
    Fused,
    MulClassical,
    MulNtt,
    MulTensor,
    Div,
    Modular,
    Xgcd,
    Primality,
    PaperTables,
    /// Transforms, which are not expressions.
    Ntt,
    /// Programs with loops, likewise.
    Programs,
    /// Programs whose instances make different numbers of rounds.
    Loops,
    All,
    /// An operation by itself, as the command line names it.
    #[value(skip)]
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
    let listed = benchmarks().iter().find(|one| one.name == name && one.is_in(Group::Single));
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
            groups: vec![Group::Single],
            product: Product::Auto,
            second: Divisors::Full,
            shared: None,
        })
    })
}

/// The expression and product of a benchmark; None without products, and where the product is chosen.
pub(crate) fn product_of(name: &str) -> Option<(&'static str, Product)> {
    let found = benchmarks().iter().find(|one| one.name == name)?;
    (found.product != Product::Auto).then_some((&*found.expression, found.product))
}

/// The figure of a benchmark, and its name there.
pub(crate) fn figure_of(name: &str) -> (&str, &str) {
    benchmarks().iter().find(|one| one.name == name).map_or((name, "auto"), |one| (&one.figure, &one.how))
}

impl Benchmark {
    pub(crate) fn is_in(&self, group: Group) -> bool {
        group == Group::All || self.groups.contains(&group)
    }

    /// The number of operands.
    pub(crate) fn operands(&self) -> usize {
        Expr::parse(&self.expression).ok().and_then(|expr| operand_count(&expr.to_dag())).unwrap_or(0)
    }

    /// The batch is no larger than the number of instances computed at once: powers take long.
    pub(crate) fn is_measured_once_over(&self) -> bool {
        ["powmod", "is_prime"].iter().any(|name| self.name.starts_with(name))
    }

    /// By this product, which its name then says.
    pub(crate) fn by(self, product: Product) -> Self {
        let (name, how) = (format!("{}-{product}", self.name), product.to_string());
        Self { name, how, product, ..self }
    }

    /// With an operand of its own that is one for the whole batch, which its name then says.
    pub(crate) fn with_shared(self, operand: &str) -> Self {
        let has_operand = Expr::parse(&self.expression)
            .is_ok_and(|expr| expr.to_dag().inputs().any(|input| input == operand));
        if self.shared.is_some() || !has_operand {
            return self;
        }
        Self { name: format!("{}-shared", self.name), shared: Some(operand.to_owned()), ..self }
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
mod tests;
