//! The test kit of limbforge: what its own tests use, and what a user's limb, width or prime is tested with.
//!
//! * [`operands`]: proptest strategies for integers that are likely to break arithmetic.
//! * [`division`]: dividends and divisors that divisions have failed on.
//! * [`oracle`]: the same values in num-bigint, an implementation that shares no code with limbforge.
//! * [`guarded`]: limbs between closed pages, so that code that reads too far is found.
//! * [`block`]: the suites of the block algorithms, for any limb and block shape.
//! * [`program`]: random typed programs as text, with operands.
//! * [`sequence`]: sequences of products of sums, and what they compute.
//! * [`conformance_limb!`]: every suite that a limb of yours has to pass, in one line.
//! * The other `conformance_*!` macros: stamp one suite onto a type in one line.
//! * [`check`](mod@check): properties over generic types, for further suites.

pub mod base;
pub mod batch;
pub mod block;
pub mod check;
pub mod division;
pub mod evaluation;
pub mod expr;
pub mod field;
pub mod guarded;
pub mod int;
mod limb;
pub mod ntt;
pub mod operands;
pub mod oracle;
pub mod poly;
pub mod program;
pub mod sequence;
pub mod slice;
pub mod uint;

// The lengths that suites of integers are stamped for.
pub use limbforge_limb::typenum;
