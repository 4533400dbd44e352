//! The common part of the examples `prp` and `ecm`.

mod device;
mod error;
mod folder;
mod formula;
mod signals;

pub use device::{Backend, word_bits};
pub use error::HuntError;
pub use folder::Folder;
pub use formula::number;
pub use signals::Signals;
