//! The cases of the selftest.

mod evaluations;
mod families;
mod fills;
mod programs;
mod several;
mod sweeps;
mod tapes;
mod transforms;

use limbforge_kernels_gen::{Limits, Program, SpecError};

pub(super) use self::evaluations::{Evaluation, Method, has};
pub(super) use self::fills::FillCase;
pub(super) use self::programs::ProgramCase;
pub(super) use self::several::SeveralCase;
pub(super) use self::tapes::{TapeCase, cases as tapes};
pub(super) use self::transforms::BatchedTransform;
use super::random::RandomCase;
use crate::error::CliError;

/// Kernels that are run and compared with the CPU backend.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The text that filters search and that failures show.
    pub(super) name: String,
    /// Family, limb or word, and algorithm: cases with equal keys share a row of the report.
    pub(super) key: [&'static str; 3],
    /// Bits of the integers, points of the transforms, terms of the longer polynomial, or keys.
    pub(super) size: u32,
    pub(super) task: Task,
}

#[derive(Clone, Debug)]
pub(super) enum Task {
    Evaluation(Evaluation),
    Transform(BatchedTransform),
    Program(ProgramCase),
    Fill(FillCase),
    Several(SeveralCase),
    Random(RandomCase),
    Tape(TapeCase),
}

impl Case {
    /// The launch graph; that of a random expression is planned by an engine. Programs with loops have none.
    pub(super) fn program(&self, limits: &Limits) -> Result<Program, CliError> {
        match &self.task {
            Task::Evaluation(case) => case.program(limits),
            Task::Transform(case) => Ok(case.plan(limits)?.program(limits)?),
            Task::Program(case) => case.program(limits),
            Task::Fill(case) => case.program(limits),
            Task::Several(case) => case.program(limits),
            Task::Random(case) => Ok(Program::new(&case.spec(), limits)?),
            Task::Tape(_) => Err(CliError::Internal(format!("{} has no launch graph", self.name))),
        }
    }

    /// Whether a smaller GPU than an H200, an unplanned mapping or a documented limit explains the error.
    pub(super) fn may_refuse(&self, error: &SpecError) -> bool {
        let is_shared_memory = matches!(error, SpecError::SharedMemory { .. });
        match &self.task {
            Task::Evaluation(case) => case.may_refuse(error),
            Task::Transform(case) => case.points >= transforms::MANY_POINTS && is_shared_memory,
            Task::Program(_) => is_shared_memory || matches!(error, SpecError::Threads { .. }),
            Task::Fill(_) => false,
            Task::Several(case) => case.may_refuse(error),
            Task::Random(_) => error.limit().is_some(),
            Task::Tape(_) => is_shared_memory || matches!(error, SpecError::ProgramRefused { .. }),
        }
    }
}

impl From<RandomCase> for Case {
    fn from(case: RandomCase) -> Self {
        let RandomCase { seed, index, ty, limb, .. } = case;
        Self {
            name: format!("random {seed}/{index} {} {ty}", limb.name()),
            key: ["random", limb.name(), "any"],
            size: ty.bits(),
            task: Task::Random(case),
        }
    }
}

/// All cases but random ones, or a few of each family.
pub(super) fn all(small: bool) -> Result<Vec<Case>, CliError> {
    let mut cases = vec![];
    let first = [sweeps::kernels, sweeps::transforms, sweeps::tensor];
    for sweep in first.into_iter().chain([sweeps::widest, sweeps::division, sweeps::powers, sweeps::folds]) {
        cases.extend(sweep(small)?);
    }
    cases.extend(transforms::cases(small).into_iter().map(Case::from));
    cases.extend(programs::cases(small).into_iter().map(Case::from));
    cases.extend(fills::cases(small)?);
    cases.extend(several::cases(small)?);
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use limbforge_cli::gpu::kernels::Threads;

    use super::*;

    fn fits(case: &Case, limits: &Limits) -> Result<(), CliError> {
        case.program(limits)?.render(limits)?;
        Ok(())
    }

    fn fits_or_may_refuse(case: &Case, limits: &Limits) {
        if let Err(error) = fits(case, limits) {
            assert!(
                matches!(&error, CliError::Spec(error) if case.may_refuse(error)),
                "{}: {error}",
                case.name
            );
        }
    }

    #[test]
    fn every_planned_kernel_renders_and_few_others_are_refused() {
        for small in [true, false] {
            let cases = [sweeps::kernels(small), sweeps::transforms(small), sweeps::widest(small)];
            let cases: Vec<Case> = cases.into_iter().flat_map(Result::unwrap).collect();
            let mut refused = 0;
            for case in &cases {
                if fits(case, &Limits::SM_90).is_err() {
                    let Task::Evaluation(Evaluation { method, .. }) = case.task else { unreachable!() };
                    assert!(matches!(method, Method::Kernel(Threads::Limbs(..))), "{}", case.name);
                    fits_or_may_refuse(case, &Limits::SM_90);
                    refused += 1;
                }
            }
            println!("{} kernels, {refused} refused", cases.len());
            assert!(10 * refused <= cases.len(), "{refused} of {} refused", cases.len());
        }
    }

    #[test]
    fn transforms_on_the_smallest_gpu() {
        for case in sweeps::transforms(false).unwrap() {
            fits_or_may_refuse(&case, &Limits::SM_75);
        }
    }

    #[test]
    fn products_on_tensor_cores_on_other_gpus() {
        for case in sweeps::tensor(false).unwrap() {
            assert!(fits(&case, &Limits::SM_80).is_ok(), "{}", case.name);
            fits_or_may_refuse(&case, &Limits::SM_75);
            fits_or_may_refuse(&case, &Limits::SM_86);
        }
    }

    #[test]
    fn wide_divisions_on_all_gpus() {
        for case in [true, false].into_iter().flat_map(|small| sweeps::division(small).unwrap()) {
            assert!(fits(&case, &Limits::SM_90).is_ok(), "{}", case.name);
            for limits in [Limits::SM_75, Limits::SM_80, Limits::SM_86] {
                fits_or_may_refuse(&case, &limits);
            }
        }
    }

    #[test]
    fn powers_by_matrices_on_all_gpus() {
        let cases = |small| [sweeps::powers(small).unwrap(), sweeps::folds(small).unwrap()].concat();
        for case in [true, false].into_iter().flat_map(cases) {
            assert!(fits(&case, &Limits::SM_90).is_ok(), "{}", case.name);
            for limits in [Limits::SM_75, Limits::SM_80, Limits::SM_86] {
                fits_or_may_refuse(&case, &limits);
            }
        }
    }

    #[test]
    fn names_that_a_filter_picks() {
        let all = all(true).unwrap();
        let count = |text: &str| all.iter().filter(|case| case.name.contains(text)).count();
        assert_eq!((count(" ntt "), count("mul u32 u131 ntt"), count("poly-")), (20, 1, 48));
        assert_eq!((count(" tensor "), count("mul u32 u131 tensor")), (38, 1));
        assert_eq!(count("transform u64 Lazy64 4179340454199820289 points="), 5);
    }
}
