//! Programs of polynomials and sorts against those of the CPU.

use limbforge::algos::model::Application;
use limbforge_field::{DynElement, DynField};
use limbforge_gpu::LoadedProgram;

use super::{MARGIN, POISON, not_loaded};
use crate::error::CliError;
use crate::gpu_commands::selftest::cases::ProgramCase;
use crate::gpu_commands::selftest::report::Outcome;
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_cli::gpu::programs::{
    expected, key_words, polynomial, random_keys, skipped_words, sorted_words, with_common, words,
};

/// Instances of the batches.
const BATCHES: [usize; 2] = [1, 5];

/// Operands of a batch, and for each instance what has to be found.
struct Batch {
    operands: Vec<Vec<u32>>,
    expected: Vec<Vec<u32>>,
}

/// Compiles the program's kernels, runs them on batches and compares every instance.
///
/// # Errors
/// For a failure that leaves the GPU or the machine in no state to go on.
pub(super) fn check(gpu: &Gpu, case: &ProgramCase, seed: u64) -> Result<Outcome, CliError> {
    let loaded = case.program(&gpu.limits).and_then(|program| gpu.load_planned(&program));
    let poly = match loaded {
        Ok(poly) => poly,
        Err(error) => return not_loaded(error, |error| case.may_refuse(error)),
    };
    let skipped = skipped_words(&case.application, case.field()?);
    let mut compared = 0;
    for instances in BATCHES {
        let batch = batch(case, instances, seed)?;
        let found = run(gpu, &poly, &batch.operands, instances as u64)?;
        if let Some(why) = difference(&batch.expected, &found, skipped) {
            return Ok(Outcome::Failed(format!("{case}: N={instances}, {why}")));
        }
        compared += instances as u64;
    }
    Ok(Outcome::Equal { instances: compared })
}

fn batch(case: &ProgramCase, instances: usize, seed: u64) -> Result<Batch, CliError> {
    let field = case.field()?;
    let mut batch = Batch { operands: vec![], expected: vec![] };
    for i in 0..instances {
        let operands = if let Application::RadixSort { n, bits } = case.application {
            let keys = match i % 3 {
                0 => random_keys(n, bits, seed + i as u64),
                1 => vec![u64::MAX >> (64 - bits); n as usize],
                // In descending order.
                _ => (0..n).rev().collect(),
            };
            let operand = key_words(&keys, bits);
            batch.expected.push(sorted_words(keys, bits));
            vec![operand]
        } else {
            let [a, b] = polynomials(&case.application, field, i, seed);
            batch.expected.push(expected(&case.application, field, &a, &b)?);
            vec![words(field, &a), words(field, &b)]
        };
        batch.operands.resize(operands.len(), vec![]);
        batch.operands.iter_mut().zip(operands).for_each(|(all, operand)| all.extend(operand));
    }
    Ok(batch)
}

/// By turns: with a common factor; all p - 1, the largest sums; x^n + 1 and its like, whose degrees drop at once; any.
fn polynomials(
    application: &Application,
    field: DynField,
    instance: usize,
    seed: u64,
) -> [Vec<DynElement>; 2] {
    let lengths = match *application {
        Application::Multiplication { n, m } | Application::Division { n, m } | Application::Gcd { n, m } => {
            [n, m]
        }
        Application::RadixSort { n, .. } => [n, 1],
    };
    let sparse = |length: u64| {
        let mut terms = vec![DynElement::ZERO; length as usize];
        for at in [0, length as usize / 2, length as usize - 1] {
            terms[at] = field.one();
        }
        terms
    };
    match instance % 4 {
        0 => with_common(field, lengths, &polynomial(field, lengths[0].min(lengths[1]).div_ceil(3), 3)),
        1 => lengths.map(|length| vec![field.element(field.modulus() - 1); length as usize]),
        2 => lengths.map(sparse),
        _ => [0, 1].map(|i| polynomial(field, lengths[i], seed + i as u64)),
    }
}

/// The results and the margin behind them.
fn run(gpu: &Gpu, poly: &LoadedProgram, operands: &[Vec<u32>], instances: u64) -> Result<Vec<u32>, CliError> {
    let inputs = operands.iter().map(|operand| gpu.device.upload(operand));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let mut output = gpu.device.alloc(poly.footprint().output * instances + MARGIN)?;
    output.fill(POISON)?;
    let scratch = gpu.device.scratch(poly, instances)?;
    gpu.device.run_program(poly, &inputs.iter().collect::<Vec<_>>(), &scratch, &mut output, instances)?;
    let mut found = vec![0; output.bytes() as usize / 4];
    output.copy_to(&mut found)?;
    Ok(found)
}

/// What is wrong with the results, whose margin must still be poison.
fn difference(expected: &[Vec<u32>], found: &[u32], skipped: usize) -> Option<String> {
    let mut rest = found;
    for (i, expected) in expected.iter().enumerate() {
        let Some((result, after)) = rest.split_at_checked(skipped + expected.len()) else {
            return Some(format!("instance {i} has no result"));
        };
        let pairs = expected.iter().zip(&result[skipped..]).enumerate();
        if let Some((at, (expected, found))) = pairs.into_iter().find(|(_, (a, b))| a != b) {
            return Some(format!("instance {i}, word {at}: expected {expected:#x}, found {found:#x}"));
        }
        rest = after;
    }
    let is_poison = rest.iter().all(|&word| word == u32::from_le_bytes([POISON; 4]));
    (!is_poison).then(|| "the kernel has written behind its result".to_owned())
}

#[cfg(test)]
mod tests {
    use limbforge_kernels_gen::Limits;

    use super::*;
    use crate::gpu_commands::selftest::cases::{Case, all};

    /// Operands and results are as long as the program has them.
    #[test]
    fn batches_fit_their_programs() {
        let mut programs = 0;
        for case in all(true).unwrap() {
            let Case::Program(case) = case else { continue };
            let program = case.program(&Limits::SM_90).unwrap();
            let batch = batch(&case, 5, 7).unwrap();
            let found: Vec<u64> = batch.operands.iter().map(|operand| operand.len() as u64).collect();
            let expected: Vec<u64> = program.input_words.iter().map(|&words| 5 * words).collect();
            assert_eq!(found, expected, "{case}");
            let skipped = skipped_words(&case.application, case.field().unwrap());
            assert!(
                batch.expected.iter().all(|one| (skipped + one.len()) as u64 == program.result_words),
                "{case}"
            );
            programs += 1;
        }
        assert_eq!(programs, 52);
    }

    #[test]
    fn differences_are_seen() {
        let expected = [vec![1, 2], vec![3, 4]];
        let poison = u32::from_le_bytes([POISON; 4]);
        let say = |found: &[u32], skipped| difference(&expected, found, skipped);
        assert_eq!(say(&[1, 2, 3, 4, poison], 0), None);
        assert_eq!(say(&[9, 1, 2, 9, 3, 4, poison], 1), None);
        assert_eq!(say(&[1, 2, 3, 5, poison], 0).unwrap(), "instance 1, word 1: expected 0x4, found 0x5");
        assert_eq!(say(&[1, 2, 3, 4, 5], 0).unwrap(), "the kernel has written behind its result");
        assert_eq!(say(&[1, 2, 3], 0).unwrap(), "instance 1 has no result");
    }
}
