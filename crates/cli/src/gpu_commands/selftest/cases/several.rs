//! Several expressions over integers, by one program.

use limbforge::algos::expr::{Dag, Expr};
use limbforge::limb::{IntType, Layout};
use limbforge_kernels_gen::{Limits, Product, Program, SpecError};

use super::{Case, CliError, Task};
use crate::{args::LimbArgument, gpu_commands::selftest::types::int_type};
use limbforge_cli::gpu::{kernels::program_spec, operands::Places};

/// Expressions over integers of one type.
#[derive(Clone, Debug)]
pub(crate) struct SeveralCase {
    pub(crate) dag: Dag,
    pub(crate) ty: IntType,
    pub(crate) limb: LimbArgument,
    pub(crate) layout: Layout,
}

const WIDTHS: [u32; 7] = [64, 131, 512, 2048, 8192, 20_000, 65_536];

/// Results that share a division, that read the same operands, that other results take, of two types, and
/// that fail apart.
const SETS: [(&str, &[&str]); 5] = [
    ("division", &["a / b", "a % b", "div_floor(a, b)", "div_exact(a, b)"]),
    ("sums", &["a + b", "a - b", "a * b"]),
    ("chain", &["a * b", "a * b + c", "(a * b) / c", "c"]),
    ("types", &["mul_wide(a % b, c)", "a % b", "a < b"]),
    ("failures", &["modinv(a, b)", "a / b", "mulmod(a, b, c)", "a & c"]),
];

impl SeveralCase {
    pub(super) fn program(&self, limits: &Limits) -> Result<Program, CliError> {
        let mut spec = program_spec(self.dag.clone(), Product::Auto, self.ty, self.limb);
        spec.inputs.iter_mut().for_each(|input| input.layout = self.layout);
        spec.output = self.layout;
        Ok(Program::new(&spec, limits)?)
    }

    /// All operands and results in the case's layout.
    pub(crate) fn places(&self) -> Places {
        Places { inputs: self.layout, output: self.layout, ..Places::default() }
    }

    /// Whether the lack of matrix instructions or a width that one warp does not compute explain the error.
    pub(super) fn may_refuse(&self, error: &SpecError) -> bool {
        matches!(error, SpecError::Matrices | SpecError::Warp { .. } | SpecError::Division { .. })
            || self.ty.bits() > WIDTHS[4] && error.limit().is_some()
    }
}

/// Each set in each width, limb and layout. Small: each width in one limb.
pub(super) fn cases(small: bool) -> Result<Vec<Case>, CliError> {
    let mut cases = vec![];
    for (i, bits) in WIDTHS.into_iter().enumerate() {
        let ty = int_type(bits, i % 2 == 1)?;
        let limbs = [LimbArgument::U32, LimbArgument::U64, LimbArgument::U128];
        let limbs = if small { &limbs[i % 3..=i % 3] } else { &limbs[..] };
        for (&limb, (set, texts)) in limbs.iter().flat_map(|limb| SETS.map(|set| (limb, set))) {
            for (name, layout) in [("major", Layout::InstanceMajor), ("interleaved", Layout::Interleaved)] {
                let exprs = texts.iter().map(|text| Ok(Expr::parse(text)?));
                let dag = Dag::of_all(&exprs.collect::<Result<Vec<_>, CliError>>()?);
                cases.push(Case {
                    name: format!("several {set} {} {ty} {name}", limb.name()),
                    key: ["several", limb.name(), set],
                    size: bits,
                    task: Task::Several(SeveralCase { dag, ty, limb, layout }),
                });
            }
        }
    }
    Ok(cases)
}
