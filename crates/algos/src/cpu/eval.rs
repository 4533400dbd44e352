//! Evaluation of an expression over named batches.

use limbforge_limb::{Base, Batch, IntType, Layout};

use super::{Checked, EvalError, Evaluator, error::none_failed};
use crate::expr::Dag;

/// The values of `dag` over the named batches, instance by instance: in the first batch's layout, of the type
/// [`Dag::result_type`].
///
/// All batches, used or not, have one type and N instances, or 1, which is broadcast.
///
/// # Errors
/// [`EvalError`], before anything is computed; and [`EvalError::Failed`] if an instance has no result.
pub fn eval<B: Base>(dag: &Dag, inputs: &[(&str, &Batch<B>)]) -> Result<Batch<B>, EvalError> {
    eval_checked(dag, inputs)?.complete()
}

/// As [`eval`], with the instances that failed beside the results of all others.
///
/// # Errors
/// [`EvalError`], before anything is computed.
pub fn eval_checked<B: Base>(dag: &Dag, inputs: &[(&str, &Batch<B>)]) -> Result<Checked<B>, EvalError> {
    let Shape { ty, layout, instances } = Shape::of(inputs)?;
    Evaluator::new(dag, ty)?.eval(&bind(dag, inputs)?, instances, layout)
}

/// As [`eval`], into a batch of the result's type and the inputs' number of instances, in its own layout.
/// Successive results need no new allocation.
///
/// # Errors
/// As [`eval`]; the batch then holds the results of the instances that have one.
pub fn eval_into<B: Base>(
    dag: &Dag,
    inputs: &[(&str, &Batch<B>)],
    result: &mut Batch<B>,
) -> Result<(), EvalError> {
    let Shape { ty, instances, .. } = Shape::of(inputs)?;
    let operands = bind(dag, inputs)?;
    none_failed(Evaluator::new(dag, ty)?.run(&operands, instances, result)?)
}

/// The type, layout and number of instances that batches evaluate to together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The type of all batches.
    pub ty: IntType,
    /// The layout of the first batch, which the result takes.
    pub layout: Layout,
    /// N of all batches that are not broadcast.
    pub instances: usize,
}

impl Shape {
    /// The shape of these batches.
    ///
    /// # Errors
    /// [`EvalError::NoInputs`], [`EvalError::TypeMismatch`], [`EvalError::CountMismatch`].
    pub fn of<B: Base>(inputs: &[(&str, &Batch<B>)]) -> Result<Self, EvalError> {
        let &(first, batch) = inputs.first().ok_or(EvalError::NoInputs)?;
        let (ty, layout) = (batch.ty(), batch.layout());
        // The first batch that is not broadcast sets the count.
        let &(counted, counting) =
            inputs.iter().find(|(_, batch)| batch.instances() != 1).unwrap_or(&inputs[0]);
        let expected = counting.instances();
        for (name, batch) in inputs {
            let (name, found) = ((*name).to_owned(), batch.instances());
            if batch.ty() != ty {
                let first = first.to_owned();
                return Err(EvalError::TypeMismatch { first, expected: ty, name, found: batch.ty() });
            }
            if ![1, expected].contains(&found) {
                return Err(EvalError::CountMismatch { first: counted.to_owned(), expected, name, found });
            }
        }
        Ok(Self { ty, layout, instances: expected })
    }
}

/// The batches of the variables of `dag`, in the order of [`Dag::inputs`].
///
/// # Errors
/// [`EvalError::UnknownVariable`] for a variable without a batch.
pub fn bind<'b, B: Base>(dag: &Dag, inputs: &[(&str, &'b Batch<B>)]) -> Result<Vec<&'b Batch<B>>, EvalError> {
    let find = |name: &str| {
        let found = inputs.iter().find(|(given, _)| *given == name);
        found.map(|(_, batch)| *batch).ok_or_else(|| EvalError::UnknownVariable {
            name: name.to_owned(),
            given: inputs.iter().map(|(name, _)| (*name).to_owned()).collect(),
        })
    };
    dag.inputs().map(find).collect()
}
