//! Kernels that compute batches from nothing: no warning, nothing spilled, no stack, and quickly, on every
//! architecture.

use limbforge_algos::fill::Fill;
use limbforge_kernels_gen::Limits;
use limbforge_kernels_gen::fill::FillSpec;
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{LIMBS, nvrtc};
use crate::measured::check_all;
use crate::rendered::{LONGEST, Rendered};

const ARCHITECTURES: [&str; 6] = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100"];

#[needs(nvrtc)]
#[test]
fn kernels_of_fills_compile_on_every_architecture() {
    let mut kernels = vec![];
    for fill in [Fill::ZERO, Fill::counter(0, 1), Fill::random(0)] {
        for bits in [1, 32, 77, 131, 1024, 5000, 1 << 20] {
            for (layout, limb) in [Layout::InstanceMajor, Layout::Interleaved]
                .into_iter()
                .flat_map(|layout| LIMBS.map(|limb| (layout, limb)))
            {
                let ty = IntType::unsigned(bits).unwrap();
                let spec = FillSpec::new(&fill, ty, limb, layout);
                let program = spec.program(&Limits::SM_75).unwrap();
                assert_eq!(program, FillSpec::new(&fill, ty, limb, layout).program(&Limits::SM_75).unwrap());
                kernels.push((spec.to_string(), program.render(&Limits::SM_75).unwrap().remove(0).source));
            }
        }
    }
    let everywhere = ARCHITECTURES.into_iter().flat_map(|arch| {
        let some = sample(arch, kernels.iter().cloned(), 12);
        some.into_iter().map(move |(name, source)| {
            (Rendered { name, source, longest: LONGEST, most_spilled: 0, table: 0 }, arch)
        })
    });
    check_all(&nvrtc(), &everywhere.collect::<Vec<_>>());
}
