//! A transform as CUDA C++ with the tables that it reads, and as launches.

use minijinja::context;
use minijinja::value::Serde;

use super::launch::{TransformLaunch, TransformPass};
use super::{bounds::TransformReductions, class::ResidueClass};
use super::{plan::TransformPlan, table::Factors};
use crate::kernel::Kernel;
use crate::pipeline::{Program, Source, Table, rendered};
use crate::spec::{Limits, SpecError};
use crate::template::{ENTRY, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../templates/ntt.cu.j2");

/// The kernel of a launch. Its parameters are the batch to read, the tables, the batch to write, and N.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformKernel {
    /// The source with its launch geometry.
    pub kernel: Kernel,
    /// The factors of the butterflies, the kernel's second parameter.
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
    let (geometry, finish) = (launch.geometry(plan.class), plan.finish(launch));
    let [outer, middle, inner] = launch.radices;
    let tasks = [middle * inner, outer * inner, outer * middle];
    if !tasks.iter().all(|tasks| tasks.is_multiple_of(launch.threads)) {
        let (what, found) = ("threads of a transform", launch.threads);
        return Err(SpecError::Mapping { what, found, expected: "a divisor of the tasks of every pass" });
    }
    let values = context! {
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
        three => outer.is_multiple_of(3),
        plus => plan.spec.splits_plus(),
        nested => matches!(launch.pass, TransformPass::Rows { .. }),
        reduce => Serde(reductions),
        canonical => launch.is_last,
        lazy64 => matches!(plan.class, ResidueClass::Wide64 | ResidueClass::Lazy64),
        span => plan.class.span(),
        reduce_bits => plan.class.reduce_bits(plan.spec.modulus()),
        finish,
        blocks => limits.blocks(launch.blocks, geometry.threads, geometry.shared_bytes.into()),
        templates => Templates::of([plan.class.template(), Template::NttTile]).texts(),
        transform => factors.text(launch),
    };
    let kernel = rendered(render_source(KERNEL, values)?, &["values", "tables"], geometry, limits)?;
    Ok(TransformKernel { kernel, tables: factors.tables(launch, finish) })
}

impl TransformPlan {
    /// The program of a transform from points to points, one transform an instance.
    ///
    /// ```
    /// use limbforge_algos::transform::ntt::{Direction, Wrap};
    /// use limbforge_field::DynField;
    /// use limbforge_kernels_gen::Limits;
    /// use limbforge_kernels_gen::ntt::{TransformPlan, TransformSpec};
    ///
    /// let field = DynField::new(998_244_353)?;
    /// let spec = TransformSpec::new(&field, 1 << 20, Wrap::Cyclic, Direction::Forward)?;
    /// let program = TransformPlan::for_limits(spec, &Limits::SM_90)?.program(&Limits::SM_90)?;
    /// assert_eq!((program.launches.len(), program.result_words), (2, vec![1 << 20]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpecError`] if a launch needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let mut program = Program::empty(vec![self.words()]);
        program.transform(self, limits, Source::Input(0), [0, 1], 1)?;
        // The last launch writes the result.
        program.buffers.truncate(self.launches.len() - 1);
        Ok(program.finished())
    }

    /// Words of 32 bits of the points.
    fn words(&self) -> u64 {
        u64::from(self.spec.points()) * u64::from(self.spec.point_words())
    }
}

impl Program {
    /// Adds the launches of so many transforms for each instance, which write two buffers in turn, first the
    /// one that is not read. Returns the buffer of the results.
    pub(crate) fn transform(
        &mut self,
        plan: &TransformPlan,
        limits: &Limits,
        mut from: Source,
        buffers: [usize; 2],
        repeats: u32,
    ) -> Result<usize, SpecError> {
        let mut to = buffers[0];
        for rendered in render_transform(plan, limits)? {
            to = if from == Source::Buffer(buffers[0]) { buffers[1] } else { buffers[0] };
            let kernel = self.add_kernel(rendered.kernel);
            let table = self.add_table(Table::Words(rendered.tables));
            self.launch_to(to, kernel, vec![from, table], repeats, u64::from(repeats) * plan.words());
            from = Source::Buffer(to);
        }
        Ok(to)
    }
}
