//! Why instances that a kernel has marked have no result.

use limbforge_algos::cpu::{self, Checked, EvalError, Shape};
use limbforge_algos::expr::Dag;
use limbforge_limb::{Base, Batch, Layout};

use crate::engine::EngineError;

/// The values with 0 for the marked instances, and why each of these fails: kernels say which ones do, the CPU backend, which
/// evaluates them again, says why.
///
/// # Errors
/// [`EngineError::Internal`] if one of them has a result on the CPU: its value here would be a wrong 0.
pub(super) fn name<B: Base>(
    dag: &Dag,
    inputs: &[(&str, &Batch<B>)],
    mut values: Batch<B>,
    marked: &[u64],
) -> Result<Checked<B>, EngineError> {
    if marked.is_empty() {
        return Ok(Checked { values, failures: vec![] });
    }
    let marked: Vec<usize> = marked.iter().map(|&instance| instance as usize).collect();
    let ty = Shape::of(inputs)?.ty;
    let mut parts = vec![];
    for (name, batch) in inputs {
        let mut part = Batch::zeros(ty, Layout::InstanceMajor, marked.len()).map_err(EvalError::from)?;
        for (i, &instance) in marked.iter().enumerate() {
            part.set_instance(i, &batch.instance(if batch.instances() == 1 { 0 } else { instance }));
        }
        parts.push((*name, part));
    }
    let named: Vec<(&str, &Batch<B>)> = parts.iter().map(|(name, part)| (*name, part)).collect();
    let mut failures = cpu::eval_checked(dag, &named)?.failures;
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
    let zero = vec![B::ZERO; values.limbs_per_instance()];
    for &instance in &marked {
        values.set_instance(instance, &zero);
    }
    Ok(Checked { values, failures })
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let inputs = [("a", &a), ("b", &b)];
        let expected = cpu::eval_checked(&dag, &inputs).unwrap();
        assert_eq!(name(&dag, &inputs, junk, &[1, 3]).unwrap(), expected);
        assert_eq!(expected.failures.len(), 2);
        let junk = batch(&[3, 77, 3, 78]);
        let wrong = name(&dag, &inputs, junk, &[1, 2, 3]).unwrap_err();
        assert!(wrong.to_string().contains("instance 2 is marked and has a result"), "{wrong}");
    }
}
