//! Batches that are cut.

use limbforge_emulate::Schedule;
use limbforge_field::DynField;
use limbforge_kernels_gen::poly::{PolyDivSpec, PolyGcdSpec, PolyMulSpec, PolyNewtonSpec, PolyNttSpec};
use limbforge_kernels_gen::sort::SortSpec;
use limbforge_kernels_gen::{Limits, Program};
use limbforge_needs::needs;

use super::{in_turns, residues, to_words};
use crate::harness::Device;

/// Instances in chunks of a few have the results of all at once, with as many kernels as are different.
fn check_chunks(program: &Program, inputs: &[Vec<u32>], instances: usize) {
    let device = Device::new(program.clone()).unwrap();
    let whole = device.run(inputs, &[instances], Schedule::Ascending).result;
    assert_eq!(whole.len(), instances * program.result_words[0] as usize);
    for chunk in [1, 2, 4] {
        let chunks: Vec<usize> =
            (0..instances).step_by(chunk).map(|first| chunk.min(instances - first)).collect();
        let found = device.run(inputs, &chunks, in_turns(chunk)).result;
        assert_eq!(found, whole, "{chunk} of {instances}");
    }
    assert!(program.chunk.is_multiple_of(4) && program.chunk >= 4);
    let mut launched: Vec<usize> = program.launches.iter().map(|launch| launch.kernel).collect();
    launched.sort_unstable();
    launched.dedup();
    assert_eq!(launched, (0..program.kernels.len()).collect::<Vec<_>>());
}

#[needs(cxx)]
#[test]
fn chunks_have_the_results_of_all_instances() {
    let (p, instances) = (2_013_265_921, 7);
    let field = DynField::new(p).unwrap();
    // Odd numbers of words, so that instances do not begin at multiples of 16 bytes.
    let programs = [
        PolyMulSpec::new(&field, 37, 21, 4, 32).unwrap().program(&Limits::SM_90),
        PolyNttSpec::new(&field, 37, 21).unwrap().program(&Limits::SM_90),
        PolyDivSpec::new(&field, 37, 21, 4, 32).unwrap().program(&Limits::SM_90),
        PolyNewtonSpec::new(&field, 37, 21).unwrap().program(&Limits::SM_90),
        PolyGcdSpec::new(&field, 37, 21, 4, 32).unwrap().program(&Limits::SM_90),
    ];
    for program in programs {
        let operand = |len, seed| to_words(&residues(len * instances, p, seed), p);
        check_chunks(&program.unwrap(), &[operand(37, 1), operand(21, 2)], instances);
    }
    let sort = SortSpec::new(131, 32, 8, 32).unwrap().program(&Limits::SM_90).unwrap();
    check_chunks(&sort, &[to_words(&residues(131 * instances, 1 << 32, 3), 1 << 31)], instances);
}

/// A transform of several instances at once is launched as so many repeats, and long polynomials fill the
/// largest grid sooner than the memory.
#[test]
fn repeats_and_grids() {
    let field = DynField::new(2_013_265_921).unwrap();
    let product = PolyNttSpec::new(&field, 40_000, 30_000).unwrap().program(&Limits::SM_90).unwrap();
    let repeats: Vec<u32> = product.launches.iter().map(|launch| launch.repeats).collect();
    assert_eq!(repeats, [1, 2, 2, 1, 1, 1, 1]);
    assert_eq!((product.kernels.len(), product.tables.len()), (7, 4));
    let naive = PolyMulSpec::new(&field, 1 << 20, 1, 1, 32).unwrap().program(&Limits::SM_90).unwrap();
    assert_eq!((naive.launches.len(), naive.chunk), (1, (1 << 31) / (1 << 15) - 4));
}
