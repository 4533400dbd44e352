//! Random programs, whole, in slices, and handed over between the kernel and the CPU backend.

use limbforge_kernels_gen::SpecError;
use limbforge_testing::program::seeded;

use super::Run;

/// Programs whose kernels are run; with `LIMBFORGE_LONG`, ten times as many.
const PROGRAMS: u64 = 6;

const INSTANCES: usize = 40;

#[test]
fn random_programs() {
    let long = if std::env::var_os("LIMBFORGE_LONG").is_some() { 10 } else { 1 };
    let mut run = 0;
    for seed in 0.. {
        if run == long * PROGRAMS {
            break;
        }
        let case = seeded(seed, INSTANCES);
        let types: Vec<String> = case.inputs.iter().map(|input| input.ty.to_string()).collect();
        let inputs = case.inputs.iter().zip(&types);
        let batches: Vec<_> =
            inputs.map(|(input, ty)| (input.name, ty.as_str(), input.values.clone())).collect();
        println!("random program {seed}\n{}", case.text);
        match Run::built(&case.text, INSTANCES, &batches) {
            Ok(program) => {
                run += 1;
                program.check(&[1 + seed % 3]);
                program.check_handed_over(1 + seed % 4);
            }
            // Most programs have one of the operations that kernels take in types of their own width only.
            Err(SpecError::ProgramOperation { .. }) => {}
            Err(error) => panic!("random program {seed}: {error}"),
        }
    }
}
