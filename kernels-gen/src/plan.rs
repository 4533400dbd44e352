//! The fastest product for an expression, a width and a device: measured times, as data.
//!
//! | where times come from | what they are |
//! | --- | --- |
//! | `data/plans/sm_90.json` | times measured on an H200, made by `limbforge-lab report --plans` |
//! | `data/plans/devices.json` | figures of one GPU of each architecture, with sources, for predictions |
//! | [`Planner::with_measurements`] | times that `limbforge tune` has measured on the user's GPU |
//!
//! All times are milliseconds for a batch of 2^32 bits of each operand. The time of a width that was not
//! measured lies on a line between its neighbours, in steps of what the kernel computes: whole tiles on
//! tensor cores, powers of two by transforms. An expression that was not measured takes the sum of its
//! products, and on tensor cores of the kernels between them.
//!
//! On an architecture other than 9.0 the H200's times are scaled ([`DeviceFigures::predict`]). Tuned times
//! scale the whole curve of their expression and product, so that it is exact at tuned widths and as good as
//! the table's shape between.
//!
//! The programs of [`crate::pipeline`] know nothing of this module: it asks for one with each product, and
//! compares.

mod choice;
mod cycles;
mod device;
mod estimate;
mod loops;
mod many_core;
mod measurement;
mod planner;
mod powers;
mod report;
mod times;
mod width;

pub use choice::Candidate;
pub use device::DeviceFigures;
pub use estimate::{Basis, Estimate};
pub use many_core::{LaunchMeasures, ManyCore};
pub use measurement::{Measurement, MeasurementError};
pub use planner::{Planner, RankedMapping};
pub use powers::MatrixPowers;
pub use report::Explanation;
