//! The limb of integers.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LimbArgument {
    U32,
    #[default]
    U64,
    U128,
}

impl LimbArgument {
    pub const fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::U128 => "u128",
        }
    }
}
