//! Programs through an engine, whole and in slices, results and failures, against the CPU backend.

use std::time::Duration;

use limbforge::prelude::*;

use super::{CliError, Extent, Outcome};
use crate::gpu_commands::selftest::cases::TapeCase;
use limbforge_cli::gpu::operands::{Operands, Places};

/// Instances unless another number is asked for, and of tiny batches.
const INSTANCES: u64 = 600;
const FEW: u64 = 5;

/// Runs the program on batches of two sizes. The engine cannot fall back on the CPU.
pub(super) fn check(engine: &Engine, case: TapeCase, seed: u64, extent: Extent) -> Result<Outcome, CliError> {
    let program = Program::parse(case.text).map_err(EngineError::from)?;
    let mut operands = Operands::new(seed);
    let mut compared = 0;
    for instances in [3, if extent.small { FEW } else { INSTANCES.max(extent.instances) }] {
        let batches = batches(&mut operands, &program, case.ty, instances as usize)?;
        let inputs: Vec<(&str, &Batch<u64>)> = batches.iter().map(|(name, batch)| (&**name, batch)).collect();
        let expected = Engine::cpu().run(&program, &inputs)?;
        let mut session = engine.start(&program, &inputs)?;
        while !session.progress().is_done {
            session.advance(Duration::ZERO)?;
        }
        for (how, found) in [("whole", engine.run(&program, &inputs)?), ("in slices", session.finish()?)] {
            if let Some(why) = unequal(&expected, &found) {
                return Ok(Outcome::Failed(format!("{} N={instances}, {how}: {why}", case.ty)));
            }
        }
        compared += instances;
    }
    Ok(Outcome::Equal { instances: compared })
}

/// An integer for each instance of each input; half of the moduli, which are called n, are made odd.
fn batches(
    operands: &mut Operands,
    program: &Program,
    ty: IntType,
    instances: usize,
) -> Result<Vec<(String, Batch<u64>)>, CliError> {
    let open = program.inputs().filter(|(_, known)| known.is_none());
    let typed = program.typed(&open.map(|(name, _)| (name, ty)).collect::<Vec<_>>());
    let typed = typed.map_err(EngineError::from)?;
    let inputs = typed.inputs().iter().map(|input| {
        let name = input.name.to_string();
        let batches = operands.batches::<u64>(input.ty, 1, instances, Places::default());
        let mut batch = batches.map_err(EvalError::from)?.remove(0);
        if name == "n" {
            let limbs = batch.limbs_per_instance();
            batch.limbs_mut().chunks_mut(limbs).step_by(2).for_each(|integer| integer[0] |= 1);
        }
        Ok((name, batch))
    });
    inputs.collect()
}

/// How results or failures differ.
fn unequal(expected: &ProgramRun<u64>, found: &ProgramRun<u64>) -> Option<String> {
    let pairs = expected.failures().iter().zip(found.failures());
    let equal = pairs.take_while(|(expected, found)| expected == found).count();
    let at = |run: &ProgramRun<u64>| run.failures().get(equal).map(|failure| format!("{failure:?}"));
    if at(expected).is_some() || at(found).is_some() {
        return Some(format!("failures: expected {:?}, found {:?}", at(expected), at(found)));
    }
    for ((name, expected), (_, found)) in expected.results().zip(found.results()) {
        let differs = |&i: &usize| expected.instance(i) != found.instance(i);
        if let Some(i) = (0..expected.instances()).find(differs) {
            let hex = |batch: &Batch<u64>| format!("{:x?}", batch.instance(i));
            return Some(format!("{name} of {i}: expected {}, found {}", hex(expected), hex(found)));
        }
    }
    for ((name, expected), (_, found)) in expected.lists().zip(found.lists()) {
        if (expected.instances(), expected.columns()) != (found.instances(), found.columns()) {
            return Some(format!(
                "list {name}: expected {} rows, found {} or others",
                expected.len(),
                found.len()
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_commands::selftest::cases::{Task, tapes};

    /// The engine of the CPU stands for a GPU without defects.
    #[test]
    fn results_and_failures_are_compared() {
        let extent = Extent { small: true, instances: 0, threads: 1 };
        for case in tapes(true).unwrap().iter().filter(|case| case.size < 600) {
            let Task::Tape(tape) = case.task else { unreachable!() };
            let outcome = check(&Engine::cpu(), tape, 1, extent).unwrap();
            assert_eq!(outcome, Outcome::Equal { instances: 8 }, "{}", case.name);
        }
        let program = Program::parse("in a, b\nout q = a / b").unwrap();
        let batch = |values: &[u64]| {
            Batch::<u64>::from_u64s("u64".parse().unwrap(), Layout::InstanceMajor, values).unwrap()
        };
        let run =
            |b: &[u64]| Engine::cpu().run(&program, &[("a", &batch(&[7, 8])), ("b", &batch(b))]).unwrap();
        assert_eq!(unequal(&run(&[1, 0]), &run(&[1, 0])), None);
        let differs = |b: &[u64]| unequal(&run(&[1, 2]), &run(b)).unwrap();
        assert_eq!(differs(&[1, 4]), "q of 1: expected [4], found [2]");
        assert!(differs(&[1, 0]).starts_with("failures: expected None, found Some("), "{}", differs(&[1, 0]));
    }
}
