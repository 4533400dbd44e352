//! Versions of the driver and of nvrtc.

use std::fmt;

/// A CUDA version, such as 13.0; ordered by age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The part before the point.
    pub major: u32,
    /// The part after it.
    pub minor: u32,
}

impl Version {
    /// From CUDA's own number, which is `1000 * major + 10 * minor`. A negative number is 0.0.
    #[must_use]
    pub fn from_cuda(number: i32) -> Self {
        let number = u32::try_from(number).unwrap_or(0);
        Self { major: number / 1000, minor: number % 1000 / 10 }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuda_numbers() {
        assert_eq!(Version::from_cuda(13000).to_string(), "13.0");
        assert_eq!(Version::from_cuda(12080).to_string(), "12.8");
        assert_eq!(Version::from_cuda(-1).to_string(), "0.0");
        assert!(Version::from_cuda(12090) < Version::from_cuda(13000));
    }
}
