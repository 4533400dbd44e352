//! Transforms over prime fields as launches.

use super::graph::{Program, Source, Table};
use crate::ntt::{TransformPlan, render_transform};
use crate::spec::{Limits, SpecError};

impl TransformPlan {
    /// The program of a transform: its operand and its result are the points, one transform an instance.
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
    /// assert_eq!((program.launches.len(), program.result_words), (2, 1 << 20));
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
    /// Adds the launches of so many transforms for each instance. They write two buffers by turns, first the
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
