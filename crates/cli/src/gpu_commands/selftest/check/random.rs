//! Random expressions through an engine, values and failures, against the CPU backend.

use limbforge::{algos::cpu, algos::expr::random::VARIABLES, prelude::*};

use super::{CliError, Extent, Outcome, difference::difference};
use crate::gpu_commands::selftest::random::RandomCase;
use limbforge_cli::gpu::operands::{Operands, Places};

/// Instances of an expression unless another number is asked for, and of tiny batches.
const INSTANCES: u64 = 600;
const FEW: u64 = 5;

/// Expressions above this width have fewer instances, but at least the second number.
const FULL_BITS: u64 = 2048;
const LEAST: u64 = 20;

fn instances(case: &RandomCase, extent: Extent) -> u64 {
    if extent.small {
        return FEW;
    }
    let wanted = if extent.instances > 0 { extent.instances } else { INSTANCES };
    (wanted * FULL_BITS / u64::from(case.ty.bits()).max(FULL_BITS)).max(LEAST)
}

/// Evaluates the expression on batches of two sizes. The engine cannot fall back on the CPU.
pub(super) fn check<B: Base>(
    engine: &Engine,
    case: &RandomCase,
    extent: Extent,
) -> Result<Outcome, CliError> {
    let mut operands = Operands::new(case.operands_seed());
    let mut compared = 0;
    // A batch of one instance would be broadcast.
    for instances in [3, instances(case, extent)] {
        let batches = batches::<B>(&mut operands, case, instances as usize)?;
        let inputs: Vec<(&str, &Batch<B>)> = VARIABLES.into_iter().zip(&batches).collect();
        let expected = cpu::eval_checked(&case.expr.to_dag(), &inputs)?;
        let found = engine.eval_checked(&case.expr, &inputs)?;
        if let Some(why) = unequal(&expected, &found, &inputs) {
            return Ok(Outcome::Failed(format!("{case}: N={instances}, {why}")));
        }
        compared += instances;
    }
    Ok(Outcome::Equal { instances: compared })
}

/// The operands of an expression, in their places.
fn batches<B: Base>(
    operands: &mut Operands,
    case: &RandomCase,
    instances: usize,
) -> Result<Vec<Batch<B>>, CliError> {
    let batches = operands.batches::<B>(case.ty, VARIABLES.len(), instances, Places::default());
    let mut batches = batches.map_err(EvalError::from)?;
    operands.divisions(&mut batches);
    let placed =
        batches.into_iter().zip(case.layouts).zip(case.broadcast).map(|((batch, layout), is_broadcast)| {
            if !is_broadcast {
                return Ok(batch.into_layout(layout));
            }
            let mut one = Batch::zeros(case.ty, layout, 1).map_err(EvalError::from)?;
            one.set_instance(0, &batch.instance(0));
            Ok(one)
        });
    placed.collect()
}

/// How values or failures differ.
fn unequal<B: Base>(
    expected: &Checked<B>,
    found: &Checked<B>,
    inputs: &[(&str, &Batch<B>)],
) -> Option<String> {
    if (found.values.ty(), found.values.layout()) != (expected.values.ty(), expected.values.layout()) {
        let of = |checked: &Checked<B>| format!("{} {:?}", checked.values.ty(), checked.values.layout());
        return Some(format!("expected {}, found {}", of(expected), of(found)));
    }
    if found.failures != expected.failures {
        let pairs = expected.failures.iter().zip(&found.failures);
        let equal = pairs.take_while(|(expected, found)| expected == found).count();
        let at = |checked: &Checked<B>| checked.failures.get(equal).map(Failure::to_string);
        return Some(format!("failures: expected {:?}, found {:?}", at(expected), at(found)));
    }
    difference(&expected.values, found.values.limbs(), inputs)
}

#[cfg(test)]
mod tests {
    use limbforge_cli::with_limb;

    use super::*;

    const EXTENT: Extent = Extent { small: false, instances: 0, threads: 1 };

    /// 200 expressions are 10^5 instances; few of them fail.
    #[test]
    fn instances_mostly_have_results() {
        let (mut all, mut failed, mut expected) = (0, 0, 0);
        for index in 0..200 {
            let case = RandomCase::new(1, index).unwrap();
            expected += instances(&case, EXTENT);
            if case.ty.bits() > 1000 || index >= 60 {
                continue;
            }
            let batches = batches::<u64>(&mut Operands::new(index), &case, 20).unwrap();
            let inputs: Vec<(&str, &Batch<u64>)> = VARIABLES.into_iter().zip(&batches).collect();
            let checked = cpu::eval_checked(&case.expr.to_dag(), &inputs).unwrap();
            let mut instances: Vec<usize> = checked.failures.iter().map(|failure| failure.instance).collect();
            instances.dedup();
            (all, failed) = (all + 20, failed + instances.len());
        }
        println!("{failed} of {all} fail, {expected} instances in all");
        assert!(expected > 100_000, "{expected}");
        assert!(3 * failed < all, "{failed} of {all} fail");
    }

    /// The engine of the CPU stands for a GPU without defects, and its changed results for one with.
    #[test]
    fn values_and_failures_are_compared() {
        let case = (0..50).map(|index| RandomCase::new(1, index).unwrap());
        for case in case.filter(|case| case.ty.bits() < 300) {
            let extent = Extent { small: true, ..EXTENT };
            let outcome = with_limb!(case.limb, B => check::<B>(&Engine::cpu(), &case, extent)).unwrap();
            assert_eq!(outcome, Outcome::Equal { instances: 8 }, "{case}");
        }
        let ty = IntType::unsigned(64).unwrap();
        let batch = |values: &[u32]| {
            let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
            Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &values).unwrap()
        };
        let (a, b) = (batch(&[7, 8]), batch(&[2, 0]));
        let inputs = [("a", &a), ("b", &b)];
        let expected = cpu::eval_checked(&Expr::parse("a / b").unwrap().to_dag(), &inputs).unwrap();
        assert_eq!(unequal(&expected, &expected, &inputs), None);
        let mut value = expected.clone();
        value.values.set_instance(0, &[4]);
        assert!(unequal(&expected, &value, &inputs).unwrap().contains("expected 0x3, found 0x4"));
        let unmarked = Checked { failures: vec![], ..expected.clone() };
        let text = "failures: expected Some(\"instance 1: division by zero: `b` is 0\"), found None";
        assert_eq!(unequal(&expected, &unmarked, &inputs).as_deref(), Some(text));
    }
}
