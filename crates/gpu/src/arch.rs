//! Architectures of GPUs, and targets of a compilation.

use std::fmt;
use std::str::FromStr;

use limbforge_kernels_gen::Limits;

/// The architecture of a GPU: `sm_90`, or `sm_90a` with the instructions that only that architecture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arch {
    /// The compute capability before the point.
    pub major: u32,
    /// The compute capability after it, 0 to 9.
    pub minor: u32,
    /// True if instructions are allowed that no later architecture keeps (`a`). Such code runs only on this
    /// one.
    pub specific: bool,
}

/// The form that nvrtc compiles a source to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Machine code of one architecture.
    Cubin(Arch),
    /// Text that the driver compiles for this architecture or a later one when it is loaded.
    Ptx(Arch),
}

/// A text that is not an [`Arch`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a GPU architecture: expected sm_ and a compute capability, as in sm_75, sm_90 or sm_90a"
)]
pub struct ParseArchError {
    /// The text that was found.
    pub text: String,
}

impl Arch {
    /// The architecture of compute capability `major.minor`, with the instructions that later ones keep.
    #[must_use]
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor, specific: false }
    }

    /// The same with the instructions that no later architecture keeps.
    #[must_use]
    pub const fn specific(self) -> Self {
        Self { specific: true, ..self }
    }

    /// The number in its name: 90 of `sm_90a`.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.major * 10 + self.minor
    }

    /// From the number in its name.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self::new(number / 10, number % 10)
    }

    const fn suffix(self) -> &'static str {
        if self.specific { "a" } else { "" }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.number(), self.suffix())
    }
}

impl FromStr for Arch {
    type Err = ParseArchError;

    fn from_str(text: &str) -> Result<Self, ParseArchError> {
        let parse = || {
            let name = text.strip_prefix("sm_")?;
            let number = name.strip_suffix('a').unwrap_or(name);
            let digits = (2..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
            let arch = Self::from_number(number.parse().ok().filter(|_| digits && !number.starts_with('0'))?);
            Some(Self { specific: number != name, ..arch })
        };
        parse().ok_or_else(|| ParseArchError { text: text.to_owned() })
    }
}

impl Target {
    /// The architecture it is for.
    #[must_use]
    pub const fn arch(self) -> Arch {
        match self {
            Self::Cubin(arch) | Self::Ptx(arch) => arch,
        }
    }

    /// The option that asks nvrtc for it.
    #[must_use]
    pub fn option(self) -> String {
        let arch = self.arch();
        match self {
            Self::Cubin(_) => format!("--gpu-architecture={arch}"),
            Self::Ptx(_) => format!("--gpu-architecture=compute_{}{}", arch.number(), arch.suffix()),
        }
    }

    /// The target for an nvrtc that knows the architectures `supported` (their numbers) and a device of
    /// architecture `arch`: machine code, or the PTX of the newest older architecture when nvrtc
    /// is older than the device. None if there is none, which for an [`Arch::specific`] one is whenever nvrtc
    /// does not know it.
    #[must_use]
    pub fn choose(arch: Arch, supported: &[u32]) -> Option<Self> {
        if supported.contains(&arch.number()) {
            return Some(Self::Cubin(arch));
        }
        let older = supported.iter().copied().filter(|&number| number < arch.number()).max()?;
        (!arch.specific).then(|| Self::Ptx(Arch::from_number(older)))
    }

    /// The target of limbforge's kernels for a device of architecture `arch` with these limits and an nvrtc
    /// that knows the architectures `supported`: with the instructions that only this architecture has where
    /// kernels use some, else as [`choose`](Self::choose) does.
    ///
    /// ```
    /// use limbforge_gpu::{Arch, Target};
    /// use limbforge_kernels_gen::Limits;
    /// let of = |arch, limits| Target::of_kernels(arch, limits, &[80, 90]).map(Target::option);
    /// assert_eq!(of(Arch::new(8, 0), &Limits::SM_80).as_deref(), Some("--gpu-architecture=sm_80"));
    /// assert_eq!(of(Arch::new(9, 0), &Limits::SM_90A).as_deref(), Some("--gpu-architecture=sm_90a"));
    /// ```
    #[must_use]
    pub fn of_kernels(arch: Arch, limits: &Limits, supported: &[u32]) -> Option<Self> {
        let own = limits.warpgroups.then(|| Self::choose(arch.specific(), supported)).flatten();
        own.or_else(|| Self::choose(arch, supported))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for name in ["sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_103a", "sm_121"] {
            assert_eq!(name.parse::<Arch>().unwrap().to_string(), name);
        }
        assert_eq!("sm_90a".parse(), Ok(Arch::new(9, 0).specific()));
        assert_eq!("sm_103".parse(), Ok(Arch::new(10, 3)));
        for text in
            ["", "90", "sm_", "sm_9", "sm_90b", "sm_aa", "sm_-90", "sm_+90", "sm_09", "sm_9000", "compute_90"]
        {
            assert!(text.parse::<Arch>().is_err(), "{text}");
        }
    }

    #[test]
    fn machine_code_if_nvrtc_knows_the_device_else_ptx() {
        let supported = [75, 80, 86, 90];
        let choose = |name: &str| Target::choose(name.parse().unwrap(), &supported).map(Target::option);
        assert_eq!(choose("sm_90").as_deref(), Some("--gpu-architecture=sm_90"));
        assert_eq!(choose("sm_90a").as_deref(), Some("--gpu-architecture=sm_90a"));
        assert_eq!(choose("sm_100").as_deref(), Some("--gpu-architecture=compute_90"));
        assert_eq!(choose("sm_89").as_deref(), Some("--gpu-architecture=compute_86"));
        assert_eq!(choose("sm_100a"), None);
        assert_eq!(choose("sm_70"), None);
    }
}
