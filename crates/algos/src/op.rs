//! Operations: the table of all, and their values on the CPU.
//!
//! | to find | look into |
//! | --- | --- |
//! | every operation, its names, operands, failures and examples | `op/table.rs`: one row for each |
//! | [`Op`], [`Class`] and [`Operation`], which the table defines | `op/define.rs` |
//! | [`operations`] by name, and properties such as [`Op::arity`] | `op/properties.rs` |
//! | the value of an operation | the file of its class, called by `op/apply.rs` |

mod amount;
mod apply;
mod arithmetic;
mod bits;
mod define;
pub(crate) mod division;
mod eight;
mod euclid;
mod facts;
mod gcd;
pub(crate) mod instances;
pub(crate) mod memory;
mod modular;
mod montgomery;
mod mulmod;
mod octave;
mod powers;
mod primality;
pub(crate) mod products;
mod properties;
mod quotients;
mod roots;
mod table;
mod why;

pub use amount::Amount;
pub use define::{Class, Op, Operation, class};
pub use facts::{Domain, Example, Flag, Outcome, Syntax};
pub use properties::{operation, operations};
pub use why::Why;

pub(crate) use amount::near;
pub(crate) use apply::{apply, apply_division};
pub(crate) use bits::shift_by;
pub(crate) use define::rows;
pub(crate) use properties::{function, functions, infix};
pub(crate) use table::{number_theory, table};
