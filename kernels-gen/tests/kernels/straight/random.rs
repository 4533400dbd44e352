//! Random programs with straight kernels, whole, in slices, and handed over between the kernel and the CPU backend.

use limbforge_kernels_gen::SpecError;
use limbforge_testing::program::seeded;

use super::Run;

/// Programs whose kernels are run; with `LIMBFORGE_LONG`, ten times as many.
const PROGRAMS: u64 = 10;

const INSTANCES: usize = 5;

#[test]
fn random_programs() {
    let long = if std::env::var_os("LIMBFORGE_LONG").is_some() { 10 } else { 1 };
    let mut run = 0;
    for seed in 1000.. {
        if run == long * PROGRAMS {
            break;
        }
        let case = seeded(seed, INSTANCES);
        let types: Vec<String> = case.inputs.iter().map(|input| input.ty.to_string()).collect();
        let inputs = case.inputs.iter().zip(&types);
        let batches: Vec<_> =
            inputs.map(|(input, ty)| (input.name, ty.as_str(), input.values.clone())).collect();
        match Run::straight(&case.text, INSTANCES, &batches) {
            Ok(program) => {
                println!("random program {seed}\n{}", case.text);
                run += 1;
                program.check(&[1 + seed % 3]);
                program.check_handed_over(1 + seed % 4);
            }
            // Too wide, too long, or with an operation that takes a warp.
            Err(SpecError::Straight { .. }) => {}
            Err(error) => panic!("random program {seed}: {error}"),
        }
    }
}
