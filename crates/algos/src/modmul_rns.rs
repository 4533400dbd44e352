//! Products and powers modulo N in residue number systems: the executable specification of the kernels on
//! tensor cores, with a proof of its bounds.
//!
//! A number is held by its residues modulo k primes below `2^31` in each of two bases. Montgomery's product
//! takes two extensions from one base to the other (Posch and Posch 1995; Bajard, Didier and Kornerup 1998;
//! Kawamura and others 2000). Each extension is a product of a constant matrix of bytes with the bytes of all
//! residues, whatever the modulus, so that a batch of instances is a product of two matrices. There are no
//! carries between residues and no comparisons with N, and even moduli need nothing else.
//!
//! | item | contents |
//! | --- | --- |
//! | [`Plan`] | primes, constants, matrices and proved [`Bounds`] of a width, as data |
//! | [`Modulus`] | a modulus of a plan: into the system, product, power, out of it |
//! | [`RowLimits`] | the matrices for which the bounds hold, before the modulus of all instances is known |
//! | [`Refused`] | moduli that another algorithm must serve |
//! | [`Windows`] | the products of a power |
//! | [`Sequence`](crate::sequence::Sequence) | rounds of products of sums, with a proved bound of each variable: loops of programs |
//! | [`Less`] | a number that products have subtracted, for Lucas sequences |
//!
//! Every step of [`Modulus::product`] has the words of the kernel, and a value that exceeds a proved bound
//! ends the program. `docs/modmul_rns.md` has the equations and the proof.
//!
//! ```
//! use limbforge_algos::modmul_rns::{Plan, Refused};
//! use num_bigint::BigUint;
//!
//! let plan = Plan::each(256)?;
//! let n = (BigUint::from(1_u32) << 255_u32) - 20_u32; // even
//! let (x, e) = (BigUint::from(3_u32), BigUint::from(1_000_001_u32));
//! assert_eq!(plan.modulus(&n)?.power(&x, &e)?, x.modpow(&e, &n));
//!
//! // The modulus must be prime to base 1.
//! let prime = plan.bases.first.primes[0].value;
//! assert_eq!(plan.modulus(&(n * 0_u32 + prime)).err(), Some(Refused::SharedFactor { prime }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bases;
mod bounds;
mod chain;
mod constants;
mod error;
mod limits;
mod matrix;
mod modulus;
mod plan;
mod power;
mod prime;
mod residues;
mod sequences;

pub use bases::{Bases, PrimeBase};
pub use bounds::Bounds;
pub use chain::Less;
pub use constants::{FirstConstants, SecondConstants};
pub use error::{PlanError, Refused, TooWide};
pub use limits::RowLimits;
pub use matrix::{Joining, Matrix};
pub use modulus::Modulus;
pub use plan::{Plan, Purpose};
pub use power::Windows;
pub use prime::{Prime, TOP};
pub use residues::Residues;

/// The least width of a plan in bits.
pub const LEAST_BITS: u32 = 32;
/// The largest width of a plan in bits.
pub const LARGEST_BITS: u32 = 16_384;

/// The program on the page of the method is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/modmul_rns.md")]
struct Page;
