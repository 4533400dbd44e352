//! Discrete logarithms on elliptic curves over prime fields, by Pollard's rho with distinguished points.
//!
//! Walks are programs of limbforge (`programs/*.lf`), which run on GPUs or on the CPU. Distinguished points lie in
//! an embedded database. What two walks have in common gives the logarithm.
//!
//! | file | contents |
//! | --- | --- |
//! | `curve.rs`, `file.rs` | the group law with integers of any size; curves as files |
//! | `order.rs` | random curves of prime order |
//! | `combination.rs` | a P + b Q, and the logarithm that two of one point give |
//! | `setting.rs` | what all walks of a store have in common: table, distinguished points, lengths |
//! | `program.rs`, `walks.rs` | texts of the programs; walks on an engine |
//! | `replay.rs` | the same walk with the group law, and its combination |
//! | `store.rs`, `row.rs` | the database, its rows |
//! | `saved.rs` | where walks are, as files beside the store |
//! | `solve.rs` | from walks to the logarithm |
//! | `campaign.rs`, `rehearsal.rs` | what a campaign of many GPUs takes; one on a single machine |

pub mod campaign;
pub mod combination;
pub mod curve;
pub mod error;
pub mod file;
pub mod order;
pub mod program;
pub mod rehearsal;
pub mod replay;
pub mod row;
pub mod saved;
pub mod setting;
pub mod solve;
pub mod store;
pub mod walks;
