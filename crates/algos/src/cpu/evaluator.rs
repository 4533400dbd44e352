//! Expressions checked for a type, with their schedule and constants.

mod run;
mod width;

use limbforge_limb::{Base, Batch, IntType, Layout, convert};

use super::{Checked, EvalError, Failure, Schedule};
use crate::expr::{Dag, Dags, Part};
use crate::invariant::broken_invariant;

/// An expression, or several over the same operands, checked for a type, with their schedule and constants,
/// which all evaluations share.
///
/// ```
/// use limbforge_algos::cpu::Evaluator;
/// use limbforge_algos::expr::Expr;
/// use limbforge_limb::{Batch, IntType, Layout};
///
/// let ty: IntType = "u96".parse()?;
/// let evaluator = Evaluator::<u32>::new(&Expr::parse("a * b + 1")?.to_dag(), ty)?;
/// let a = Batch::from_biguints(ty, Layout::InstanceMajor, &[3_u32.into(), 4_u32.into()])?;
/// let five = Batch::from_biguints(ty, Layout::InstanceMajor, &[5_u32.into()])?;
/// let found = evaluator.eval(&[&a, &five], 2, Layout::InstanceMajor)?;
/// assert_eq!(found.values.to_biguints(), [16_u32.into(), 21_u32.into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator<B> {
    dags: Dags,
    ty: IntType,
    /// Of the roots of the graph of all.
    results: Vec<IntType>,
    schedule: Schedule,
    literals: Vec<Vec<B>>,
}

impl<B: Base> Evaluator<B> {
    /// The evaluator of `dag` over integers of type `ty`: of an expression for each of its roots.
    ///
    /// # Errors
    /// [`EvalError::Type`] for a constant that does not fit the type, or a wide product where none may stand.
    pub fn new(dag: &Dag, ty: IntType) -> Result<Self, EvalError> {
        Self::of_all(dag.into(), ty)
    }

    /// The evaluator of several expressions, which computes what they share once.
    ///
    /// ```
    /// use limbforge_algos::cpu::Evaluator;
    /// use limbforge_algos::expr::{Dags, Expr};
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a % b")?];
    /// let evaluator = Evaluator::<u64>::of_all(Dags::new(&exprs), "u256".parse()?)?;
    /// assert_eq!(evaluator.schedule().steps.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new), for any of them.
    pub fn of_all(dags: Dags, ty: IntType) -> Result<Self, EvalError> {
        let (results, schedule) = (dags.all().result_types(ty)?, Schedule::new(dags.all()));
        let limbs = |value| {
            let mut limbs = vec![B::ZERO; ty.limbs::<B>()];
            if !convert::from_biguint(value, &mut limbs) {
                broken_invariant("constants were found to fit the type");
            }
            limbs
        };
        let literals = schedule.literals.iter().map(limbs).collect();
        Ok(Self { dags, ty, results, schedule, literals })
    }

    /// The graph of the expression, or of all.
    #[must_use]
    pub const fn dag(&self) -> &Dag {
        self.dags.all()
    }

    /// The expressions, one for each result.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        self.dags.parts()
    }

    /// The type of all operands.
    #[must_use]
    pub const fn ty(&self) -> IntType {
        self.ty
    }

    /// The type of the result, the first one of several: twice as wide for a wide product.
    #[must_use]
    pub fn result_type(&self) -> IntType {
        self.result_types().next().unwrap_or(self.ty)
    }

    /// The types of all results.
    #[must_use]
    pub fn result_types(&self) -> impl ExactSizeIterator<Item = IntType> {
        self.parts().iter().map(|part| self.results[part.root()])
    }

    /// The order of the operations and their buffers.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The results in a layout, and the instances that failed. `operands` are in the order of
    /// [`Dag::inputs`], of so many instances or one, which is broadcast. Of several expressions the first.
    ///
    /// # Errors
    /// [`EvalError`] if an operand is missing, of another type or of another number of instances.
    pub fn eval(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        layout: Layout,
    ) -> Result<Checked<B>, EvalError> {
        let first = self.eval_all(operands, instances, layout)?.into_iter().next();
        Ok(first.unwrap_or_else(|| broken_invariant("an expression has a result")))
    }

    /// The results of all expressions, each with the instances that failed in it alone.
    ///
    /// # Errors
    /// Those of [`eval`](Self::eval).
    pub fn eval_all(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        layout: Layout,
    ) -> Result<Vec<Checked<B>>, EvalError> {
        let zeros = |ty| Batch::zeros(ty, Layout::InstanceMajor, instances);
        let mut results = self.result_types().map(zeros).collect::<Result<Vec<_>, _>>()?;
        let failures = self.run_all(operands, instances, &mut results.iter_mut().collect::<Vec<_>>())?;
        let checked =
            |(values, failures): (Batch<B>, _)| Checked { values: values.into_layout(layout), failures };
        Ok(results.into_iter().zip(failures).map(checked).collect())
    }

    /// As [`eval`](Self::eval), into a batch of the result's type and this number of instances, in its own
    /// layout. The results of the instances that failed, which are returned, are 0.
    ///
    /// # Errors
    /// As [`eval`](Self::eval), and [`EvalError::ResultMismatch`] for a batch that does not fit.
    pub fn run(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EvalError> {
        Ok(self.run_all(operands, instances, &mut [result])?.swap_remove(0))
    }
}
