//! Random and named expressions of every operation over random types, limbs, layouts and mappings: the real
//! kernel text, compiled by nvrtc, and run by the emulator against the CPU backend and num-bigint, values and
//! failures.
//!
//! `LIMBFORGE_SEED=7` draws other expressions than the default, as continuous integration does each time; the
//! seed is printed at the end and with a failure. `PROPTEST_CASES=2000 cargo test --release -p
//! limbforge-kernels-gen --test kernels property` searches longer.

mod kernel;
mod named;
mod program;
mod subject;

use std::cell::Cell;
use std::fmt::Debug;

use limbforge_kernels_gen::SpecError;
use limbforge_limb::Base;
use limbforge_needs::needs;
use limbforge_reference::sample::{seed, seed_bytes, usual_or};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use self::subject::Subject;
use crate::common::nvrtc;

/// Expressions for each limb unless `PROPTEST_CASES` says otherwise, 33 in all, and four times as many in a
/// long run: compiling one takes a second or two.
const KERNELS: u32 = 6;
const PROGRAMS: u32 = 3;
const SUMS: u32 = 2;

/// The kernels of a random expression and how they are run.
trait Case: Clone + Debug {
    /// # Errors
    /// Those of the generator.
    fn subject<B: Base>(&self) -> Result<Subject, SpecError>;
}

fn equal_the_oracles<B: Base>(case: impl Strategy<Value = impl Case>, cases: u32, more: usize) {
    let nvrtc = nvrtc();
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(usual_or(cases, 4 * cases));
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let (seed, bytes) = (seed(), seed_bytes());
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let (run, refused) = (Cell::new(0), Cell::new(0));
    let result = runner.run(&(case, any::<[u8; 32]>()), |(case, operands)| match case.subject::<B>() {
        Ok(subject) => {
            subject.compile(&nvrtc)?;
            subject.check::<B>(operands, more);
            run.set(run.get() + 1);
            Ok(())
        }
        Err(error) if error.limit().is_some() => {
            refused.set(refused.get() + 1);
            Ok(())
        }
        Err(error) => Err(TestCaseError::fail(error.to_string())),
    });
    if let Err(error) = result {
        panic!("LIMBFORGE_SEED={seed}: {error}");
    }
    eprintln!("LIMBFORGE_SEED={seed}: {} expressions ran, {} were refused", run.get(), refused.get());
    assert!(
        run.get() >= 3 * cases / 4,
        "LIMBFORGE_SEED={seed}: {} of {cases} ran: too many are refused",
        run.get()
    );
}

macro_rules! limbs {
    ($($limb:ty: $kernels:ident, $sums:ident, $programs:ident, $several:ident, $sets:ident;)*) => {$(
        #[needs(cxx, nvrtc)]
        #[test]
        fn $kernels() {
            equal_the_oracles::<$limb>(kernel::case(), KERNELS, 0);
        }

        #[needs(cxx, nvrtc)]
        #[test]
        fn $sums() {
            equal_the_oracles::<$limb>(kernel::sum_over_warps::<$limb>(), SUMS, 20);
        }

        #[needs(cxx, nvrtc)]
        #[test]
        fn $programs() {
            equal_the_oracles::<$limb>(program::case(), PROGRAMS, 0);
        }

        #[needs(cxx, nvrtc)]
        #[test]
        fn $several() {
            equal_the_oracles::<$limb>(kernel::several(), PROGRAMS, 0);
        }

        #[needs(cxx, nvrtc)]
        #[test]
        fn $sets() {
            equal_the_oracles::<$limb>(program::several(), PROGRAMS, 0);
        }
    )*};
}

limbs! {
    u32: random_kernels_u32, sums_over_warps_u32, random_programs_u32, several_in_a_kernel_u32, several_in_a_program_u32;
    u64: random_kernels_u64, sums_over_warps_u64, random_programs_u64, several_in_a_kernel_u64, several_in_a_program_u64;
    u128: random_kernels_u128, sums_over_warps_u128, random_programs_u128, several_in_a_kernel_u128, several_in_a_program_u128;
}
