//! What computes.

use std::str::FromStr;

use super::device::GpuArgument;

/// What evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendArgument {
    /// The fastest that there is.
    Auto,
    /// All cores of this machine.
    Cpu,
    /// The GPU of this number.
    Gpu(usize),
}

impl FromStr for BackendArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            _ => match text.parse() {
                Ok(GpuArgument(ordinal)) => Ok(Self::Gpu(ordinal)),
                Err(_) => Err("expected auto, cpu, gpu or gpu:I, as in gpu:1".to_owned()),
            },
        }
    }
}
