//! Programs over words of 32 bits against the CPU: batched transforms, polynomials and sorts.

use limbforge::algos::transform::ntt::{DynNtt, NttPlan};
use limbforge::{EngineError, algos::model::Application};
use limbforge_field::{DynElement, DynField};

use super::{Case, CliError, Gpu, Outcome, Task, run};
use crate::gpu_commands::selftest::cases::{BatchedTransform, ProgramCase};
use limbforge_cli::gpu::batch::POISON;
use limbforge_cli::gpu::programs::{
    expected, key_words, polynomial, random, random_keys, residue_bits, skipped_words, sorted_words,
    with_common, words,
};

/// Points of the largest batch, unless one transform has more.
const BATCH_POINTS: usize = 1 << 19;
const SMALL_BATCH_POINTS: usize = 1 << 16;

/// Instances of the batches of polynomials and sorts.
const PROGRAM_BATCHES: [usize; 2] = [1, 5];

/// A batch: its operands, and the result of each instance.
#[derive(Default)]
struct Trial {
    operands: Vec<Vec<u32>>,
    expected: Vec<Vec<u32>>,
    /// Words of each instance's result before those that are compared.
    skipped: usize,
}

/// Runs the case's program on several batches and compares every instance.
pub(super) fn check(gpu: &Gpu, case: &Case, seed: u64, small: bool) -> Result<Outcome, CliError> {
    let program = gpu.load_planned(&case.program(&gpu.limits)?)?;
    let block = program.kernels().map(|kernel| kernel.geometry().instances).max().unwrap_or(1);
    let sizes = match &case.task {
        Task::Transform(transform) => batch_sizes(block as usize, transform.points as usize, small),
        _ => PROGRAM_BATCHES.to_vec(),
    };
    for &instances in &sizes {
        let trial = Trial::new(&case.task, instances, seed)?;
        let operands: Vec<&[u32]> = trial.operands.iter().map(Vec::as_slice).collect();
        let (found, _) = run(gpu, &program, &operands, instances)?;
        if let Some(why) = trial.difference(&found) {
            return Ok(Outcome::Failed(format!("{}: N={instances}, {why}", case.name)));
        }
    }
    Ok(Outcome::Equal { instances: sizes.iter().sum::<usize>() as u64 })
}

