//! The kernel of an expression.

mod blocks;
mod check;
mod mapping;
mod render;
mod resources;
mod shared;

pub(crate) use render::block;
pub use render::render;
pub use resources::Resources;
