//! Random programs, whole, in slices, and handed over between the kernel and the CPU backend.

use std::ops::RangeFrom;

use limbforge_kernels_gen::SpecError;
use limbforge_testing::program::seeded;

use super::Run;
use super::run::Batches;

/// Programs by the tape; with `LIMBFORGE_LONG`, ten times as many, and likewise of others.
const PROGRAMS: u64 = 6;

const INSTANCES: usize = 40;

#[test]
fn random_programs() {
    // Most programs have one of the operations that kernels take in types of their own width only.
    let refuses = |error: &SpecError| matches!(error, SpecError::ProgramOperation { .. });
    check_random(0.., (PROGRAMS, INSTANCES), Run::built, refuses);
}

/// Checks so many programs of these seeds over so many instances, besides those that are refused.
pub(crate) fn check_random(
    seeds: RangeFrom<u64>,
    (programs, instances): (u64, usize),
    build: impl Fn(&str, usize, Batches<'_>) -> Result<Run, SpecError>,
    refuses: fn(&SpecError) -> bool,
) {
    let long = if std::env::var_os("LIMBFORGE_LONG").is_some() { 10 } else { 1 };
    let (mut run, mut compacted) = (0, 0);
    for seed in seeds {
        if run == long * programs {
            break;
        }
        let case = seeded(seed, instances);
        let types: Vec<String> = case.inputs.iter().map(|input| input.ty.to_string()).collect();
        let inputs = case.inputs.iter().zip(&types);
        let batches: Vec<_> =
            inputs.map(|(input, ty)| (input.name, ty.as_str(), input.values.clone())).collect();
        match build(&case.text, instances, &batches) {
            Ok(program) => {
                println!("random program {seed}\n{}", case.text);
                run += 1;
                compacted += usize::from(program.kernel.takes_open());
                program.check(&[1 + seed % 3]);
                program.check_handed_over(1 + seed % 4);
            }
            Err(error) if refuses(&error) => {}
            Err(error) => panic!("random program {seed}: {error}"),
        }
    }
    assert!(compacted > 0, "no program has lists of open instances");
}
