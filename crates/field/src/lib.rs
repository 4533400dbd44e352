//! Prime fields: choosing a prime, computing with it, and what it can multiply exactly.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`field`](mod@field) | the traits [`PrimeField`] and [`TwoAdicField`] |
//! | [`zmod`] | [`Zmod`], the field of a prime that is part of the type |
//! | [`modulus`], [`prime_field!`] | primes as types, checked while the program is compiled |
//! | [`presets`] | well-known primes |
//! | [`dynamic`] | [`DynField`], the field of a prime that is known at run time |
//! | [`reduction`] | how both compute: `%`, Montgomery, special forms |
//! | [`shoup`] | products with constants |
//! | [`word`] | the word that holds a residue |
//! | [`text`] | residues from text |
//! | [`check`] | what must hold for a prime and its root |
//! | [`search`] | all primes k*2^n + 1 of a range of bits with a given adicity |
//! | [`factor`](mod@factor) | the complete factorization of 64-bit numbers |
//! | [`root`] | roots of order 2^n, and generators with a proof that can be checked |
//! | [`digits`] | what a set of primes multiplies exactly: digit widths and plans |
//! | [`crt`] | from residues back to the number, in two ways |
//! | [`modular`] | arithmetic modulo a 64-bit number in constant expressions, the reference of everything else |
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

/// The program on the page of the package is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
