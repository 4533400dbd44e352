//! The compiler of a kernel.

use core::fmt;

/// What compiles the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// nvrtc or nvcc.
    Cuda,
    /// A C++ compiler, through the emulator: PTX is replaced by its C++ twin.
    Emulator,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Cuda { "cuda" } else { "emulator" })
    }
}
