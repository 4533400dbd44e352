//! Results in memory of the caller's, and the instances that have none.

use limbforge_algos::cpu::Failure;
use limbforge_limb::{Base, Batch};

use super::error::EngineError;
use super::prepared::Prepared;

impl<B: Base> Prepared<B> {
    /// As [`eval_into`](Self::eval_into); returns the instances that failed, in order. Their results are 0.
    ///
    /// ```
    /// # use limbforge::prelude::*;
    /// let inverse = Engine::cpu().prepare::<u64>(&Expr::parse("8 / a")?, "u64".parse()?, &Placement::default())?;
    /// let a = Batch::zeros(inverse.ty(), Layout::InstanceMajor, 2)?;
    /// assert_eq!(inverse.eval_into_checked(&[("a", &a)], &mut a.clone())?.len(), 2); // 8 / 0
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval_into`](Self::eval_into), but for instances without a result.
    pub fn eval_into_checked(
        &self,
        inputs: &[(&str, &Batch<B>)],
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        let (operands, instances) = self.ready.bind(inputs, Some(result.instances()))?;
        self.ready.eval_into_checked(&operands, instances, result)
    }
}
