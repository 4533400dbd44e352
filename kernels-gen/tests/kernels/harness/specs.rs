//! Specifications of kernels for the emulator.

use limbforge_kernels_gen::{KernelSpec, LimbKind, Mapping, Target};
use limbforge_limb::{IntType, Layout};

use crate::common;

/// With the mapping that is planned for a GPU.
pub(crate) fn planned(text: &str, ty: IntType, limb: LimbKind, layout: Layout) -> KernelSpec {
    KernelSpec { target: Target::Emulator, ..common::planned(text, ty, limb, layout) }
}

/// Limbs of 32 bits, so many words to a lane, as many instances to a block as fill a warp.
pub(crate) fn words_to_lane(text: &str, ty: IntType, q: u32) -> KernelSpec {
    let (dag, limb, layout) = (common::dag(text), LimbKind::of::<u32>(), Layout::InstanceMajor);
    let mapping = Mapping::from_limbs_per_thread(&dag, ty, limb, q, 1).unwrap();
    let mapping = Mapping { instances: 32 / mapping.lanes, ..mapping };
    let inputs = common::inputs(&dag, layout);
    KernelSpec::new(dag, ty, limb, inputs, layout, mapping, Target::Emulator).unwrap()
}
