//! The estimated time of a program, from the times that were measured.

use std::fmt;

use limbforge_algos::expr::{Expr, Op};

use super::times::{Case, Times, on_line};
use super::{measurement::Key, planner::Planner};
use crate::pipeline::{Product, Program, ProgramKernel, ProgramSpec, is_product};

/// What an estimate rests on, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// This expression was measured at this width, on this GPU or one of its kind.
    Measured,
    /// It was measured at other widths.
    Between,
    /// Its products were measured, not the expression as a whole.
    Composed,
    /// Scaled from measurements of another architecture.
    Predicted,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["measured", "between measured widths", "from its products", "predicted"][*self as usize])
    }
}

/// The estimated time of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// For a batch of 2^32 bits of each operand.
    pub milliseconds: f64,
    /// What it rests on.
    pub basis: Basis,
}

/// Time of products that share transforms over that of as many alone: Poly takes 3.05 products instead of 4.
const SHARED: f64 = 0.76;
/// Milliseconds of a kernel of other operations on an H200: it reads and writes about three batches.
const LINEAR: f64 = 0.37;
/// Batches that a kernel moves: two operands and a result.
const BATCHES: f64 = 3.0;
/// Batches that a product by transforms moves, with five residues of 32 bits for each 64-bit digit.
const BATCHES_NTT: f64 = 8.0;
/// Time of wide and high products over that of low ones where they were not measured; none on tensor cores.
const WIDE_CLASSICAL: f64 = 2.0;
const WIDE_NTT: f64 = 1.27;

impl Planner {
    /// The time by the shipped measurements alone; None where nothing similar was measured.
    pub(super) fn shipped_estimate(
        &self,
        spec: &ProgramSpec,
        product: Product,
        program: &Program,
    ) -> Option<Estimate> {
        Self { tuned: Times::default(), ..*self }.estimate(spec, product, program)
    }

    /// The time by the user's measurements, else by the shipped ones; None if nothing similar was measured.
    pub(super) fn estimate(
        &self,
        spec: &ProgramSpec,
        product: Product,
        program: &Program,
    ) -> Option<Estimate> {
        let (key, case) = (Key::new(&spec.dag, product), Case::new(spec.ty, spec.limb));
        if let Some((_, milliseconds)) = self.tuned.fastest_mapping(&key, case) {
            return Some(Estimate { milliseconds, basis: Basis::Measured });
        }
        let products: Vec<&Op> =
            spec.dag.nodes().iter().map(|node| &node.op).filter(|op| is_product(op)).collect();
        if products.is_empty() {
            return None;
        }
        let (alone, shared) = match product {
            Product::Ntt => (BATCHES_NTT, if products.len() > 1 { SHARED } else { 1.0 }),
            _ => (BATCHES, 1.0),
        };
        let batches = match product {
            Product::Ntt => alone * shared * products.len() as f64,
            Product::Tensor => alone * program.launches.len() as f64,
            Product::Classical | Product::Rns | Product::RnsWarps | Product::Fold | Product::Auto => alone,
        };
        self.of_expression(&key, case, batches).or_else(|| {
            // The sum of the products, and on tensor cores of the kernels between them.
            let is_beside = |kernel: &&ProgramKernel| {
                product == Product::Tensor && matches!(kernel, ProgramKernel::Expression(_))
            };
            let beside = program.launched().filter(is_beside).count() as f64;
            let mut milliseconds = self.device.predict(LINEAR, Product::Auto, BATCHES) * beside;
            let mut basis = Basis::Composed;
            for op in products {
                let one = self.of_product(op, product, case, alone)?;
                milliseconds += one.milliseconds * shared;
                basis = basis.max(one.basis);
            }
            Some(Estimate { milliseconds, basis })
        })
    }

    /// The time of an expression that was measured: the shipped one, scaled to the tuned ones.
    fn of_expression(&self, key: &Key, case: Case, batches: f64) -> Option<Estimate> {
        let (shipped, tuned) = (self.shipped_of(key, case, batches), self.tuned.milliseconds(key, case));
        if let Some((milliseconds, true)) = tuned {
            return Some(Estimate { milliseconds, basis: Basis::Measured });
        }
        if self.tuned.rows(key).next().is_none() {
            return shipped;
        }
        let Some(shipped) = shipped else {
            return Some(Estimate { milliseconds: tuned?.0, basis: Basis::Between });
        };
        // Tuned over shipped times at tuned widths, and on a line between.
        let ratios = self.tuned.rows(key).filter_map(|row| {
            let expected = self.shipped_of(key, row.case, batches)?;
            Some((f64::from(row.case.words), row.ms / expected.milliseconds))
        });
        let ratio = on_line(ratios, f64::from(case.words), false)?;
        Some(Estimate { milliseconds: shipped.milliseconds * ratio, basis: Basis::Between })
    }

    fn shipped_of(&self, key: &Key, case: Case, batches: f64) -> Option<Estimate> {
        let (measured, is_exact) = self.shipped.milliseconds(key, case)?;
        let milliseconds = self.device.predict(measured, key.product, batches);
        let basis = match (self.device.is_measured(), is_exact) {
            (false, _) => Basis::Predicted,
            (true, true) => Basis::Measured,
            (true, false) => Basis::Between,
        };
        Some(Estimate { milliseconds, basis })
    }

    /// The time of a product alone.
    fn of_product(&self, op: &Op, product: Product, case: Case, batches: f64) -> Option<Estimate> {
        let of = |expr: Expr| self.of_expression(&Key::new(&expr.to_dag(), product), case, batches);
        let (a, b) = (Expr::input("a"), Expr::input("b"));
        let wide = match product {
            Product::Classical | Product::Rns | Product::RnsWarps | Product::Fold | Product::Auto => {
                Some(WIDE_CLASSICAL)
            }
            Product::Ntt => Some(WIDE_NTT),
            Product::Tensor => None,
        };
        let (itself, factor) = match op {
            Op::Sqr => (a.sqr(), Some(1.0)),
            Op::MulHigh => (a.mul_high(&b), wide),
            Op::MulWide => (a.mul_wide(&b), wide),
            Op::SqrWide => (a.sqr_wide(), wide),
            _ => (&a * &b, None),
        };
        of(itself).or_else(|| {
            let milliseconds = of(a * b)?.milliseconds * factor?;
            Some(Estimate { milliseconds, basis: Basis::Composed })
        })
    }
}
