//! Prime fields: primes, arithmetic modulo a prime, and exact products by number-theoretic transforms.
//!
//! | module | contents |
//! | --- | --- |
//! | [`field`](mod@field) | the traits [`PrimeField`] and [`TwoAdicField`] |
//! | [`zmod`] | [`Zmod`], the field of a prime that is part of the type |
//! | [`modulus`], [`prime_field!`] | primes as types, checked while the program is compiled |
//! | [`presets`] | well-known primes |
//! | [`dynamic`] | [`DynField`], the field of a prime known at run time |
//! | [`reduction`] | the reductions of both: `%`, Montgomery, special forms |
//! | [`shoup`] | products with constants |
//! | [`word`] | the word that stores a residue |
//! | [`text`] | residues from text |
//! | [`check`] | the conditions on a prime and its root |
//! | [`search`] | all primes k*2^n + 1 in a range of bits with a minimum adicity |
//! | [`factor`](mod@factor) | the complete factorization of 64-bit numbers |
//! | [`root`] | roots of order 2^n, and generators with a checkable proof |
//! | [`digits`] | digit widths and plans for exact products with a set of primes |
//! | [`crt`] | from residues to the number, by the Chinese remainder theorem |
//! | [`modular`] | reference arithmetic modulo a 64-bit number, in constant expressions |
//! | [`primes`] | the primes of a range, and lcm(1, ..., n) |
//! | [`primality`] | deterministic primality of 64-bit numbers, also in constant expressions |

pub mod check;
pub mod crt;
pub mod digits;
pub mod dynamic;
pub mod factor;
pub mod field;
mod invariant;
pub mod modular;
pub mod modulus;
pub mod presets;
pub mod primality;
mod prime_field;
pub mod primes;
pub mod reduction;
pub mod root;
pub mod search;
pub mod shoup;
pub mod text;
pub mod word;
pub mod zmod;

pub use check::FieldError;
pub use dynamic::{DynElement, DynField};
pub use field::{PrimeField, TwoAdicField};
pub use modulus::{Prime, PrimeModulus};
pub use reduction::{Arithmetic, Reduction};
pub use shoup::ShoupConstant;
pub use text::ParseElementError;
pub use word::Word;
pub use zmod::Zmod;

/// Runs the program on the package's page as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
