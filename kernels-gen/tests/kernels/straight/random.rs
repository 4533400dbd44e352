//! Random programs with straight kernels, whole, in slices, and handed over between the kernel and the CPU backend.

use limbforge_kernels_gen::SpecError;

use super::Run;
use crate::tape::check_random;

const PROGRAMS: u64 = 10;

const INSTANCES: usize = 5;

#[test]
fn random_programs() {
    // Too wide, too long, or with an operation that takes a warp.
    let refuses = |error: &SpecError| matches!(error, SpecError::Straight { .. });
    check_random(1000.., (PROGRAMS, INSTANCES), Run::straight, refuses);
}
