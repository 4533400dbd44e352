//! What an expression makes of operands, by num-bigint.

use std::collections::HashMap;

use limbforge_algos::cpu;
use limbforge_algos::expr::Dag;
use limbforge_limb::{Base, Batch};
use limbforge_testing::expr;
use num_bigint::{BigInt, BigUint};

use super::Subject;

/// The result of each instance of one of the subject's expressions, none for one that fails. The CPU backend says the same, if there are
/// operands.
pub(super) fn results<B: Base>(
    subject: &Subject,
    dag: &Dag,
    batches: &[Batch<B>],
    n: usize,
) -> Vec<Option<BigUint>> {
    let names = subject.inputs.iter().map(|input| &*input.name);
    let values: Vec<Vec<BigInt>> = batches.iter().map(Batch::to_bigints).collect();
    let of_instance = |i: usize| {
        let at = |values: &Vec<BigInt>| values[i.min(values.len() - 1)].clone();
        let variables: HashMap<&str, BigInt> = names.clone().zip(values.iter().map(at)).collect();
        expr::evaluate_checked(dag, &variables, subject.ty).ok()
    };
    let results: Vec<Option<BigUint>> = (0..n).map(of_instance).collect();
    let named: Vec<(&str, &Batch<B>)> = names.clone().zip(batches).collect();
    if !named.is_empty() {
        let cpu::Checked { values, failures } = cpu::eval_checked(dag, &named).unwrap();
        let mut found: Vec<Option<BigUint>> = values.to_biguints().into_iter().map(Some).collect();
        failures.iter().for_each(|failure| found[failure.instance] = None);
        // Of broadcast operands alone there is one instance.
        for (i, expected) in results.iter().enumerate() {
            assert_eq!(&found[i.min(found.len() - 1)], expected, "{dag}: instance {i}: CPU");
        }
    }
    results
}
