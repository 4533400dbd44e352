#![doc = include_str!("../README.md")]

mod engine;

pub use engine::Engine;
pub use limbforge_algos as algos;
pub use limbforge_limb as limb;

/// What most programs need: `use limbforge::prelude::*;`.
pub mod prelude {
    pub use crate::Engine;
    pub use limbforge_algos::cpu::EvalError;
    pub use limbforge_algos::expr::{Expr, ParseExprError};
    pub use limbforge_limb::{Base, Batch, BatchError, Int, IntType, Layout, Uint};
}
