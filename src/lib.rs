#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod engine;

pub use engine::{Coefficients, Engine, EngineError};
pub use limbforge_algos as algos;
pub use limbforge_field as field;
#[cfg(feature = "gpu")]
pub use limbforge_gpu as gpu;
#[cfg(feature = "gpu")]
pub use limbforge_kernels_gen as kernels_gen;
pub use limbforge_limb as limb;
/// The integers without bound that batches are made of and read as.
pub use limbforge_limb::num_bigint;

/// What most programs need: `use limbforge::prelude::*;`.
pub mod prelude {
    pub use crate::{Engine, EngineError};
    pub use limbforge_algos::cpu::{Checked, EvalError, Failure};
    pub use limbforge_algos::expr::{Expr, ParseExprError};
    pub use limbforge_algos::modulus::{Modulus, OddModulus};
    pub use limbforge_algos::poly::{Poly, PolyError, PolyRing};
    pub use limbforge_limb::{Base, Batch, BatchError, Int, IntType, Layout, Uint};
}

/// The programs on the pages are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/custom_limbs.md")]
struct CustomLimbs;

#[cfg(doctest)]
#[doc = include_str!("../docs/coming-from-cgbn.md")]
struct ComingFromCgbn;

/// So are those of the tutorial.
#[cfg(doctest)]
#[doc = include_str!("../docs/tutorial.md")]
struct Tutorial;

/// And those of the guide to the library.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Library;
