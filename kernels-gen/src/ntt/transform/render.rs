//! A transform as CUDA C++, and the tables that it reads.

use minijinja::context;
use minijinja::value::Serde;

use super::bounds::TransformReductions;
use super::class::ResidueClass;
use super::launch::{TransformLaunch, TransformPass};
use super::plan::TransformPlan;
use super::table::Factors;
use crate::kernel::Kernel;
use crate::pipeline::rendered;
use crate::spec::{Limits, SpecError};
use crate::template::{ENTRY, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/ntt.cu.j2");

/// A launch's kernel. Its parameters are the batch that it reads, the tables, the batch that it writes, and
/// N.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformKernel {
    /// The source with its launch geometry.
    pub kernel: Kernel,
    /// The factors of the butterflies, which the kernel reads as its second parameter.
    pub tables: Vec<u32>,
}

/// Renders the launches of a plan, for a device with these limits.
///
/// # Errors
/// [`SpecError`] if a launch needs more than the limits give.
pub fn render_transform(plan: &TransformPlan, limits: &Limits) -> Result<Vec<TransformKernel>, SpecError> {
    let factors = Factors::new(plan);
    let launches = plan.launches.iter().zip(plan.reductions()?);
    launches.map(|(launch, reductions)| render_launch(plan, launch, reductions, &factors, limits)).collect()
}

fn render_launch(
    plan: &TransformPlan,
    launch: &TransformLaunch,
    reductions: TransformReductions,
    factors: &Factors,
    limits: &Limits,
) -> Result<TransformKernel, SpecError> {
    let geometry = launch.geometry(plan.class);
    let [outer, middle, inner] = launch.radices;
    let tasks = [middle * inner, outer * inner, outer * middle];
    if !tasks.iter().all(|tasks| tasks.is_multiple_of(launch.threads)) {
        let (what, found) = ("threads of a transform", launch.threads);
        return Err(SpecError::Mapping { what, found, expected: "a divisor of the tasks of every pass" });
    }

    let blocks = limits.blocks(launch.blocks, geometry.threads, geometry.shared_bytes.into());
    let source = source(plan, launch, reductions, factors, blocks)?;
    let kernel = rendered::kernel(source, &["values", "tables"], geometry, limits)?;
    Ok(TransformKernel { kernel, tables: factors.tables(launch, plan.finish(launch)) })
}

fn source(
    plan: &TransformPlan,
    launch: &TransformLaunch,
    reductions: TransformReductions,
    factors: &Factors,
    blocks: u32,
) -> Result<String, SpecError> {
    render_source(
        KERNEL,
        context! {
            spec => format!("{} {:?} {launch}", plan.spec, plan.class),
            entry => ENTRY,
            radices => launch.radices,
            threads => launch.threads,
            slots => launch.slots,
            slot => launch.slot(plan.class),
            tiles => launch.tiles(),
            stride => launch.pass.stride(),
            load_strided => matches!(launch.pass, TransformPass::Columns { .. }),
            store_strided => launch.pass != TransformPass::Whole,
            three => launch.radices[0].is_multiple_of(3),
            plus => plan.spec.splits_plus(),
            nested => matches!(launch.pass, TransformPass::Rows { .. }),
            reduce => Serde(reductions),
            canonical => launch.is_last,
            lazy64 => matches!(plan.class, ResidueClass::Wide64 | ResidueClass::Lazy64),
            span => plan.class.span(),
            reduce_bits => plan.class.reduce_bits(plan.spec.modulus()),
            finish => format!("{:?}", plan.finish(launch)).to_uppercase(),
            blocks,
            templates => Templates::of(&[plan.class.template(), Template::NttTile]).texts(),
            transform => factors.text(launch),
        },
    )
}
