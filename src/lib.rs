#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "gpu")]
mod block;
mod engine;

#[cfg(feature = "gpu")]
pub use block::{BlockError, RunBlock};
pub use engine::{
    CheckpointError, Coefficients, DeviceBatch, DeviceResidues, Engine, EngineError, InputError, Placement,
    PlacementError, Prepared, PreparedAll, ProgramList, ProgramRun, Progress, ResidueError, Session,
};
pub use limbforge_algos as algos;
pub use limbforge_field as field;
#[cfg(feature = "gpu")]
pub use limbforge_gpu as gpu;
#[cfg(feature = "gpu")]
pub use limbforge_kernels_gen as kernels_gen;
pub use limbforge_limb as limb;
/// The integers without bound that batches are made of and read as.
pub use limbforge_limb::num_bigint;

pub mod prelude {
    //! Numbers, batches and expressions: `use limbforge::prelude::*;`.
    //!
    //! ```
    //! use limbforge::prelude::*;
    //!
    //! let p = (U2048::ONE << 1279) - 1; // a Mersenne prime
    //! let a = U2048::from(3_u8).pow_mod(&(p - 2), &p)?; // Fermat: 1/3 mod p
    //! assert!(p.is_prime() && a.mul_mod(&3_u8.into(), &p)? == 1);
    //! assert_eq!(U256::from(240_u8).gcd(&46_u8.into()), 2);
    //!
    //! let primes: Batch<u64> = (1_u64..1000).map(U256::from).filter(NumberTheory::is_prime).collect();
    //! assert_eq!(primes.instances(), 168);
    //! # Ok::<(), limbforge::limb::DivisionByZero>(())
    //! ```
    //!
    //! | you have | you take |
    //! | --- | --- |
    //! | a few numbers of a known width | [`U128`] to [`U8192`], [`I128`] to [`I8192`], [`NumberTheory`] |
    //! | one modulus for many operations | [`Modulus`], or [`OddModulus`] for long chains |
    //! | thousands of numbers | a [`Batch`] and an [`Engine`] |
    //! | code for any width | the bounds [`Base`] and [`Width`] |

    pub use crate::{DeviceBatch, DeviceResidues, Engine, EngineError, Placement, Prepared, PreparedAll};
    pub use crate::{ProgramList, ProgramRun, Session};
    pub use limbforge_algos::cpu::{Checked, EvalError, Failure};
    pub use limbforge_algos::expr::{Expr, ParseExprError};
    pub use limbforge_algos::fill::Fill;
    pub use limbforge_algos::integer::modulus::{Modulus, OddModulus, Residue};
    pub use limbforge_algos::poly::{Poly, PolyError, PolyRing};
    pub use limbforge_algos::program::{Program, ProgramError};
    pub use limbforge_algos::{NumberTheory, RootError, Xgcd};
    pub use limbforge_limb::{
        Base, Batch, BatchError, FixedInt, Int, IntM, IntType, Layout, Uint, UintM, Width,
    };
    pub use limbforge_limb::{I128, I256, I384, I512, I1024, I2048, I3072, I4096, I8192};
    pub use limbforge_limb::{U128, U256, U384, U512, U1024, U2048, U3072, U4096, U8192};
}

/// The programs on the pages are tests.
#[cfg(all(doctest, feature = "gpu"))]
#[doc = include_str!("../docs/custom_limbs.md")]
struct CustomLimbs;

#[cfg(doctest)]
#[doc = include_str!("../docs/coming-from-cgbn.md")]
struct ComingFromCgbn;

#[cfg(doctest)]
#[doc = include_str!("../docs/expressions.md")]
struct Expressions;

/// So are those of the guide to programs.
#[cfg(doctest)]
#[doc = include_str!("../docs/programs.md")]
struct Programs;

/// And those of the tutorial.
#[cfg(doctest)]
#[doc = include_str!("../docs/tutorial.md")]
struct Tutorial;

/// And those of the guide to the library.
#[cfg(all(doctest, feature = "gpu"))]
#[doc = include_str!("../docs/library.md")]
struct Library;
