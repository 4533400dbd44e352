//! The texts that kernels are made of.

mod instructions;
mod source;
mod texts;

pub(crate) use instructions::Instructions;
pub(crate) use source::{ENTRY, render_source};
pub(crate) use texts::{Template, Templates};
