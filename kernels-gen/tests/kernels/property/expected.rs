//! Operands, and what expressions make of them by num-bigint.

use std::collections::HashMap;

use limbforge_algos::cpu;
use limbforge_algos::expr::Dag;
use limbforge_kernels_gen::InputSpec;
use limbforge_limb::{Base, Batch, IntType};
use limbforge_testing::{expr, operands};
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// The operands of N instances; a broadcast one has one instance. Neighbours are often each other's complement or
/// negative, so that carries ripple through every limb.
pub(crate) fn batches<B: Base>(
    runner: &mut TestRunner,
    inputs: &[InputSpec],
    ty: IntType,
    instances: usize,
) -> Vec<Batch<B>> {
    let pair = operands::integer_pair::<B>(ty.limbs::<B>());
    let size = |input: &InputSpec| if input.broadcast { 1 } else { instances };
    let mut batches: Vec<Batch<B>> =
        inputs.iter().map(|input| Batch::zeros(ty, input.layout, size(input)).unwrap()).collect();
    for i in 0..instances {
        for two in batches.chunks_mut(2) {
            let (x, y) = pair.new_tree(runner).unwrap().current();
            for (batch, value) in two.iter_mut().zip([x, y]).filter(|(batch, _)| i < batch.instances()) {
                batch.set_instance(i, &value);
            }
        }
    }
    batches
}

/// The result of each instance, None for one that fails. The CPU backend says the same, if there are operands.
pub(crate) fn results<B: Base>(
    dag: &Dag,
    inputs: &[InputSpec],
    ty: IntType,
    batches: &[Batch<B>],
    instances: usize,
) -> Result<Vec<Option<BigUint>>, TestCaseError> {
    let names = inputs.iter().map(|input| &*input.name);
    let values: Vec<Vec<BigInt>> = batches.iter().map(Batch::to_bigints).collect();
    let of_instance = |i: usize| {
        let at = |values: &Vec<BigInt>| values[i.min(values.len() - 1)].clone();
        let variables: HashMap<&str, BigInt> = names.clone().zip(values.iter().map(at)).collect();
        expr::evaluate_checked(dag, &variables, ty).ok()
    };
    let results: Vec<Option<BigUint>> = (0..instances).map(of_instance).collect();
    let named: Vec<(&str, &Batch<B>)> = names.clone().zip(batches).collect();
    if !named.is_empty() {
        let cpu::Checked { values, failures } = cpu::eval_checked(dag, &named).unwrap();
        let mut found: Vec<Option<BigUint>> = values.to_biguints().into_iter().map(Some).collect();
        failures.iter().for_each(|failure| found[failure.instance] = None);
        // Of broadcast operands alone there is one instance.
        for (i, expected) in results.iter().enumerate() {
            prop_assert_eq!(&found[i.min(found.len() - 1)], expected, "{}: instance {}: CPU", dag, i);
        }
    }
    Ok(results)
}
