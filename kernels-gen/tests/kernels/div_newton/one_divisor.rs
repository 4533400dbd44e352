//! Divisors that are one for all instances: shifted and inverted once.

use limbforge_algos::cpu;
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::Launch;
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use super::{CYCLIC, SHORT_SEED, TRANSFORMS, batch, program};
use crate::common;
use crate::harness::{Device, Left};

/// A divisor that is one for all instances is shifted and inverted once: of full, half and short length, and
/// 0, by all kinds of products, in several chunks.
#[needs(cxx)]
#[test]
fn a_divisor_for_all_in_several_chunks() {
    let ty = IntType::unsigned(2048).unwrap();
    let text = "(a / b) ^ (a % b)";
    let dag = common::dag(text);
    let m = ty.limbs::<u32>();
    let (chunks, instances) = ([12, 8, 3], 23);
    for newton in [SHORT_SEED, TRANSFORMS, CYCLIC] {
        let (_, program) = program::<u32>(text, ty, Layout::InstanceMajor, true, newton);
        let uniforms = program.launches.iter().filter(|launch| launch.is_uniform()).count();
        assert!(uniforms > 5 && uniforms < program.launches.len(), "{uniforms}");
        let a = batch::<u32>(ty, Layout::InstanceMajor, instances, 0);
        let device = Device::new(program).unwrap();
        for kept in sample("a divisor for all", [0, 1, 2, m / 2, m / 2 + 1, m - 1, m], 4) {
            let mut b = batch::<u32>(ty, Layout::InstanceMajor, 1, 3 * kept);
            let mut limbs = b.instance(0);
            limbs[kept..].fill(0);
            if kept > 0 {
                limbs[kept - 1] = limbs[kept - 1].max(1) >> (kept % 32);
                limbs[kept - 1] |= 1;
            }
            b.set_instance(0, &limbs);
            let expected = cpu::eval_checked(&dag, &[("a", &a), ("b", &b)]).unwrap();
            let inputs = [a.limbs().to_vec(), b.limbs().to_vec()];
            let Left { result, marked, .. } = device.run(&inputs, &chunks, Schedule::Random(7));
            if kept == 0 {
                assert_eq!(marked, (0..instances).collect());
                assert_eq!(expected.failures.len(), 2 * instances);
            } else {
                assert!(marked.is_empty(), "{marked:?}");
                assert_eq!(result, expected.values.limbs(), "a divisor of {kept} words");
            }
        }
    }
}

/// One dividend divided by all divisors, and one division for all instances, as everything else: nothing runs
/// once.
#[test]
fn only_a_divisor_is_shared() {
    let ty = IntType::unsigned(2048).unwrap();
    for (text, shares) in [
        ("a / b", true),
        ("b / a", false),
        ("b / (b + 3)", false),
        ("a / (b + 3)", true),
        ("a / (a + b)", false),
    ] {
        let (_, program) = program::<u32>(text, ty, Layout::InstanceMajor, true, SHORT_SEED);
        assert_eq!(program.launches.iter().any(Launch::is_uniform), shares, "{text}");
        assert_eq!(program.uniforms.is_empty(), !shares, "{text}");
    }
}
