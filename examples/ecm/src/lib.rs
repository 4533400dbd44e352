//! Factors by elliptic curves on an engine: GMP-ECM's curves of `-param 3`, stage 1 with its save files, and a stage 2 of
//! baby steps and giant steps.
//!
//! `docs/ecm.md` is the guide.

mod arguments;
mod batch;
mod composite;
mod known;
mod plan;
mod reference;
mod rho;
mod run;
mod save;
mod stage1;
mod stage2;
mod state;

pub use arguments::Arguments;
pub use batch::Instances;
pub use composite::{Factor, Number};
pub use known::{COLUMNS, Census, Known, census, read, summary};
pub use plan::{Level, bounds_of, expected_curves};
pub use reference::{Curve, Point};
pub use run::run;
pub use save::line;
pub use stage2::{Continuation, stage2};
