//! Reasons of the failures that a kernel has marked.

use limbforge_algos::cpu::{EvalError, Evaluator, Failure};
use limbforge_limb::{Base, Batch, Layout};

use crate::engine::error::EngineError;

/// The failures of the marked instances, whose results become 0: kernels say which ones fail, the CPU
/// backend, which evaluates them again, says why.
///
/// # Errors
/// [`EngineError::Internal`] if one of them has a result on the CPU: its value here would be a wrong 0.
pub(super) fn name<B: Base>(
    evaluator: &Evaluator<B>,
    operands: &[&Batch<B>],
    result: &mut Batch<B>,
    marked: &[u64],
) -> Result<Vec<Failure>, EngineError> {
    if marked.is_empty() {
        return Ok(vec![]);
    }
    let marked: Vec<usize> = marked.iter().map(|&instance| instance as usize).collect();
    let mut parts = vec![];
    for batch in operands {
        let zeros = Batch::zeros(evaluator.ty(), Layout::InstanceMajor, marked.len());
        let mut part = zeros.map_err(EvalError::from)?;
        for (i, &instance) in marked.iter().enumerate() {
            part.set_instance(i, &batch.instance(if batch.instances() == 1 { 0 } else { instance }));
        }
        parts.push(part);
    }
    let parts: Vec<&Batch<B>> = parts.iter().collect();
    let mut failures = evaluator.eval(&parts, marked.len(), Layout::InstanceMajor)?.failures;
    for failure in &mut failures {
        failure.instance = marked[failure.instance];
    }
    let has_result =
        |instance: &&usize| failures.binary_search_by_key(*instance, |failure| failure.instance).is_err();
    if let Some(instance) = marked.iter().find(has_result) {
        return Err(EngineError::Internal {
            what: format!("instance {instance} is marked and has a result"),
        });
    }
    let zero = vec![B::ZERO; result.limbs_per_instance()];
    for &instance in &marked {
        result.set_instance(instance, &zero);
    }
    Ok(failures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use limbforge_algos::cpu;
    use limbforge_algos::expr::Expr;
    use limbforge_limb::IntType;

    #[test]
    fn marked_instances_get_their_reasons_and_zeros() {
        let ty = IntType::unsigned(64).unwrap();
        let batch = |values: &[u64]| {
            let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
            Batch::<u32>::from_biguints(ty, Layout::Interleaved, &values).unwrap()
        };
        let (a, b, junk) = (batch(&[7, 8, 9, 10]), batch(&[2, 0, 3, 0]), batch(&[3, 77, 3, 78]));
        let dag = Expr::parse("a / b").unwrap().to_dag();
        let expected = cpu::eval_checked(&dag, &[("a", &a), ("b", &b)]).unwrap();
        let evaluator = Evaluator::new(&dag, ty).unwrap();
        let named = |marked: &[u64]| {
            let mut result = junk.clone();
            name(&evaluator, &[&a, &b], &mut result, marked).map(|failures| (result, failures))
        };
        assert_eq!(named(&[]).unwrap(), (junk.clone(), vec![]));
        assert_eq!(named(&[1, 3]).unwrap(), (expected.values, expected.failures));
        let wrong = named(&[1, 2, 3]).unwrap_err();
        assert!(wrong.to_string().contains("instance 2 is marked and has a result"), "{wrong}");
    }
}
