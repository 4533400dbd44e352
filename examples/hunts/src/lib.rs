//! The common part of the examples `prp` and `ecm`.

mod device;
mod error;
mod folder;
mod formula;
mod primes;
mod signals;

pub use device::{Backend, word_bits};
pub use error::HuntError;
pub use folder::Folder;
pub use formula::number;
pub use primes::{lcm, primes_to};
pub use signals::Signals;