/// One transform, less than a block, several blocks of which the last is not full, and a large batch.
fn batch_sizes(block: usize, points: usize, small: bool) -> Vec<usize> {
    let most = if small { SMALL_BATCH_POINTS } else { BATCH_POINTS } / points;
    let large = if small { 0 } else { most.next_multiple_of(block).saturating_sub(block.div_ceil(2)) };
    let mut sizes = vec![1, block - 1, 2 * block + block.div_ceil(2), large];
    sizes.retain(|&size| size == 1 || (2..=most).contains(&size));
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

impl Trial {
    /// Integers have no trials.
    fn new(task: &Task, instances: usize, seed: u64) -> Result<Self, CliError> {
        match task {
            Task::Transform(case) => Self::of_transforms(case, instances, seed),
            Task::Program(case) => Self::of_program(case, instances, seed),
            Task::Evaluation(_) | Task::Fill(_) | Task::Several(_) | Task::Random(_) | Task::Tape(_) => {
                Ok(Self::default())
            }
        }
    }

    /// Points that are hard for lazy residues: p - 1 everywhere; runs of p - 1, 0 and 1; then random ones.
    fn of_transforms(case: &BatchedTransform, transforms: usize, seed: u64) -> Result<Self, CliError> {
        let (p, points, field) = (case.prime, case.points as usize, case.field()?);
        let mut state = seed;
        let value = |at: usize| match at / points {
            0 => p - 1,
            1 => [p - 1, 0, 1][at / 3 % 3],
            _ => random(&mut state) % p,
        };
        let mut values: Vec<u64> = (0..points * transforms).map(value).collect();
        let words = |values: &[u64]| key_words(values, residue_bits(field));
        let operands = vec![words(&values)];
        let plan = NttPlan::new(points, case.wrap).map_err(EngineError::from)?;
        let cpu = DynNtt::new(field, plan).map_err(EngineError::from)?;
        cpu.run_residues(case.direction, &mut values).map_err(EngineError::from)?;
        let expected = values.chunks(points).map(words).collect();
        Ok(Self { operands, expected, skipped: 0 })
    }

    fn of_program(case: &ProgramCase, instances: usize, seed: u64) -> Result<Self, CliError> {
        let (field, application) = (case.field()?, &case.application);
        let mut trial = Self { skipped: skipped_words(application, field), ..Self::default() };
        for i in 0..instances {
            let operands = if let Application::RadixSort { n, bits } = *application {
                let keys = match i % 3 {
                    0 => random_keys(n, bits, seed + i as u64),
                    1 => vec![u64::MAX >> (64 - bits); n as usize],
                    // In descending order.
                    _ => (0..n).rev().collect(),
                };
                let operand = key_words(&keys, bits);
                trial.expected.push(sorted_words(keys, bits));
                vec![operand]
            } else {
                let [a, b] = polynomials(application, field, i, seed);
                trial.expected.push(expected(application, field, &a, &b)?);
                vec![words(field, &a), words(field, &b)]
            };
            trial.operands.resize(operands.len(), vec![]);
            trial.operands.iter_mut().zip(operands).for_each(|(all, operand)| all.extend(operand));
        }
        Ok(trial)
    }

    /// How the results, or the margin's poison, differ.
    fn difference(&self, found: &[u32]) -> Option<String> {
        let mut rest = found;
        for (i, expected) in self.expected.iter().enumerate() {
            let Some((result, after)) = rest.split_at_checked(self.skipped + expected.len()) else {
                return Some(format!("instance {i} has no result"));
            };
            let mut pairs = expected.iter().zip(&result[self.skipped..]).enumerate();
            if let Some((at, (expected, found))) = pairs.find(|(_, (a, b))| a != b) {
                return Some(format!("instance {i}, word {at}: expected {expected:#x}, found {found:#x}"));
            }
            rest = after;
        }
        let is_poison = rest.iter().all(|&word| word == u32::from_le_bytes([POISON; 4]));
        (!is_poison).then(|| "the kernel has written behind its result".to_owned())
    }
}

/// By turns: a common factor; all p - 1, for the largest coefficients; x^n + 1 and its like; random ones.
fn polynomials(
    application: &Application,
    field: DynField,
    instance: usize,
    seed: u64,
) -> [Vec<DynElement>; 2] {
    let (Application::Multiplication { n, m }
    | Application::Division { n, m }
    | Application::Gcd { n, m }
    | Application::RadixSort { n, bits: m }) = *application;
    let lengths = [n, m];
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

#[cfg(test)]
mod tests {
    use limbforge_kernels_gen::Limits;

    use super::*;
    use crate::gpu_commands::selftest::cases::all;

    #[test]
    fn sizes_leave_the_last_block_open() {
        assert_eq!(batch_sizes(8, 16, false), [1, 7, 20, 32764]);
        assert_eq!(batch_sizes(8, 16, true), [1, 7, 20]);
        assert_eq!(batch_sizes(1, 1 << 14, true), [1, 3]);
        assert_eq!(batch_sizes(1, 1 << 17, false), [1, 3]);
        assert_eq!(batch_sizes(1, 1 << 24, false), [1]);
    }

    /// Operands and results are as long as the program has them.
    #[test]
    fn trials_fit_their_programs() {
        let (mut transforms, mut programs) = (0, 0);
        for case in all(true).unwrap() {
            if !matches!(case.task, Task::Transform(_) | Task::Program(_)) {
                continue;
            }
            let trial = Trial::new(&case.task, 5, 7).unwrap();
            let program = case.program(&Limits::SM_90).unwrap();
            let found: Vec<u64> = trial.operands.iter().map(|operand| operand.len() as u64).collect();
            let expected: Vec<u64> = program.input_words.iter().map(|&words| 5 * words).collect();
            assert_eq!(found, expected, "{}", case.name);
            let results = trial.expected.iter().map(|result| (trial.skipped + result.len()) as u64);
            assert!(results.eq([program.result_words[0]; 5]), "{}", case.name);
            if let Task::Transform(BatchedTransform { prime, .. }) = case.task {
                assert!(trial.operands[0].iter().all(|&word| u64::from(word) < prime), "{}", case.name);
                transforms += 1;
            } else {
                programs += 1;
            }
        }
        assert_eq!((transforms, programs), (53, 52));
    }

    #[test]
    fn differences_are_seen() {
        let expected = vec![vec![1, 2], vec![3, 4]];
        let poison = u32::from_le_bytes([POISON; 4]);
        let say = |found: &[u32], skipped| {
            Trial { operands: vec![], expected: expected.clone(), skipped }.difference(found)
        };
        assert_eq!(say(&[1, 2, 3, 4, poison], 0), None);
        assert_eq!(say(&[9, 1, 2, 9, 3, 4, poison], 1), None);
        assert_eq!(say(&[1, 2, 3, 5, poison], 0).unwrap(), "instance 1, word 1: expected 0x4, found 0x5");
        assert_eq!(say(&[1, 2, 3, 4, 5], 0).unwrap(), "the kernel has written behind its result");
        assert_eq!(say(&[1, 2, 3], 0).unwrap(), "instance 1 has no result");
    }
}
