//! Polynomials over prime fields.
//!
//! [`Poly`] is a polynomial over a field that its type knows, with operators; [`PolyRing`] computes with
//! slices of coefficients over any field, also one that is known at run time. Coefficients go from low to
//! high. Slices may end with zeros; results never do, and the polynomial 0 has no coefficients.
//!
//! | module | ladder |
//! | --- | --- |
//! | [`mul`] | plain, by transforms over the field, by a product of integers |
//! | [`div`] | naive (a step at a time), optimised (s steps at a time), by Newton's inverse |
//! | [`gcd`] | naive, optimised (s steps at a time), extended |
//! | `linear`, `points`, `pack` | sums, values and interpolation, to and from one integer |
//!
//! Naive and optimised are the programs of Haque, Moreno Maza and Xie, "A Many-core Machine Model for
//! Designing Algorithms with Minimum Parallelism Overheads" (2014), in the form of a processor: what
//! [`crate::model`] estimates.

pub mod div;
mod error;
pub mod gcd;
mod linear;
pub mod mul;
mod pack;
mod points;
mod ring;
mod value;

pub use error::PolyError;
pub use ring::PolyRing;
pub use value::Poly;
