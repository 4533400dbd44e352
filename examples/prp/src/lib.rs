//! Hunts for primes: ranges, gaps, tuples and forms k * b^n + c, sieved on the CPU and tested by an engine.
//!
//! `docs/prp.md` is the guide. A hunt is a [`Family`] of linear functions of an index; an index counts where all of
//! them have prime values. [`Sieve`] strikes indices, [`Tester`] tests the others, [`Hunt`] leads through a range of
//! indices chunk by chunk.

mod arguments;
mod candidates;
mod expected;
mod family;
mod hunt;
mod meter;
mod patterns;
mod roots;
mod rows;
mod run;
mod sieve;
mod table;
mod tester;

pub use arguments::{Arguments, End, Mode, Pattern, Range};
pub use candidates::{read_candidates, without_small_factors};
pub use expected::Density;
pub use family::{Family, Form};
pub use hunt::{Found, Hunt};
pub use patterns::pattern;
pub use roots::Roots;
pub use run::run;
pub use sieve::{Sieve, is_struck};
pub use table::Format;
pub use tester::{Test, Tester};
