//! Batches that a GPU computes from nothing: one kernel for all constants, one for all counters and one for
//! all seeds.

use core::ops::Range;
use std::sync::Arc;

use limbforge_algos::fill::Fill;
use limbforge_kernels_gen::LimbKind;
use limbforge_kernels_gen::fill::FillSpec;
use limbforge_limb::{Base, IntType, Layout};

use super::{GpuBatch, Gpus};
use crate::engine::error::EngineError;

impl GpuBatch {
    /// The integers with these numbers in the memory of the member of this number, of those that are left.
    /// They are not waited for.
    pub(in crate::engine) fn filled<B: Base>(
        gpus: &Arc<Gpus>,
        place: usize,
        fill: &Fill,
        (ty, layout): (IntType, Layout),
        numbers: Range<u64>,
    ) -> Result<Self, EngineError> {
        let limb = LimbKind::of_any::<B>()?;
        let present = gpus.present();
        let member = present[place % present.len()];
        let gpu = gpus.member(member);
        let instances = numbers.end.saturating_sub(numbers.start);
        let bytes = 4 * u64::from(limb.instance_words(ty));
        let mut limbs = gpu.device.alloc(bytes.saturating_mul(instances))?;
        if fill.is_zero() {
            limbs.fill(0)?;
        } else {
            let spec = FillSpec::new(fill, ty, limb, layout);
            let program = gpu.rendered(&spec, |limits| spec.program(limits))?;
            let operand = gpu.device.upload_later(&spec.operand(numbers.start))?;
            let scratch = gpu.device.scratch(&program, instances)?;
            gpu.device.run_program(&program, &[&operand], &scratch, &mut limbs, instances)?;
        }
        Ok(Self { gpus: gpus.clone(), member, limbs: Arc::new(limbs), marks: None })
    }
}
