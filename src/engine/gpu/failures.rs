//! Reasons of the failures that a kernel has marked.

use limbforge_algos::cpu::{EvalError, Evaluator, Failure};
use limbforge_limb::{Base, Batch, Layout};

use crate::engine::error::EngineError;

/// The failures of each expression in the marked instances, whose results become 0: kernels say which results
/// an instance lacks, as bits, and the CPU backend, which evaluates it again, says why.
///
/// # Errors
/// [`EngineError::Internal`] if one of them has a result on the CPU, whose value here would be a wrong 0, or
/// lacks one that is not marked.
pub(super) fn name<B: Base>(
    evaluator: &Evaluator<B>,
    operands: &[&Batch<B>],
    results: &mut [&mut Batch<B>],
    marked: &[(u64, u32)],
) -> Result<Vec<Vec<Failure>>, EngineError> {
    if marked.is_empty() {
        return Ok(vec![vec![]; results.len()]);
    }
    let mut parts = vec![];
    for batch in operands {
        let zeros = Batch::zeros(evaluator.ty(), Layout::InstanceMajor, marked.len());
        let mut part = zeros.map_err(EvalError::from)?;
        for (i, &(instance, _)) in marked.iter().enumerate() {
            let instance = if batch.instances() == 1 { 0 } else { instance as usize };
            part.set_instance(i, &batch.instance(instance));
        }
        parts.push(part);
    }
    let parts: Vec<&Batch<B>> = parts.iter().collect();
    let mut all = vec![];
    let again = evaluator.eval_all(&parts, marked.len(), Layout::InstanceMajor)?;
    for ((found, part), result) in again.into_iter().zip(evaluator.parts()).zip(results) {
        let mut failures = found.failures;
        let zero = vec![B::ZERO; result.limbs_per_instance()];
        for (i, &(instance, lacks)) in marked.iter().enumerate() {
            let is_marked = lacks >> part.root() & 1 == 1;
            if failures.binary_search_by_key(&i, |failure| failure.instance).is_ok() != is_marked {
                let but = if is_marked { "is marked and has a result" } else { "has no result and no mark" };
                return Err(EngineError::Internal { what: format!("instance {instance} {but}") });
            }
            if is_marked {
                result.set_instance(instance as usize, &zero);
            }
        }
        for failure in &mut failures {
            failure.instance = marked[failure.instance].0 as usize;
        }
        all.push(failures);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use limbforge_algos::cpu;
    use limbforge_algos::expr::{Dags, Expr};
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
            let marked: Vec<(u64, u32)> = marked.iter().map(|&instance| (instance, 1)).collect();
            let failures = name(&evaluator, &[&a, &b], &mut [&mut result], &marked)?;
            Ok::<_, EngineError>((result, failures[0].clone()))
        };
        assert_eq!(named(&[]).unwrap(), (junk.clone(), vec![]));
        assert_eq!(named(&[1, 3]).unwrap(), (expected.values, expected.failures));
        let wrong = named(&[1, 2, 3]).unwrap_err();
        assert!(wrong.to_string().contains("instance 2 is marked and has a result"), "{wrong}");
    }

    #[test]
    fn an_instance_lacks_some_results_and_has_others() {
        let ty = IntType::unsigned(64).unwrap();
        let batch = |values: &[u64]| {
            let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
            Batch::<u32>::from_biguints(ty, Layout::InstanceMajor, &values).unwrap()
        };
        let (a, b) = (batch(&[7, 8, 9]), batch(&[2, 0, 3]));
        let exprs = ["a / b", "a + b", "div_exact(a, b)"].map(|text| Expr::parse(text).unwrap());
        let evaluator = Evaluator::of_all(Dags::new(&exprs), ty).unwrap();
        let expected = evaluator.eval_all(&[&a, &b], 3, Layout::InstanceMajor).unwrap();
        let named = |marked: &[(u64, u32)]| {
            let mut results = [batch(&[3, 5, 3]), batch(&[9, 8, 12]), batch(&[1, 2, 3])];
            let failures = name(&evaluator, &[&a, &b], &mut results.each_mut(), marked)?;
            Ok::<_, EngineError>((results, failures))
        };
        let (results, failures) = named(&[(0, 0b100), (1, 0b101)]).unwrap();
        for ((expected, values), failures) in expected.into_iter().zip(results).zip(failures) {
            assert_eq!(expected, cpu::Checked { values, failures });
        }
        let wrong = named(&[(1, 0b100)]).unwrap_err();
        assert!(wrong.to_string().contains("instance 1 has no result and no mark"), "{wrong}");
    }
}
