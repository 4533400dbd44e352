//! Transforms as programs.

use limbforge_kernels_gen::ntt::{TransformBuffer, TransformKernel, TransformPlan};
use limbforge_kernels_gen::{Sink, Source};

use super::{LoadedProgram, Step};
use crate::compiler::Compiler;
use crate::device::Device;
use crate::error::GpuError;
use crate::module::Footprint;

impl Device {
    /// Compiles and loads a transform's kernels, as [`load`](Self::load) does, and uploads their tables. The program's
    /// one operand and its result are transforms' points, one transform an instance. `kernels` are the plan's, rendered.
    ///
    /// # Errors
    /// Those of [`load`](Self::load) and [`upload`](Self::upload).
    pub fn load_transform(
        &self,
        compiler: &Compiler,
        plan: &TransformPlan,
        kernels: &[TransformKernel],
    ) -> Result<LoadedProgram, GpuError> {
        let bytes = 4 * u64::from(plan.spec.points()) * u64::from(plan.spec.point_words());
        let mut steps = vec![];
        for (i, (launch, rendered)) in plan.launches.iter().zip(kernels).enumerate() {
            let footprint = Footprint { inputs: vec![bytes, 0], output: bytes };
            let kernel = self.load(compiler, &rendered.kernel, &footprint)?;
            let from = match launch.from {
                TransformBuffer::Input => Source::Input(0),
                _ => Source::Buffer(0),
            };
            let output = match launch.to {
                TransformBuffer::Output => Sink::Result,
                _ => Sink::Buffer(0),
            };
            steps.push(Step { kernel, inputs: vec![from, Source::Table(i)], output });
        }
        let tables = kernels.iter().map(|kernel| self.upload(&kernel.tables));
        let buffers = if steps.len() > 1 { vec![bytes] } else { vec![] };
        Ok(LoadedProgram {
            steps,
            tables: tables.collect::<Result<_, _>>()?,
            buffers,
            singles: vec![],
            chunk: u64::MAX,
            marks: false,
            footprint: Footprint { inputs: vec![bytes], output: bytes },
        })
    }
}
