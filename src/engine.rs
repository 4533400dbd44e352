//! Where expressions are evaluated.

use limbforge_algos::cpu::{self, EvalError};
use limbforge_algos::expr::Expr;
use limbforge_limb::{Base, Batch};

/// Evaluates expressions over batches on a device.
///
/// ```
/// use limbforge::prelude::*;
/// let ty = IntType::unsigned(128)?;
/// let a = Batch::<u32>::from_biguints(ty, Layout::InstanceMajor, &[3u32.into(), 4u32.into()])?;
/// let squares = Engine::auto().eval(&Expr::input("a").sqr(), &[("a", &a)])?;
/// assert_eq!(squares.to_biguints(), [9u32.into(), 16u32.into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    backend: Backend,
}

#[derive(Clone, Debug)]
enum Backend {
    Cpu,
}

impl Engine {
    /// The fastest device of this machine that this build can use: its CPU cores.
    #[must_use]
    pub const fn auto() -> Self {
        Self::cpu()
    }

    /// The CPU, all its cores. `RAYON_NUM_THREADS` in the environment sets another number of threads.
    #[must_use]
    pub const fn cpu() -> Self {
        Self { backend: Backend::Cpu }
    }

    /// The values of `expr` over the named batches, instance by instance, exact modulo `2^bits` of their type.
    ///
    /// All batches have one type; all have N instances, or 1, which is broadcast. The result has the type and the
    /// layout of the first batch.
    ///
    /// # Errors
    /// [`EvalError`] if the expression and the batches do not go together; nothing is computed then.
    pub fn eval<B: Base>(&self, expr: &Expr, inputs: &[(&str, &Batch<B>)]) -> Result<Batch<B>, EvalError> {
        match self.backend {
            Backend::Cpu => cpu::eval(&expr.to_dag(), inputs),
        }
    }

    /// As [`eval`](Engine::eval), into a batch of the inputs' type and number of instances, in its own layout. Spares
    /// the allocation when one result after the other is computed.
    ///
    /// # Errors
    /// As [`eval`](Engine::eval), and if `result` does not fit the inputs.
    pub fn eval_into<B: Base>(
        &self,
        expr: &Expr,
        inputs: &[(&str, &Batch<B>)],
        result: &mut Batch<B>,
    ) -> Result<(), EvalError> {
        match self.backend {
            Backend::Cpu => cpu::eval_into(&expr.to_dag(), inputs, result),
        }
    }
}
