//! The time of a program from the times that were measured.

use limbforge_algos::expr::{Expr, Op};

use super::device::DeviceFigures;
use super::estimate::{Basis, Estimate};
use super::line::{Beyond, Line};
use super::measurement::shape;
use super::times::{Case, Times};
use crate::pipeline::{Product, Program, ProgramKernel, ProgramSpec, is_product};

/// What several products that share transforms take of as many alone: Poly takes 3.05 products instead of 4.
const SHARED: f64 = 0.76;

/// Milliseconds of a kernel of other operations on an H200: it reads and writes about three batches.
const LINEAR: f64 = 0.37;

/// Batches that a kernel moves: two operands and a result.
const BATCHES: f64 = 3.0;

/// Batches that a product by transforms moves: five residues of 32 bits for each 64-bit digit are written and
/// read beside.
const BATCHES_NTT: f64 = 8.0;

/// What wide and high products take of low ones where they were not measured themselves. Not guessed on
/// tensor cores.
const WIDE_CLASSICAL: f64 = 2.0;
const WIDE_NTT: f64 = 1.27;

/// Times, and the device that they are asked for.
pub(super) struct Model<'t> {
    pub(super) shipped: &'t Times,
    pub(super) tuned: Option<&'t Times>,
    pub(super) device: &'t DeviceFigures,
}

/// What is asked for.
#[derive(Clone, Copy)]
struct Question {
    product: Product,
    case: Case,
    /// Batches of 2^32 bits that go through the memory at least.
    batches: f64,
}

impl Model<'_> {
    /// See [`Planner::estimate`](super::Planner::estimate). None for an expression without products.
    pub(super) fn estimate(
        &self,
        spec: &ProgramSpec,
        product: Product,
        program: &Program,
    ) -> Option<Estimate> {
        let products: Vec<&Op> =
            spec.dag.nodes().iter().map(|node| &node.op).filter(|op| is_product(op)).collect();
        let case = Case::new(spec.ty, spec.limb);
        let whole = shape(&spec.dag);
        if let Some((_, milliseconds)) = self.tuned.and_then(|t| t.fastest_mapping(&whole, product, case)) {
            return Some(Estimate { milliseconds, basis: Basis::Measured });
        }
        if products.is_empty() {
            return None;
        }
        let question = Question { product, case, batches: batches(product, products.len(), program) };
        if let Some(estimate) = self.of_shape(&whole, &question) {
            return Some(estimate);
        }
        // The sum of the products.
        let mut milliseconds = self.beside(product, program);
        let mut basis = Basis::Composed;
        let alone =
            Question { batches: if product == Product::Ntt { BATCHES_NTT } else { BATCHES }, ..question };
        let shared = if product == Product::Ntt && products.len() > 1 { SHARED } else { 1.0 };
        for op in products {
            let one = self.of_op(op, &alone)?;
            milliseconds += one.milliseconds * shared;
            basis = basis.max(one.basis);
        }
        Some(Estimate { milliseconds, basis })
    }

    /// Of an expression that was measured: the shipped time, scaled to what was tuned.
    fn of_shape(&self, shape: &str, question: &Question) -> Option<Estimate> {
        let shipped = self.shipped_of(shape, question, question.case);
        let Some(tuned) = self.tuned else { return shipped };
        if let Some((milliseconds, true)) = tuned.milliseconds(shape, question.product, question.case) {
            return Some(Estimate { milliseconds, basis: Basis::Measured });
        }
        let rows = tuned.rows(shape, question.product);
        if rows.is_empty() {
            return shipped;
        }
        let Some(shipped) = shipped else {
            let (milliseconds, _) = tuned.milliseconds(shape, question.product, question.case)?;
            return Some(Estimate { milliseconds, basis: Basis::Between });
        };
        // What was tuned over what was shipped, at tuned widths, and on a line between.
        let ratios = rows.iter().filter_map(|row| {
            let expected = self.shipped_of(shape, question, row.case)?;
            Some((f64::from(row.case.words), row.ms / expected.milliseconds))
        });
        let words = f64::from(question.case.words);
        let ratio = ratios.collect::<Line>().at(words, Beyond::Constant)?;
        Some(Estimate { milliseconds: shipped.milliseconds * ratio, basis: Basis::Between })
    }

    fn shipped_of(&self, shape: &str, question: &Question, case: Case) -> Option<Estimate> {
        let (measured, is_exact) = self.shipped.milliseconds(shape, question.product, case)?;
        let milliseconds = self.device.predict(measured, question.product, question.batches);
        let basis = match (self.device.is_measured(), is_exact) {
            (false, _) => Basis::Predicted,
            (true, true) => Basis::Measured,
            (true, false) => Basis::Between,
        };
        Some(Estimate { milliseconds, basis })
    }

    /// Of a product alone.
    fn of_op(&self, op: &Op, question: &Question) -> Option<Estimate> {
        let (a, b) = (|| Expr::input("a"), || Expr::input("b"));
        let (itself, factor) = match op {
            Op::Sqr => (a().sqr(), Some(1.0)),
            Op::MulHigh => (a().mul_high(&b()), wide_factor(question.product)),
            Op::MulWide => (a().mul_wide(&b()), wide_factor(question.product)),
            Op::SqrWide => (a().sqr_wide(), wide_factor(question.product)),
            _ => (a() * b(), None),
        };
        let low = || self.of_shape(&shape(&(a() * b()).to_dag()), question);
        self.of_shape(&shape(&itself.to_dag()), question).or_else(|| {
            let Estimate { milliseconds, .. } = low()?;
            Some(Estimate { milliseconds: milliseconds * factor?, basis: Basis::Composed })
        })
    }

    /// Of the kernels of other operations beside products on tensor cores; others' are part of the products'
    /// times.
    fn beside(&self, product: Product, program: &Program) -> f64 {
        if product != Product::Tensor {
            return 0.0;
        }
        let linear = program.launched().filter(|kernel| matches!(kernel, ProgramKernel::Expression(_)));
        self.device.predict(LINEAR, Product::Auto, BATCHES) * linear.count() as f64
    }
}

/// Batches that a program of so many products moves at least.
fn batches(product: Product, count: usize, program: &Program) -> f64 {
    match product {
        Product::Ntt if count > 1 => BATCHES_NTT * SHARED * count as f64,
        Product::Ntt => BATCHES_NTT,
        Product::Tensor => BATCHES * program.launches.len() as f64,
        Product::Classical | Product::Auto => BATCHES,
    }
}

const fn wide_factor(product: Product) -> Option<f64> {
    match product {
        Product::Classical | Product::Auto => Some(WIDE_CLASSICAL),
        Product::Ntt => Some(WIDE_NTT),
        Product::Tensor => None,
    }
}
