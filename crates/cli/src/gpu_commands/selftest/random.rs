//! Random expressions over random types, limbs and places.

mod compile;

use std::fmt;

use limbforge::algos::expr::Expr;
use limbforge::algos::expr::random::{Size, SplitMix64, VARIABLES, expression};
use limbforge::limb::{IntType, Layout};
use limbforge_kernels_gen::{Product, ProgramSpec};

pub(super) use self::compile::compile;
use super::types::{LIMBS, int_type};
use crate::{args::LimbArgument, error::CliError};
use limbforge_cli::gpu::kernels::program_spec;

/// Bits up to which most types are, and of the widest.
const USUAL_BITS: u32 = 2048;
const WIDEST: u32 = 1 << 17;

/// Bits above which no powers and tests of primality are drawn: they would take the CPU long.
const SLOW_BITS: u32 = 4096;

/// Number `index` of the random expressions of a seed over [`VARIABLES`], each with a layout.
#[derive(Clone, Debug)]
pub(super) struct RandomCase {
    pub(super) seed: u64,
    pub(super) index: u64,
    pub(super) ty: IntType,
    pub(super) limb: LimbArgument,
    pub(super) expr: Expr,
    pub(super) layouts: [Layout; 3],
    /// Whether all instances share the variable's value; the first one's never.
    pub(super) broadcast: [bool; 3],
}

/// Half of all types are narrow, as these compile fast. One in ten is wider than usual.
fn bits(choices: &mut SplitMix64) -> u32 {
    match choices.below(50) {
        0 => 1 + choices.below(WIDEST),
        1..=4 => 1 + choices.below(16 * USUAL_BITS),
        5..=24 => 1 + choices.below(130),
        25..=34 => 1 + choices.below(520),
        35..=40 => 32 * (1 + choices.below(USUAL_BITS / 32)),
        _ => 1 + choices.below(USUAL_BITS),
    }
}

impl RandomCase {
    pub(super) fn new(seed: u64, index: u64) -> Result<Self, CliError> {
        let mut choices = Self::choices(seed, index);
        let bits = bits(&mut choices);
        let is_signed = choices.below(2) == 1;
        let limb = LIMBS[choices.below(LIMBS.len() as u32) as usize];
        let ty = int_type(bits, is_signed)?;
        // Other choices than those of the type.
        let mut choices = Self::choices(!seed, index);
        let slow = u32::from(bits <= SLOW_BITS);
        // Small trees are as likely as large ones.
        let operations = 1 + choices.below(Size::default().operations);
        let layouts =
            [(); 3].map(|()| [Layout::InstanceMajor, Layout::Interleaved][choices.below(2) as usize]);
        let broadcast = [false, choices.below(6) == 0, choices.below(6) == 0];
        let size = Size { slow, operations, ..Size::default() };
        let expr = expression(ty, size, &mut |n| choices.below(n));
        Ok(Self { seed, index, ty, limb, expr, layouts, broadcast })
    }

    /// The choices of neighbouring indices have nothing in common.
    const fn choices(seed: u64, index: u64) -> SplitMix64 {
        SplitMix64::new(SplitMix64::new(seed).next_u64() ^ SplitMix64::new(!index).next_u64())
    }

    /// A number of its own for operands.
    pub(super) const fn operands_seed(&self) -> u64 {
        Self::choices(self.seed, self.index).next_u64()
    }

    /// The specification that an engine plans for.
    pub(super) fn spec(&self) -> ProgramSpec {
        let mut spec = program_spec(self.expr.to_dag(), Product::Auto, self.ty, self.limb);
        spec.output = self.layouts[0];
        for ((name, layout), broadcast) in VARIABLES.iter().zip(self.layouts).zip(self.broadcast) {
            for input in spec.inputs.iter_mut().filter(|input| input.name == *name) {
                (input.layout, input.broadcast) = (layout, broadcast);
            }
        }
        spec
    }
}

/// The operands' places, and the graph of the expression without what it does not use.
impl fmt::Display for RandomCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((name, layout), broadcast) in VARIABLES.iter().zip(self.layouts).zip(self.broadcast) {
            let layout = if layout == Layout::Interleaved { "interleaved" } else { "major" };
            write!(f, "{name}:{layout}{} ", if broadcast { ":broadcast" } else { "" })?;
        }
        self.expr.to_dag().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use limbforge_kernels_gen::{Limits, Planner, Program};

    use super::*;
    use crate::gpu_commands::selftest::cases::Case;

    fn cases(count: u64) -> Vec<RandomCase> {
        (0..count).map(|index| RandomCase::new(7, index).unwrap()).collect()
    }

    #[test]
    fn cases_are_those_of_their_number() {
        let text = |case: RandomCase| format!("{case} {}", Case::from(case.clone()).name);
        let texts = || cases(200).into_iter().map(text);
        assert!(texts().eq(texts()));
        assert_eq!(texts().collect::<HashSet<_>>().len(), 200);
        let other = RandomCase::new(8, 0).unwrap();
        assert_ne!(texts().next(), Some(text(other)));
    }

    #[test]
    fn types_limbs_and_places_vary() {
        let cases = cases(500);
        let count = |is: fn(&RandomCase) -> bool| cases.iter().filter(|case| is(case)).count();
        assert!((420..480).contains(&count(|case| case.ty.bits() <= USUAL_BITS)));
        assert!(count(|case| case.ty.bits() > 1 << 14) > 10);
        assert!((200..300).contains(&count(|case| case.ty.is_signed())));
        assert!(count(|case| case.limb == LimbArgument::U128) > 100);
        assert!(count(|case| case.broadcast[2]) > 50);
        assert!(count(|case| case.layouts[1] == Layout::Interleaved) > 200);
    }

    /// Every plan is rendered, or refused by a documented limit. Some are several kernels.
    #[test]
    fn kernels_render() {
        let (mut several, mut refused) = (0, 0);
        for case in cases(150) {
            match Program::with_kernels(&case.spec(), &Limits::SM_90, &Planner::new(90)) {
                Ok((_, kernels)) => several += usize::from(kernels.len() > 1),
                Err(error) => {
                    assert!(error.limit().is_some(), "{case}: {error}");
                    refused += 1;
                }
            }
        }
        assert!(several >= 5 && refused <= 15, "{several} of several kernels, {refused} refused");
    }
}
