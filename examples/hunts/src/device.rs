//! The choice of the device.

use limbforge::prelude::*;

use crate::HuntError;

/// The device of a hunt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Backend {
    /// All GPUs, or the CPU where there is none.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// All GPUs; their absence is an error.
    Gpu,
}

impl Backend {
    /// The engine of this device.
    ///
    /// # Errors
    /// [`HuntError::Engine`] if there is no such device.
    pub fn engine(self) -> Result<Engine, HuntError> {
        Ok(match self {
            Self::Auto => Engine::auto(),
            Self::Cpu => Engine::cpu(),
            Self::Gpu => Engine::all_gpus()?,
        })
    }
}

/// The width of a type for numbers of so many bits: whole words of 32 bits, at least 64 bits.
#[must_use]
pub fn word_bits(bits: u64) -> u64 {
    bits.max(64).next_multiple_of(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_whole_words() {
        assert_eq!([1, 64, 65, 683, 704, 705].map(word_bits), [64, 64, 96, 704, 704, 736]);
    }
}
