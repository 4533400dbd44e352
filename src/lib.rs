#![doc = include_str!("../README.md")]

mod engine;

pub use engine::{Coefficients, Engine, EngineError};
pub use limbforge_algos as algos;
pub use limbforge_field as field;
pub use limbforge_gpu as gpu;
pub use limbforge_kernels_gen as kernels_gen;
pub use limbforge_limb as limb;

/// What most programs need: `use limbforge::prelude::*;`.
pub mod prelude {
    pub use crate::{Engine, EngineError};
    pub use limbforge_algos::cpu::{Checked, EvalError, Failure};
    pub use limbforge_algos::expr::{Expr, ParseExprError};
    pub use limbforge_algos::modulus::{Modulus, OddModulus};
    pub use limbforge_algos::poly::{Poly, PolyError, PolyRing};
    pub use limbforge_limb::{Base, Batch, BatchError, Int, IntType, Layout, Uint};
}

/// The program on the page is a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/coming-from-cgbn.md")]
struct ComingFromCgbn;

#[cfg(doctest)]
#[doc = include_str!("../docs/expressions.md")]
struct Expressions;
