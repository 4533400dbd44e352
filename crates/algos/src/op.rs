//! Operations: the table of all, and their values on the CPU.
//!
//! | to find | look into |
//! | --- | --- |
//! | every operation, its names, operands, failures and examples | `op/table.rs`: one row for each |
//! | [`Op`], [`Class`] and [`Operation`], which the table defines | `op/define.rs` |
//! | properties of an operation, such as [`Op::arity`] | `op/properties.rs` |
//! | operators and functions by name: [`operations`] | `op/language.rs` |
//! | the value of an operation | the file of its class |

mod amount;
mod define;
mod facts;
mod language;
mod properties;
mod table;
mod why;

pub(crate) mod arithmetic;
pub(crate) mod bits;
pub(crate) mod comparison;
pub(crate) mod division;
pub(crate) mod gcd;
pub(crate) mod instances;
pub(crate) mod memory;
pub(crate) mod modular;
pub(crate) mod montgomery;
pub(crate) mod primality;
pub(crate) mod roots;

pub use amount::Amount;
pub use define::{Class, Op, Operation, class};
pub use facts::{Domain, Example, Flag, Outcome, Syntax};
pub use language::{operation, operations};
pub use why::Why;

pub(crate) use define::rows;
pub(crate) use language::{function, functions, infix};
pub(crate) use table::table;
