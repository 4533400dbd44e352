//! The ground floor: specifications of kernels, limits of devices, and errors. Imports nothing above.

mod error;
mod input;
mod kernel;
mod limb;
mod limits;
mod mapping;
mod not_straight;
mod part;
mod primes;
mod product;

pub use error::{ProgramFits, SpecError};
pub use input::{InputForm, InputSpec};
pub(crate) use input::{SkipMask, layout_name, operand_names, unless_text};
pub use kernel::{KernelSpec, Target};
pub(crate) use kernel::{multiplies, within_warp};
pub use limb::LimbKind;
pub use limits::Limits;
pub use mapping::Mapping;
pub(crate) use mapping::{MOST_WORDS_WITHIN_WARP, WARP};
pub use not_straight::NotStraight;
pub use part::Part;
pub use primes::{DIGIT_BITS, PrimeSet, Residues};
pub use product::{ParseMappingError, Product, ProductForm, ProductMapping};
