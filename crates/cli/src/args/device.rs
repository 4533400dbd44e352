//! The device that an argument names.

use std::str::FromStr;

/// The GPU that an argument names: `gpu` is the first, `gpu:I` the one of number I.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpuArgument(pub usize);

impl FromStr for GpuArgument {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = match text.strip_prefix("gpu") {
            Some("") => Some(0),
            Some(rest) => rest.strip_prefix(':').and_then(|number| number.parse().ok()),
            None => None,
        };
        number.map(Self).ok_or("expected gpu or gpu:I, as in gpu:1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_by_name() {
        assert_eq!("gpu".parse(), Ok(GpuArgument(0)));
        assert_eq!("gpu:3".parse(), Ok(GpuArgument(3)));
        for text in ["cpu", "gpu:", "gpu:x", "gpu3", "gpu:-1", ""] {
            assert!(text.parse::<GpuArgument>().is_err(), "{text}");
        }
    }
}
