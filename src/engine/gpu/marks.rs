//! Marks of instances without a result: words of 32 bits on a GPU.

use std::sync::Arc;

use limbforge_algos::expr::Expr;
use limbforge_gpu::DeviceBuffer;
use limbforge_kernels_gen::{InputSpec, LimbKind, Product, ProgramSpec, Target};
use limbforge_limb::{IntType, Layout};

use super::Gpu;
use crate::engine::error::EngineError;

impl Gpu {
    /// The marks of one batch of N instances, or of several together; None if there are none.
    pub(super) fn union<'m>(
        &self,
        mut marks: impl Iterator<Item = &'m Arc<DeviceBuffer>>,
        instances: u64,
    ) -> Result<Option<Arc<DeviceBuffer>>, EngineError> {
        let Some(first) = marks.next() else { return Ok(None) };
        let mut all = first.clone();
        for other in marks.filter(|other| !Arc::ptr_eq(first, other)) {
            let mut either = self.device.alloc(4 * instances)?;
            self.or([&all, other], &mut either, instances)?;
            all = Arc::new(either);
        }
        Ok(Some(all))
    }

    /// Starts the bitwise or of words of 32 bits.
    pub(super) fn or(
        &self,
        words: [&DeviceBuffer; 2],
        either: &mut DeviceBuffer,
        instances: u64,
    ) -> Result<(), EngineError> {
        self.of_words(&(Expr::input("a") | Expr::input("b")), &words, either, instances)
    }

    /// Starts an expression over words of 32 bits, `a` and perhaps `b`.
    pub(super) fn of_words(
        &self,
        expr: &Expr,
        words: &[&DeviceBuffer],
        result: &mut DeviceBuffer,
        instances: u64,
    ) -> Result<(), EngineError> {
        let input = |name: &&str| InputSpec::integers(name, Layout::InstanceMajor, false);
        let program = self.program(&ProgramSpec {
            dag: expr.to_dag(),
            ty: IntType::unsigned(32).map_err(|error| EngineError::Internal { what: error.to_string() })?,
            limb: LimbKind::of_any::<u32>()?,
            inputs: ["a", "b"][..words.len()].iter().map(input).collect(),
            output: Layout::InstanceMajor,
            product: Product::Auto,
            target: Target::Cuda,
        })?;
        let scratch = self.device.scratch(&program, instances)?;
        Ok(self.device.run_program(&program, words, &scratch, result, instances)?)
    }
}
