//! Batches that are computed from nothing.

use limbforge::algos::fill::Fill;
use limbforge::limb::num_bigint::BigInt;
use limbforge::limb::{IntType, Layout};
use limbforge_kernels_gen::fill::FillSpec;
use limbforge_kernels_gen::{Limits, Program};

use super::{Case, CliError, Task};
use crate::{args::LimbArgument, gpu_commands::selftest::types::int_type};
use limbforge_cli::gpu::kernels::limb_kind;

/// A kernel with the integers that it is tried with.
#[derive(Clone, Debug)]
pub(crate) struct FillCase {
    /// All of one kind.
    pub(crate) fills: Vec<Fill>,
    pub(crate) ty: IntType,
    pub(crate) limb: LimbArgument,
    pub(crate) layout: Layout,
}

const WIDTHS: [u32; 13] = [1, 32, 64, 77, 96, 131, 160, 512, 1000, 2048, 5000, 1 << 14, 1 << 18];

impl FillCase {
    pub(crate) fn spec<'f>(&self, fill: &'f Fill) -> FillSpec<'f> {
        FillSpec::new(fill, self.ty, limb_kind(self.limb), self.layout)
    }

    pub(super) fn program(&self, limits: &Limits) -> Result<Program, CliError> {
        Ok(self.spec(&self.fills[0]).program(limits)?)
    }

    fn case(self, kind: &'static str) -> Case {
        let Self { ty, limb, layout, .. } = &self;
        let layout = if *layout == Layout::Interleaved { "interleaved" } else { "major" };
        Case {
            name: format!("fill {} {kind} {ty} {layout}", limb.name()),
            key: ["fill", limb.name(), kind],
            size: ty.bits(),
            task: Task::Fill(self),
        }
    }
}

/// Each kind in each width, limb and layout. Small: each width in one limb.
pub(super) fn cases(small: bool) -> Result<Vec<Case>, CliError> {
    let mut cases = vec![];
    for (i, bits) in WIDTHS.into_iter().enumerate() {
        let ty = int_type(bits, false)?;
        let limbs = [LimbArgument::U32, LimbArgument::U64, LimbArgument::U128];
        let limbs = if small { &limbs[i % 3..=i % 3] } else { &limbs[..] };
        for (&limb, layout) in limbs
            .iter()
            .flat_map(|limb| [Layout::InstanceMajor, Layout::Interleaved].map(|layout| (limb, layout)))
        {
            cases.extend(kinds(bits).map(|(kind, fills)| FillCase { fills, ty, limb, layout }.case(kind)));
        }
    }
    Ok(cases)
}

/// Counters whose carries go far and whose steps are short, long, and all ones.
fn kinds(bits: u32) -> [(&'static str, Vec<Fill>); 3] {
    let ones: BigInt = (BigInt::from(1) << bits) - 1;
    let half: BigInt = (BigInt::from(1) << (bits / 2)) - 1;
    let third: BigInt = &ones / 3;
    let counters = [
        Fill::counter(1, 0),
        Fill::counter(ones.clone(), 1),
        Fill::counter(0, -1),
        Fill::counter(third.clone(), half.clone()),
        Fill::counter(half, -&third),
        Fill::counter(1, &third * 2),
    ];
    [
        ("constant", vec![Fill::Constant(third), Fill::Constant(ones)]),
        ("counter", counters.to_vec()),
        ("random", vec![Fill::random(1), Fill::Random { seed: u64::MAX - 3, stream: 7 }]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_render_and_hold_their_integers() {
        for case in cases(false).unwrap() {
            let Task::Fill(fill) = &case.task else { unreachable!() };
            assert!(fill.program(&Limits::SM_75).is_ok(), "{}", case.name);
            assert!(fill.fills.iter().all(|fills| fills.check(fill.ty).is_ok()), "{}", case.name);
        }
        assert_eq!((cases(true).unwrap().len(), cases(false).unwrap().len()), (13 * 6, 13 * 18));
    }
}
