//! Values of arguments that several commands take.

mod backend;
mod bits;
mod device;
mod limb;
mod number;
mod widths;

pub use self::backend::BackendArgument;
pub use self::bits::parse_bits;
pub use self::device::GpuArgument;
pub use self::limb::LimbArgument;
pub use self::number::{ExpressionError, LargeNumber, MAX_BITS, Number, evaluate};
pub use self::widths::Widths;
