//! Evaluation of an expression over named batches.

use limbforge_limb::{Base, Batch, IntType, Layout};

use super::{Checked, EvalError, Evaluator, Failure};
use crate::expr::Dag;

/// The values of `dag` over the named batches, instance by instance, in the layout of the first batch and of
/// the type that [`Dag::result_type`] says.
///
/// All batches have one type; all have N instances, or 1, which is broadcast. Batches that the expression
/// does not use count for N too.
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
/// Spares the allocation when one result after the other is computed.
///
/// # Errors
/// [`EvalError`], before anything is computed; and [`EvalError::Failed`] if an instance has no result, with
/// the others' in the batch.
pub fn eval_into<B: Base>(
    dag: &Dag,
    inputs: &[(&str, &Batch<B>)],
    result: &mut Batch<B>,
) -> Result<(), EvalError> {
    let failures = eval_into_checked(dag, inputs, result)?;
    let count = failures.len();
    failures.into_iter().next().map_or(Ok(()), |first| Err(EvalError::Failed { first, count }))
}

/// As [`eval_into`], with the instances that failed; their results are 0.
///
/// # Errors
/// [`EvalError`], before anything is computed.
pub fn eval_into_checked<B: Base>(
    dag: &Dag,
    inputs: &[(&str, &Batch<B>)],
    result: &mut Batch<B>,
) -> Result<Vec<Failure>, EvalError> {
    let Shape { ty, instances, .. } = Shape::of(inputs)?;
    let operands = bind(dag, inputs)?;
    Evaluator::new(dag, ty)?.run(&operands, instances, result)
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
        let instances = counting.instances();
        for (name, batch) in inputs {
            if batch.ty() != ty {
                let (first, name) = (first.to_owned(), (*name).to_owned());
                return Err(EvalError::TypeMismatch { first, expected: ty, name, found: batch.ty() });
            }
            if ![1, instances].contains(&batch.instances()) {
                let (first, name) = (counted.to_owned(), (*name).to_owned());
                let found = batch.instances();
                return Err(EvalError::CountMismatch { first, expected: instances, name, found });
            }
        }
        Ok(Self { ty, layout, instances })
    }
}

/// The batches of the variables of `dag`, in the order of [`Dag::inputs`].
///
/// # Errors
/// [`EvalError::UnknownVariable`] for a variable without a batch.
pub fn bind<'b, B: Base>(dag: &Dag, inputs: &[(&str, &'b Batch<B>)]) -> Result<Vec<&'b Batch<B>>, EvalError> {
    let find = |name: &str| inputs.iter().find(|(given, _)| *given == name).map(|(_, batch)| *batch);
    dag.inputs()
        .map(|name| {
            find(name).ok_or_else(|| EvalError::UnknownVariable {
                name: name.to_owned(),
                given: inputs.iter().map(|(name, _)| (*name).to_owned()).collect(),
            })
        })
        .collect()
}
