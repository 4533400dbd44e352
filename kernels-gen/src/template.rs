//! The texts of kernels.

mod source;
mod texts;

pub(crate) use source::{ENTRY, Instructions, render_source};
pub(crate) use texts::{Template, Templates};
