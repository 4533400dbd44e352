//! The kernel of an expression.

mod blocks;
mod mapping;
mod render;
mod resources;

pub(crate) use render::block;
pub use render::render;
